// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QList>
#include <QMap>
#include <QProcess>
#include <QString>
#include <QStringList>

#include <memory>

namespace outbox::test {

/// How a run of the program ended.
struct Ran {
    int code = -1; ///< -1: it did not end by itself in time
    QByteArray out;
    QByteArray err;

    /// Every line of the output as a JSON object; an object with "bad" for a line that is none.
    [[nodiscard]] QList<QJsonObject> objects() const;
    [[nodiscard]] QJsonObject object() const { return objects().value(0); }
    /// For failure messages.
    [[nodiscard]] QByteArray all() const;
};

/// Runs programs with an environment that holds no store of ours. Waits at most a minute for each.
class ProgramRun {
public:
    explicit ProgramRun(const QString &program) : program_(program) {}

    void setEnvironment(const QString &name, const QString &value) { environment_[name] = value; }
    [[nodiscard]] Ran run(const QStringList &arguments, const QByteArray &input = {}) const;
    /// Started and left running.
    [[nodiscard]] std::unique_ptr<QProcess> start(const QStringList &arguments) const;

private:
    void prepare(QProcess &process) const;
    QString program_;
    QMap<QString, QString> environment_;
};

} // namespace outbox::test
