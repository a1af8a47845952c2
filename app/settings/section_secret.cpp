// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/section.h"

#include <QFile>

namespace outbox::app {

using destination::Secret;

namespace {

const auto envKey = QStringLiteral("env");
const auto fileKey = QStringLiteral("file");
const auto keychainKey = QStringLiteral("keychain");

std::optional<Secret> fromEnvironment(const Section &from)
{
    const auto name = from.text(envKey);
    if (!name)
        return std::nullopt;
    const auto value = from.reading().environment(*name);
    if (value && !value->isEmpty())
        return Secret(*value);
    from.fail(envKey, QStringLiteral("the environment variable %1 is not set").arg(*name));
    return std::nullopt;
}

std::optional<Secret> fromFile(const Section &from)
{
    const auto path = from.existingFile(fileKey);
    if (!path)
        return std::nullopt;
    QFile file(*path);
    QString value = file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.read(64 * 1024)) : QString();
    while (value.endsWith(u'\n') || value.endsWith(u'\r'))
        value.chop(1);
    if (!value.isEmpty())
        return Secret(value);
    from.fail(fileKey, QStringLiteral("the file %1 is empty").arg(*path));
    return std::nullopt;
}

std::optional<Secret> fromKeychain(const Section &from)
{
    const auto name = from.text(keychainKey);
    if (!name)
        return std::nullopt;
    auto found = from.reading().keyStore(*name);
    if (found)
        return std::move(found).value();
    from.fail(keychainKey, QStringLiteral("no secret '%1': %2").arg(*name, found.error()));
    return std::nullopt;
}

} // namespace

std::optional<Secret> Section::secret(const QString &key) const
{
    if (!has(key))
        return std::nullopt;
    if (!node(key).IsMap()) { // it may be the secret itself: not repeated
        fail(key,
             QStringLiteral("expected {env: NAME}, {file: PATH} or {keychain: NAME}; a secret in clear is refused"));
        return std::nullopt;
    }
    const auto before = reading_->errors.size();
    const Section from = section(key, {envKey, fileKey, keychainKey});
    if (reading_->errors.size() != before)
        return std::nullopt;
    if (from.keys().size() != 1) {
        fail(key, QStringLiteral("expected exactly one of {env: NAME}, {file: PATH} and {keychain: NAME}"));
        return std::nullopt;
    }
    if (from.has(envKey))
        return fromEnvironment(from);
    return from.has(fileKey) ? fromFile(from) : fromKeychain(from);
}

} // namespace outbox::app
