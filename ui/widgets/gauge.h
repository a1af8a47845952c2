// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFrame>

namespace outbox::ui {

/// One figure as a half ring, a number and words. The ring tells where the value lies between nothing and a
/// round number above the highest seen; a tick marks that highest. (D2)
class Gauge final : public QFrame {
    Q_OBJECT
public:
    enum class Tone { pending, good, bad };

    Gauge(const QString &title, Tone tone, QWidget *parent = nullptr);

    /// `figure` and `words` are what is read; `value` and `highest` are drawn. `alarming`: a warning sign
    /// stands before the figure, and the figure takes the tone's colour.
    void show(double value, double highest, const QString &figure, const QString &words, bool alarming = false);
    /// Nothing known yet.
    void clear(const QString &words);

    [[nodiscard]] QString figure() const { return figure_; }
    [[nodiscard]] QString words() const { return words_; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void tell();

    QString title_;
    Tone tone_;
    double value_ = 0;
    double highest_ = 0;
    QString figure_;
    QString words_;
    bool alarming_ = false;
};

} // namespace outbox::ui
