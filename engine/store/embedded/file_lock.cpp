// SPDX-License-Identifier: Apache-2.0
#include "store/embedded/file_lock.h"

#include <QFile>

#include <cerrno>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace outbox::store::embedded {

Result<std::unique_ptr<FileLock>, QString> FileLock::open(const QString &path, const Account &account)
{
    const int descriptor = ::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0)
        return QStringLiteral("the lock %1 cannot be opened: %2")
            .arg(path, QString::fromLocal8Bit(std::strerror(errno)));
    std::unique_ptr<FileLock> made(new FileLock(descriptor));
    if (account.switched && fchown(descriptor, account.uid, account.gid) != 0)
        return QStringLiteral("the lock %1 cannot be given to \"%2\"").arg(path, account.name);
    return made;
}

FileLock::~FileLock() { ::close(descriptor_); }

bool FileLock::tryAcquire(Mode mode)
{
    const int how = (mode == Mode::shared ? LOCK_SH : LOCK_EX) | LOCK_NB;
    int answer = 0;
    do {
        answer = flock(descriptor_, how);
    } while (answer != 0 && errno == EINTR);
    return answer == 0;
}

bool FileLock::acquire(Mode mode, const Deadline &deadline)
{
    const SteadyClock clock;
    while (!tryAcquire(mode)) {
        if (deadline.passed(clock.now()))
            return false;
        std::this_thread::sleep_for(milliseconds{20}); // flock has no timeout of its own
    }
    return true;
}

void FileLock::release() { flock(descriptor_, LOCK_UN); }

} // namespace outbox::store::embedded
