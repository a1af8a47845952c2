// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/time.h"
#include "destination/secret.h"
#include "settings/load.h"

#include <yaml-cpp/yaml.h>

#include <QMap>
#include <QStringList>

#include <optional>

namespace outbox::app {

/// What every part of one reading shares.
struct Reading {
    QString file;
    QString folder;
    Environment environment;
    KeyStore keyStore;
    SettingsErrors errors;

    void fail(const YAML::Mark &mark, const QString &key, const QString &problem);
};

/// One mapping of the file, with the keys that may be in it. Asking for a value checks its type and
/// range; whatever is wrong is noted in the Reading, and the caller gets nothing.
class Section {
public:
    /// Notes at once: not a mapping, unknown keys, keys given twice.
    Section(Reading &reading, const YAML::Node &node, const YAML::Mark &mark, QString path, QStringList known);

    [[nodiscard]] bool has(const QString &key) const { return entries_.contains(key); }
    /// The keys of a section whose keys are names, in the order of the file.
    [[nodiscard]] const QStringList &keys() const { return order_; }
    [[nodiscard]] YAML::Node node(const QString &key) const { return entries_.value(key).value; }
    [[nodiscard]] YAML::Mark mark(const QString &key) const { return entries_.value(key).mark; }
    [[nodiscard]] QString path(const QString &key) const;

    /// Notes that the key is missing, saying what it is for.
    void require(const QString &key, const QString &expected);
    [[nodiscard]] std::optional<QString> text(const QString &key) const;
    [[nodiscard]] std::optional<int> number(const QString &key, int least, int most) const;
    [[nodiscard]] std::optional<milliseconds> duration(const QString &key, milliseconds least, milliseconds most) const;
    /// "true" or "false".
    [[nodiscard]] std::optional<bool> flag(const QString &key) const;
    /// One of these texts.
    [[nodiscard]] std::optional<QString> choice(const QString &key, const QStringList &choices) const;
    /// `{env: NAME}`, `{file: PATH}` or `{keychain: NAME}`; a text in clear is refused without being repeated.
    [[nodiscard]] std::optional<destination::Secret> secret(const QString &key) const;
    /// The path of a file that is there, absolute.
    [[nodiscard]] std::optional<QString> existingFile(const QString &key) const;
    /// Another section inside this one.
    [[nodiscard]] Section section(const QString &key, QStringList known) const;
    /// Notes a problem with the value of a key.
    void fail(const QString &key, const QString &problem) const;
    [[nodiscard]] Reading &reading() const { return *reading_; }

    /// For `known`: any key is fine, they are names.
    static QStringList anyName() { return {}; }

private:
    struct Entry {
        YAML::Node value;
        YAML::Mark mark; ///< of the key
    };

    Reading *reading_;
    YAML::Mark mark_;
    QString path_;
    QMap<QString, Entry> entries_;
    QStringList order_;
};

} // namespace outbox::app
