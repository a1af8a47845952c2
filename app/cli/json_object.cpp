// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/json_object.h"

namespace outbox::cli {

QByteArray jsonString(const QString &text)
{
    QByteArray json = "\"";
    for (const char c : text.toUtf8()) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            json += '\\';
        if (c == '\n')
            json += "\\n";
        else if (byte < 0x20 || byte == 0x7f)
            json += "\\u00" + QByteArray::number(byte, 16).rightJustified(2, '0');
        else
            json += c;
    }
    return json + '"';
}

JsonObject &JsonObject::add(const char *name, const QString &text) { return raw(name, jsonString(text)); }

JsonObject &JsonObject::add(const char *name, const QList<JsonObject> &objects)
{
    QByteArray list = "[";
    for (const auto &object : objects)
        list += (list.size() > 1 ? "," : "") + object.text();
    return raw(name, list + ']');
}

JsonObject &JsonObject::addText(const char *name, const QString &textOrEmpty)
{
    return textOrEmpty.isEmpty() ? raw(name, QByteArrayLiteral("null")) : add(name, textOrEmpty);
}

JsonObject &JsonObject::addSeconds(const char *name, std::optional<double> seconds)
{
    return raw(name, seconds ? QByteArray::number(*seconds, 'f', 3) : QByteArrayLiteral("null"));
}

JsonObject &JsonObject::raw(const char *name, const QByteArray &json)
{
    if (!members_.isEmpty())
        members_ += ',';
    members_ += '"' + QByteArray(name) + "\":" + json;
    return *this;
}

} // namespace outbox::cli
