// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/record_text.h"

#include "cli/output.h"

#include <QRegularExpression>

namespace outbox::cli {

namespace {

QString textOf(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

} // namespace

QString stateText(const OutboxState &state) { return textOf(stateName(kindOf(state))); }

int attemptsOf(const OutboxState &state)
{
    return std::visit(overload{
                          [](const Pending &s) { return s.attempts; },
                          [](const Processing &s) { return s.attempt; },
                          [](const Dispatched &s) { return s.attempt; },
                          [](const DeadLetter &s) { return s.attempts; },
                      },
                      state);
}

QString stateDetail(const OutboxState &state)
{
    return std::visit(
        overload{
            [](const Pending &s) { return QStringLiteral("next attempt ") + shortTime(s.nextAttemptAt); },
            [](const Processing &s) { return QStringLiteral("lease until ") + shortTime(s.lease.expiresAt); },
            [](const Dispatched &s) { return QStringLiteral("dispatched ") + shortTime(s.dispatchedAt); },
            [](const DeadLetter &s) { return textOf(causeName(s.cause)) + QStringLiteral(": ") + oneLine(s.reason); },
        },
        state);
}

void addState(JsonObject &object, const OutboxState &state)
{
    object.add("state", stateText(state)).add("attempts", attemptsOf(state));
    std::visit(overload{
                   [&](const Pending &s) { object.add("next_attempt_at", isoTime(s.nextAttemptAt)); },
                   [&](const Processing &s) {
                       object.add("lease_expires_at", isoTime(s.lease.expiresAt)).add("fence", s.lease.fence.value());
                   },
                   [&](const Dispatched &s) { object.add("dispatched_at", isoTime(s.dispatchedAt)); },
                   [&](const DeadLetter &s) {
                       object.add("failed_at", isoTime(s.failedAt))
                           .add("cause", textOf(causeName(s.cause)))
                           .add("reason", s.reason);
                   },
               },
               state);
}

Result<MessageId, Failure> parseId(const std::string &text)
{
    // Stricter than QUuid, which ignores what stands behind.
    static const QRegularExpression form(QStringLiteral("^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"));
    const QString given = QString::fromStdString(text);
    if (!form.match(given).hasMatch())
        return Failure{ExitCode::bad_input,
                       QStringLiteral("\"%1\" is no record id; it looks like 01890a5d-ac96-774b-bcce-b302099a8057")
                           .arg(oneLine(given.left(80)))};
    return MessageId(QUuid::fromString(given));
}

} // namespace outbox::cli
