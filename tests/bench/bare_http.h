// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <QByteArray>
#include <QString>

namespace outbox::bench {

/// Posts that many messages with QNetworkAccessManager and nothing else around it, that many at a time, with
/// the headers that the engine sends. Comes back when every one was answered with 2xx.
Result<Done, QString> postBare(const QString &url, int count, int concurrency, const QByteArray &body);

} // namespace outbox::bench
