// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace outbox::ui {

/// An on/off control with its sentence: "This computer dispatches: on · 4 in flight". Whoever listens to
/// `toggleWanted` decides; the switch shows what is, not what was clicked.
class Switch final : public QAbstractButton {
    Q_OBJECT
public:
    explicit Switch(QWidget *parent = nullptr);

    /// `text` is drawn before `strong`, which is semibold, and `rest` after it.
    void show(bool on, const QString &text, const QString &strong, const QString &rest);

    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void toggleWanted(bool on);

protected:
    void paintEvent(QPaintEvent *event) override;
    void nextCheckState() override;

private:
    QString strong_;
    QString rest_;
};

} // namespace outbox::ui
