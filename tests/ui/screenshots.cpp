// SPDX-License-Identifier: Apache-2.0
#include "screenshots.h"

#include <QDir>
#include <QPixmap>
#include <QWidget>

namespace outbox::test {

bool screenshot(QWidget &widget, const QString &name)
{
    const QString folder = qEnvironmentVariable("OUTBOX_SCREENSHOTS", QString::fromUtf8(OUTBOX_SCREENSHOTS_DEFAULT));
    return QDir().mkpath(folder) && widget.grab().save(QStringLiteral("%1/%2.png").arg(folder, name));
}

} // namespace outbox::test
