// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <QString>
#include <QStringList>

namespace outbox {

/// One place in a JSON document (RFC 6901), such as "/customer/email". Any thread; a value.
class JsonPointer {
public:
    /// Empty text is the whole document; everything else begins with '/', and '~' stands only in "~0" and "~1".
    /// The error says what is wrong.
    static Result<JsonPointer, QString> parse(const QString &text);

    [[nodiscard]] const QString &text() const { return text_; }
    /// The names and numbers to follow, with "~1" read as '/' and "~0" as '~'.
    [[nodiscard]] const QStringList &tokens() const { return tokens_; }

    friend bool operator==(const JsonPointer &a, const JsonPointer &b) { return a.text_ == b.text_; }

private:
    JsonPointer(QString text, QStringList tokens) : text_(std::move(text)), tokens_(std::move(tokens)) {}

    QString text_;
    QStringList tokens_;
};

} // namespace outbox
