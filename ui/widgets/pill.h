// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace outbox::ui {

/// A short word with a dot in a rounded frame: how something is, at a glance. The text says it too.
class Pill final : public QLabel {
    Q_OBJECT
public:
    enum class Tone { quiet, good, warning, bad };

    explicit Pill(QWidget *parent = nullptr);

    void show(Tone tone, const QString &text);
    [[nodiscard]] Tone tone() const { return tone_; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Tone tone_ = Tone::quiet;
};

} // namespace outbox::ui
