// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/snapshots.h"

#include <QString>

/// Everything that is said in words in more than one place: one wording for one thing.
namespace outbox::ui::text {

/// "41 ms", "3.4 s", "22 min", "2 h 5 min", "3 d 4 h". Never negative.
QString duration(milliseconds span);
milliseconds between(Timestamp from, Timestamp to);

/// In the locale's form: "1,284".
QString number(std::int64_t value);
/// "1,284", or "over 100,000" where it is only known to be at least that many.
QString number(const api::Count &count);
/// "1 record", "12 records".
QString records(std::int64_t count);
/// "85", "0.4": a rate with as many digits as it is worth.
QString rate(double perSecond);

/// In the operator's zone: "14:07:12" today, "30 Nov 14:07:12" before.
QString clock(Timestamp at);
/// "2026-12-01 14:07:12.123", in the operator's zone.
QString moment(Timestamp at);
/// "2026-12-01 13:07:12.123 UTC": for hovering.
QString utc(Timestamp at);

QString stateText(StateKind state);
/// ● ◆ ✓ ✖, so that no state is told by colour alone.
QString stateSymbol(StateKind state);
/// "rejected by the destination"
QString causeText(FailureCause cause);
/// "integration event"
QString kindText(const QString &kind);
QString kindText(const MessageKind &kind);
/// "orders.placed v2"
QString typeName(const QString &type, int version);
/// The destination, or that there is no route.
QString destinationName(const QString &destination);

/// Why the record is where it is: "waits for its third attempt, due in 40 s, because the destination did
/// not answer in time".
QString stateSentence(const api::RecordDetail &record);
/// "in 40 s", "now", "lease 21 s", a dash: the short form for lists.
QString due(const OutboxState &state, Timestamp now);
/// Used up or running.
int attempts(const OutboxState &state);

/// "Store ready", "Store unavailable since 12:04"
QString storeCondition(const api::StoreStatus &status);

} // namespace outbox::ui::text
