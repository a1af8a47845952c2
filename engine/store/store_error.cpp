// SPDX-License-Identifier: Apache-2.0
#include "store/store_error.h"

#include "base/result.h"

namespace outbox::store {

namespace {

QString nameOfWhy(Unavailable::Why why)
{
    switch (why) {
    case Unavailable::Why::unreachable: return QStringLiteral("unreachable");
    case Unavailable::Why::starting: return QStringLiteral("starting");
    case Unavailable::Why::no_schema: return QStringLiteral("no-schema");
    case Unavailable::Why::no_rights: return QStringLiteral("no-rights");
    case Unavailable::Why::too_many_connections: return QStringLiteral("too-many-connections");
    case Unavailable::Why::read_only: return QStringLiteral("read-only");
    case Unavailable::Why::no_database: return QStringLiteral("no-database");
    case Unavailable::Why::authentication: return QStringLiteral("authentication");
    case Unavailable::Why::timeout: return QStringLiteral("timeout");
    case Unavailable::Why::resources: return QStringLiteral("resources");
    case Unavailable::Why::embedded: return QStringLiteral("embedded");
    }
    return QStringLiteral("unreachable");
}

QString introduce(Unavailable::Why why)
{
    switch (why) {
    case Unavailable::Why::unreachable: return QStringLiteral("the store does not answer");
    case Unavailable::Why::starting: return QStringLiteral("the store is starting or stopping");
    case Unavailable::Why::no_schema:
        return QStringLiteral("the database has no schema \"outbox\"; run `outbox migrate` once as its owner");
    case Unavailable::Why::no_rights:
        return QStringLiteral("the database role lacks a right; grant it outbox_worker, outbox_operator, outbox_viewer "
                              "or outbox_writer");
    case Unavailable::Why::too_many_connections: return QStringLiteral("the store has no free connection");
    case Unavailable::Why::read_only: return QStringLiteral("the store is read-only, a standby perhaps");
    case Unavailable::Why::no_database: return QStringLiteral("there is no such database");
    case Unavailable::Why::authentication: return QStringLiteral("the store refused the login");
    case Unavailable::Why::timeout: return QStringLiteral("the store did not answer in time");
    case Unavailable::Why::resources: return QStringLiteral("the store is out of disk or memory");
    case Unavailable::Why::embedded: return QStringLiteral("the private PostgreSQL cannot be used");
    }
    return {};
}

QString withDetail(const QString &sentence, const QString &detail)
{
    return detail.isEmpty() ? sentence : QStringLiteral("%1 (%2)").arg(sentence, detail.simplified());
}

} // namespace

QString describe(const StoreError &error)
{
    return std::visit(
        overload{
            [](const Unavailable &e) { return withDetail(introduce(e.why), e.text); },
            [](const Conflict &e) { return QStringLiteral("%1; try again").arg(e.text); },
            [](const InDoubt &e) {
                return withDetail(QStringLiteral("the answer was lost, so it is unknown whether the change was made"),
                                  e.text);
            },
            [](const Refused &e) {
                return e.hint.isEmpty() ? QStringLiteral("%1 [%2]").arg(e.text, e.sqlState)
                                        : QStringLiteral("%1 [%2]; %3").arg(e.text, e.sqlState, e.hint);
            },
            [](const SchemaTooOld &e) {
                return QStringLiteral("the schema is at version %1 and this program needs %2; run `outbox migrate`")
                    .arg(e.found)
                    .arg(e.needed);
            },
            [](const SchemaTooNew &e) {
                return QStringLiteral("the schema is at version %1 and this program knows only %2; install a newer "
                                      "program")
                    .arg(e.found)
                    .arg(e.known);
            },
            [](const SchemaDiffers &e) {
                return QStringLiteral("another build made this schema: its migration %1 is not this program's; go on "
                                      "with that build, or make a new store for this one")
                    .arg(e.migration);
            },
        },
        error);
}

QString nameOf(const StoreError &error)
{
    return std::visit(overload{
                          [](const Unavailable &e) { return nameOfWhy(e.why); },
                          [](const Conflict &) { return QStringLiteral("conflict"); },
                          [](const InDoubt &) { return QStringLiteral("in-doubt"); },
                          [](const Refused &) { return QStringLiteral("refused"); },
                          [](const SchemaTooOld &) { return QStringLiteral("schema-too-old"); },
                          [](const SchemaTooNew &) { return QStringLiteral("schema-too-new"); },
                          [](const SchemaDiffers &) { return QStringLiteral("schema-differs"); },
                      },
                      error);
}

bool isOutage(const StoreError &error)
{
    return std::visit(overload{
                          [](const Unavailable &) { return true; },
                          [](const Conflict &) { return false; },
                          [](const InDoubt &) { return true; },
                          [](const Refused &) { return false; },
                          [](const SchemaTooOld &) { return true; },
                          [](const SchemaTooNew &) { return true; },
                          [](const SchemaDiffers &) { return true; },
                      },
                      error);
}

} // namespace outbox::store
