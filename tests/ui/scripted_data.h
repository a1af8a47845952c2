// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scripted_port.h"

namespace outbox::test {

/// Some moment now, in whole milliseconds.
Timestamp nowForTests();
/// The nth id; later ones sort later, as UUIDv7 do.
MessageId idOf(int number);
/// A row in that state, staged `number` seconds after a fixed beginning.
api::RecordRow rowOf(int number, const OutboxState &state = Pending{0, {}});
/// Numbers `count` down to 1, all pending.
QList<api::RecordRow> pendingRows(int count);

/// A busy afternoon: records in every state, three groups of dead letters, history and figures.
void fillWithAfternoon(ScriptedPort &port);
/// A record that failed twice and waits for its third attempt, replayed once before.
api::RecordDetail eventfulRecord(const api::RecordRow &row);

} // namespace outbox::test
