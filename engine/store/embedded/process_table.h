// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace outbox::store::embedded {

/// A process of that number lives and works in that folder, as PostgreSQL's processes do in their data
/// folder. A number that another program has taken over since is none of ours. Where the system does not
/// tell folders of processes, any living process counts.
bool worksIn(qint64 pid, const QString &folder);

/// Some process works in that folder: the children of a killed PostgreSQL may outlive it for a moment.
bool anybodyWorksIn(const QString &folder);

} // namespace outbox::store::embedded
