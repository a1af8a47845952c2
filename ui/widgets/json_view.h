// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

class QSyntaxHighlighter;

namespace outbox::ui {

/// A payload to read: laid out, coloured, never editable. Long ones are shown in part and say so.
class JsonView final : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit JsonView(QWidget *parent = nullptr);

    /// Does nothing when it is the payload shown already, so that a selection or scroll place stays.
    void show(const QByteArray &payload);

protected:
    void changeEvent(QEvent *event) override;

private:
    QByteArray payload_;
    QSyntaxHighlighter *colours_;
};

} // namespace outbox::ui
