// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/time.h"
#include "store/embedded/account.h"
#include "store/embedded/binaries.h"
#include "store/embedded/command.h"
#include "store/store_address.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace outbox::store::embedded {

/// What a PostgreSQL wrote into its postmaster.pid.
struct PidFile {
    qint64 pid = 0;
    int port = 0;
    QString socketFolder;
};

/// One private PostgreSQL on disk: making it, starting and stopping it, asking whether it lives. Knows
/// nothing of who else uses it. Every call blocks, until its deadline at the most. Errors are sentences.
class Cluster {
public:
    enum class Stop { fast, immediate };
    enum class Answer { ready, notYet, nothing };

    /// `folder` is the store's own folder, prepared for the account.
    Cluster(QString folder, Account account, Binaries binaries);

    /// The major version that made the data in `folder`; nothing: there is no data yet.
    static std::optional<int> dataMajor(const QString &folder);
    /// "/data" below the store's folder.
    [[nodiscard]] QString dataFolder() const;
    [[nodiscard]] bool exists() const;

    /// Makes the data, all or nothing: a crash in between leaves none. UTF-8, checksums, local logins only.
    [[nodiscard]] std::optional<QString> create(bool durable, const Deadline &deadline) const;
    /// Starts it and waits until it answers. A postmaster.pid that a crash left is no obstacle.
    [[nodiscard]] std::optional<QString> start(bool durable, const QStringList &configuration,
                                               const Deadline &deadline) const;
    [[nodiscard]] std::optional<QString> stop(Stop how, const Deadline &deadline) const;
    /// Makes the database "outbox" unless it is there.
    [[nodiscard]] std::optional<QString> ensureDatabase(const Deadline &deadline) const;

    /// Of the running postmaster; nothing: none runs on this data.
    [[nodiscard]] std::optional<PidFile> running() const;
    [[nodiscard]] static Answer ask(const PidFile &server);
    [[nodiscard]] static ServerAddress addressOf(const PidFile &server);

private:
    [[nodiscard]] Ran run(const QString &program, const QStringList &arguments, const Deadline &deadline) const;
    [[nodiscard]] std::optional<QString> configure(const QByteArray &text) const;
    [[nodiscard]] QString socketFolder() const;
    [[nodiscard]] QString pidFile() const;
    [[nodiscard]] QString logFile() const;
    [[nodiscard]] std::optional<QString> clearLeftovers(const QString &sockets, const Deadline &deadline) const;
    void keepLogShort() const;
    [[nodiscard]] QString lastLogLines() const;

    QString folder_;
    Account account_;
    Binaries binaries_;
};

} // namespace outbox::store::embedded
