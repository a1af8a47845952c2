// SPDX-License-Identifier: Apache-2.0
#include "domain/specification/json_pointer.h"

#include <QRegularExpression>

namespace outbox {

Result<JsonPointer, QString> JsonPointer::parse(const QString &text)
{
    static const QRegularExpression loneTilde(QStringLiteral("~(?![01])"));
    if (text.isEmpty())
        return JsonPointer(text, {});
    if (!text.startsWith(u'/'))
        return QStringLiteral("expected a JSON pointer such as /customer/email, which begins with '/'");
    if (text.contains(loneTilde))
        return QStringLiteral("a '~' in a JSON pointer is written ~0, and a '/' in a name ~1");
    QStringList tokens = text.mid(1).split(u'/');
    for (auto &token : tokens) // in this order: "~01" is the name "~1"
        token.replace(QStringLiteral("~1"), QStringLiteral("/")).replace(QStringLiteral("~0"), QStringLiteral("~"));
    return JsonPointer(text, tokens);
}

} // namespace outbox
