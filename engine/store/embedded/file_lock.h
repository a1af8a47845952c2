// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/time.h"
#include "store/embedded/account.h"

#include <QString>

#include <memory>

namespace outbox::store::embedded {

/// A lock that programs share through a file. The kernel lets go of it when its holder dies. Not thread
/// safe; two of these on one file exclude each other within one program too.
class FileLock {
public:
    enum class Mode { shared, exclusive };

    /// Opens or makes the file, owned by the account, not yet locked. The error is a sentence.
    static Result<std::unique_ptr<FileLock>, QString> open(const QString &path, const Account &account);
    FileLock(const FileLock &) = delete;
    FileLock &operator=(const FileLock &) = delete;
    ~FileLock();

    /// Changing from shared to exclusive may let somebody in between.
    [[nodiscard]] bool tryAcquire(Mode mode);
    /// Waits until the deadline at the most.
    [[nodiscard]] bool acquire(Mode mode, const Deadline &deadline);
    void release();

private:
    explicit FileLock(int descriptor) : descriptor_(descriptor) {}
    int descriptor_;
};

} // namespace outbox::store::embedded
