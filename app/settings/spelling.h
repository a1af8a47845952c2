// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace outbox::app {

/// The known name that was probably meant, at most two slips away (one for short names); empty: none.
QString nearest(const QString &name, const QStringList &known);

/// " (did you mean 'timeout'?)", or nothing.
QString didYouMean(const QString &name, const QStringList &known);

} // namespace outbox::app
