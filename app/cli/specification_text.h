// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/specification_snapshots.h"
#include "cli/json_object.h"
#include "cli/output.h"
#include "specification/load.h"

namespace outbox::cli {

// Specifications as the command `spec` prints them.

/// One line each with id, version, status and messages; then the warnings.
QStringList checkedLines(const app::LoadedSpecifications &loaded);
/// {"valid": true, ...}
QByteArray jsonOfChecked(const app::LoadedSpecifications &loaded);
/// {"valid": false, ...}
QByteArray jsonOfErrors(const app::SettingsErrors &errors);

/// "notify-warehouse 2 updated"
QString lineOf(const api::AppliedSpecification &applied);
QByteArray jsonOf(const api::AppliedSpecification &applied);

void printList(Output &out, const api::SpecificationList &list);
QByteArray jsonOf(const api::SpecificationList &list);
/// What the rule means for the types without specification that are in use; there is at least one.
QString unspecifiedLine(const api::SpecificationList &list);
QString ruleLine(api::UnspecifiedTypes rule);

} // namespace outbox::cli
