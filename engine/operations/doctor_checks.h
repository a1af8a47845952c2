// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operations/doctor.h"

#include <QStringList>

namespace outbox::operations {

using DoctorChecks = Result<QList<api::DoctorCheck>, store::StoreError>;

// One function a statement. What they say is for people; the names of the checks are stable.

DoctorChecks checkStates(store::Connection &connection, const DoctorSettings &settings);
DoctorChecks checkLeases(store::Connection &connection, const DoctorSettings &settings);
DoctorChecks checkPartitions(store::Connection &connection, const DoctorSettings &settings);
DoctorChecks checkServer(store::Connection &connection, const DoctorSettings &settings);
DoctorChecks checkRoles(store::Connection &connection, const DoctorSettings &settings);
DoctorChecks checkSnapshots(store::Connection &connection, const DoctorSettings &settings);
DoctorChecks checkRoutes(store::Connection &connection, const DoctorSettings &settings);
DoctorChecks checkWorkers(store::Connection &connection, const DoctorSettings &settings);
DoctorChecks checkSpecifications(store::Connection &connection, const DoctorSettings &settings);

api::DoctorCheck good(const QString &name, const QString &text);
api::DoctorCheck warning(const QString &name, const QString &text, const QString &hint);
api::DoctorCheck problem(const QString &name, const QString &text, const QString &hint);

/// "1 record", "2 records"
QString counted(qint64 count, const QString &one, const QString &many);
/// "45 s", "3 min", "2 h", "5 d"
QString span(seconds length);

} // namespace outbox::operations
