// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace outbox::bench {

/// The file of that name beside this program's source, such as "sql/fill.sql".
QString beside(const QString &path);

} // namespace outbox::bench
