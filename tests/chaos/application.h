// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenario.h"

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>

namespace outbox::chaos {

/// The application that stages: pgbench at several clients. It gives up when the store goes away, so it is
/// started again until its time is over.
class Application : public QObject {
    Q_OBJECT
public:
    Application(const Scenario &scenario, QMap<QString, QString> environment, QObject *parent = nullptr);
    ~Application() override;

    void start();

Q_SIGNALS:
    /// Its time is over and no client runs any more.
    void ended();

private:
    void again();

    Scenario scenario_;
    QProcess pgbench_;
    QElapsedTimer clock_;
};

/// The file of that name beside these sources, such as "sql/order.sql".
QString beside(const QString &path);

} // namespace outbox::chaos
