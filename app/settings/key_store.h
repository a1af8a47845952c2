// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "destination/secret.h"

#include <QString>

#include <functional>

namespace outbox::app {

/// Where `{keychain: NAME}` looks. The error is a sentence that says why there is no such secret.
using KeyStore = std::function<Result<destination::Secret, QString>(const QString &name)>;

/// The key store of the user who runs this process, through QtKeychain: the Secret Service or KWallet on
/// Linux, the Keychain, the Windows Credential Manager; secrets of the service "outbox". Needs a
/// QCoreApplication; waits for the user who may have to unlock it, at most for `limit`.
KeyStore systemKeyStore(milliseconds limit = seconds{60});

} // namespace outbox::app
