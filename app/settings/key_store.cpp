// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/key_store.h"

#include <QEventLoop>
#include <QTimer>

#include <qt6keychain/keychain.h>

namespace outbox::app {

namespace {

QString problemOf(const QKeychain::Job &job)
{
    switch (job.error()) {
    case QKeychain::EntryNotFound: return QStringLiteral("the key store has no such secret of the service 'outbox'");
    case QKeychain::AccessDenied:
    case QKeychain::AccessDeniedByUser: return QStringLiteral("access to the key store was denied");
    case QKeychain::NoBackendAvailable:
    case QKeychain::NotImplemented:
        return QStringLiteral("there is no key store here; use {env: NAME} or {file: PATH}");
    default: break;
    }
    return QStringLiteral("the key store cannot be read: %1").arg(job.errorString().left(200));
}

Result<destination::Secret, QString> read(const QString &name, milliseconds limit)
{
    auto *job = new QKeychain::ReadPasswordJob(QStringLiteral("outbox"));
    job->setKey(name);
    job->setAutoDelete(true); // it may end long after nobody waits any more
    job->setInsecureFallback(false);
    QEventLoop loop;
    Result<destination::Secret, QString> found(QStringLiteral("the key store gave no answer in time"));
    QObject::connect(job, &QKeychain::Job::finished, &loop, [&](QKeychain::Job *) {
        if (job->error() != QKeychain::NoError)
            found = problemOf(*job);
        else if (job->textData().isEmpty())
            found = QStringLiteral("the secret in the key store is empty");
        else
            found = destination::Secret(job->textData());
        loop.quit();
    });
    QTimer::singleShot(limit, &loop, &QEventLoop::quit);
    job->start();
    loop.exec();
    return found;
}

} // namespace

KeyStore systemKeyStore(milliseconds limit)
{
    return [limit](const QString &name) { return read(name, limit); };
}

} // namespace outbox::app
