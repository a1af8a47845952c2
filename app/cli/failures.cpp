// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/failures.h"

#include "base/result.h"

#include <QRegularExpression>

namespace outbox::cli {

namespace {

ExitCode codeOf(const store::StoreError &error)
{
    return std::visit(overload{
                          [](const store::Unavailable &e) {
                              return e.why == store::Unavailable::Why::no_schema ? ExitCode::schema
                                                                                 : ExitCode::unavailable;
                          },
                          [](const store::Conflict &) { return ExitCode::unavailable; },
                          [](const store::InDoubt &) { return ExitCode::unavailable; },
                          [](const store::Refused &) { return ExitCode::bad_input; },
                          [](const store::SchemaTooOld &) { return ExitCode::schema; },
                          [](const store::SchemaTooNew &) { return ExitCode::schema; },
                          [](const store::SchemaDiffers &) { return ExitCode::schema; },
                      },
                      error);
}

} // namespace

Failure failureOf(const store::StoreError &error, const QString &store)
{
    return {codeOf(error), QStringLiteral("%1: %2").arg(store, store::describe(error))};
}

QString withoutPasswords(const QString &text)
{
    static const QRegularExpression inUri(QStringLiteral("(://[^:@/\\s]*):\\S*@"));
    static const QRegularExpression inWords(QStringLiteral("(?i)(password\\s*=\\s*)('(?:[^'\\\\]|\\\\.)*'|[^\\s&']+)"));
    QString clean = text;
    clean.replace(inUri, QStringLiteral("\\1:***@"));
    clean.replace(inWords, QStringLiteral("\\1***"));
    return clean;
}

} // namespace outbox::cli
