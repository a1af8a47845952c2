// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace outbox::ui {

/// A rounded frame with a heading; the content goes into body(), what belongs to the heading into head().
class Card final : public QFrame {
    Q_OBJECT
public:
    /// Without a title it has no heading line.
    explicit Card(const QString &title = {}, QWidget *parent = nullptr);

    [[nodiscard]] QVBoxLayout *body() const { return body_; }
    /// Right of the title.
    [[nodiscard]] QHBoxLayout *head() const { return head_; }

private:
    QVBoxLayout *body_;
    QHBoxLayout *head_ = nullptr;
};

/// A label in the secondary colour, 12 px unless another font is set.
QLabel *makeCaption(const QString &text, QWidget *parent = nullptr);
QLabel *makeHeading(const QString &text, QWidget *parent = nullptr);
/// One pixel, in the colour of lines.
QFrame *makeLine(Qt::Orientation orientation, QWidget *parent = nullptr);

} // namespace outbox::ui
