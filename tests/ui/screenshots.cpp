// SPDX-License-Identifier: Apache-2.0
#include "screenshots.h"

#include <QCoreApplication>
#include <QDir>
#include <QPixmap>
#include <QWidget>

namespace outbox::test {

bool screenshot(QWidget &widget, const QString &name)
{
    const QString folder = qEnvironmentVariable("OUTBOX_SCREENSHOTS", QString::fromUtf8(OUTBOX_SCREENSHOTS_DEFAULT));
    // What has changed since the last round of the event loop takes its place first.
    QCoreApplication::sendPostedEvents();
    return QDir().mkpath(folder) && widget.grab().save(QStringLiteral("%1/%2.png").arg(folder, name));
}

} // namespace outbox::test
