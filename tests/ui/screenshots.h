// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QWidget;

namespace outbox::test {

/// Writes the widget as it looks now to the folder of OUTBOX_SCREENSHOTS (by default screenshots in the build
/// folder). False when the file could not be written.
bool screenshot(QWidget &widget, const QString &name);

} // namespace outbox::test
