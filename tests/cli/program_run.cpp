// SPDX-License-Identifier: Apache-2.0
#include "program_run.h"

#include <QJsonDocument>
#include <QProcessEnvironment>

namespace outbox::test {

namespace {

constexpr int patience = 60'000;

}

QList<QJsonObject> Ran::objects() const
{
    QList<QJsonObject> all;
    for (const auto &line : out.split('\n')) {
        if (line.isEmpty())
            continue;
        const auto document = QJsonDocument::fromJson(line);
        all << (document.isObject() ? document.object()
                                    : QJsonObject{{QStringLiteral("bad"), QString::fromUtf8(line)}});
    }
    return all;
}

QByteArray Ran::all() const { return "exit " + QByteArray::number(code) + "\n--- out\n" + out + "\n--- err\n" + err; }

void ProgramRun::prepare(QProcess &process) const
{
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const auto *name : {"OUTBOX_STORE", "PGHOST", "PGPORT", "PGUSER", "PGDATABASE", "PGPASSWORD", "PGSERVICE"})
        environment.remove(QString::fromLatin1(name));
    for (auto each = environment_.begin(); each != environment_.end(); ++each)
        environment.insert(each.key(), each.value());
    process.setProcessEnvironment(environment);
}

Ran ProgramRun::run(const QStringList &arguments, const QByteArray &input) const
{
    QProcess process;
    prepare(process);
    process.start(program_, arguments);
    process.write(input);
    process.closeWriteChannel();
    Ran ran;
    if (!process.waitForFinished(patience)) {
        process.kill();
        process.waitForFinished();
    } else if (process.exitStatus() == QProcess::NormalExit) {
        ran.code = process.exitCode();
    }
    ran.out = process.readAllStandardOutput();
    ran.err = process.readAllStandardError();
    return ran;
}

std::unique_ptr<QProcess> ProgramRun::start(const QStringList &arguments) const
{
    auto process = std::make_unique<QProcess>();
    prepare(*process);
    process->start(program_, arguments);
    return process;
}

} // namespace outbox::test
