// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/snapshots.h"

namespace outbox::ui {

/// "provider side effect · tenant acme · to payments · staged 14:05:48"
QString recordFacts(const api::RecordDetail &record);
/// One object, one header a name, in the order they were staged.
QByteArray headersAsJson(const QList<Header> &headers);
/// Everything shown about the record as one JSON object; the payload is in it as it was staged.
QString recordAsJson(const api::RecordDetail &record);

} // namespace outbox::ui
