// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace outbox {

/// The version of the program, such as "0.1.0".
inline QString programVersion() { return QStringLiteral(OUTBOX_VERSION); }

} // namespace outbox
