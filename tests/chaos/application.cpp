// SPDX-License-Identifier: Apache-2.0
#include "application.h"

#include <QMap>

#include <algorithm>

namespace outbox::chaos {

using namespace Qt::StringLiterals;

QString beside(const QString &path) { return QStringLiteral(OUTBOX_CHAOS_SOURCE "/") + path; }

Application::Application(const Scenario &scenario, QMap<QString, QString> environment, QObject *parent)
    : QObject(parent), scenario_(scenario)
{
    auto all = QProcessEnvironment::systemEnvironment();
    for (auto it = environment.begin(); it != environment.end(); ++it) {
        all.insert(it.key(), it.value());
    }
    pgbench_.setProcessEnvironment(all);
    pgbench_.setStandardOutputFile(QProcess::nullDevice());
    pgbench_.setStandardErrorFile(QProcess::nullDevice());
    connect(&pgbench_, &QProcess::finished, this, &Application::again);
}

Application::~Application()
{
    if (pgbench_.state() != QProcess::NotRunning) {
        pgbench_.disconnect(this);
        pgbench_.kill();
        pgbench_.waitForFinished();
    }
}

void Application::start()
{
    clock_.start();
    again();
}

void Application::again()
{
    const auto spent = std::chrono::round<seconds>(milliseconds(clock_.elapsed()));
    if (spent >= scenario_.staging) {
        Q_EMIT ended();
        return;
    }
    pgbench_.start(u"pgbench"_s, {u"-n"_s, u"-M"_s, u"prepared"_s, u"-c"_s, QString::number(scenario_.clients), u"-j"_s,
                                  u"2"_s, u"-T"_s, QString::number((scenario_.staging - spent).count()), u"-f"_s,
                                  beside(u"sql/order.sql"_s)});
}

} // namespace outbox::chaos
