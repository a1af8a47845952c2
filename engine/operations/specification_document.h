// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/specification/specification.h"

#include <QJsonObject>

namespace outbox::operations {

/// The document that the store keeps: every field by its name in the YAML form, durations as whole milliseconds with
/// "_ms" behind the name, shares as numbers from 0 to 1, messages one by one. `limits.derived` names the Limits that
/// follow from the target.
QJsonObject documentOf(const Specification &specification);

} // namespace outbox::operations
