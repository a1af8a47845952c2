// SPDX-License-Identifier: Apache-2.0
#include "store/embedded_store.h"

#include "base/log.h"
#include "store/embedded/cluster.h"
#include "store/embedded/file_lock.h"

#include <thread>

namespace outbox::store {

using embedded::Cluster;
using embedded::FileLock;
using embedded::PidFile;

namespace {

constexpr milliseconds leaveLimit{10000};
constexpr milliseconds askInterval{50};

StoreError cannot(const QString &why) { return Unavailable{Unavailable::Why::embedded, why}; }

struct Reached {
    PidFile server;
    bool adopted = false;
};

/// Waits for a server that is on its way up or down; starts one when there is none.
Result<Reached, StoreError> reach(const Cluster &cluster, const EmbeddedSettings &settings, const Deadline &deadline)
{
    const SteadyClock clock;
    while (const auto found = cluster.running()) {
        if (Cluster::ask(*found) == Cluster::Answer::ready)
            return Reached{*found, true};
        if (deadline.passed(clock.now()))
            return StoreError(Unavailable{Unavailable::Why::starting, QStringLiteral("the private PostgreSQL is up but "
                                                                                     "does not answer")});
        std::this_thread::sleep_for(askInterval);
    }
    if (!cluster.exists())
        if (auto problem = cluster.create(settings.durable, deadline))
            return cannot(*problem);
    if (auto problem = cluster.start(settings.durable, settings.configuration, deadline))
        return cannot(*problem);
    if (const auto found = cluster.running())
        return Reached{*found, false};
    return cannot(QStringLiteral("PostgreSQL ended right after its start"));
}

} // namespace

struct EmbeddedStore::Held {
    QString folder;
    Cluster cluster;
    std::unique_ptr<FileLock> starting; ///< exclusive while somebody starts or stops
    std::unique_ptr<FileLock> using_;   ///< shared by everybody who uses the server
    ServerAddress address;
    bool adopted = false;
};

EmbeddedStore::EmbeddedStore(std::unique_ptr<Held> held) : held_(std::move(held)) {}

EmbeddedStore::~EmbeddedStore()
{
    if (const auto left = stop(leaveLimit); !left.ok())
        log::warning("embedded_store_left_up", {{"reason", describe(left.error())}});
}

Result<std::unique_ptr<EmbeddedStore>, StoreError>
EmbeddedStore::open(const EmbeddedAddress &address, milliseconds limit, const EmbeddedSettings &settings)
{
    const SteadyClock clock;
    const auto began = clock.now();
    const auto deadline = Deadline::in(limit, clock);
    const auto account = embedded::accountFor(address.folder, settings.account);
    if (!account)
        return cannot(account.error());
    const auto binaries = embedded::findBinaries(Cluster::dataMajor(address.folder), settings.binaries);
    if (!binaries)
        return cannot(QStringLiteral("%1: %2").arg(address.folder, binaries.error()));
    if (auto problem = embedded::prepareFolder(address.folder, *account))
        return cannot(*problem);

    auto starting = FileLock::open(address.folder + QStringLiteral("/start.lock"), *account);
    auto users = FileLock::open(address.folder + QStringLiteral("/users.lock"), *account);
    if (!starting || !users)
        return cannot(starting ? users.error() : starting.error());
    auto held = std::make_unique<Held>(Held{address.folder,
                                            Cluster(address.folder, *account, *binaries),
                                            std::move(starting).value(),
                                            std::move(users).value(),
                                            {},
                                            false});
    if (!held->starting->acquire(FileLock::Mode::exclusive, deadline))
        return StoreError(
            Unavailable{Unavailable::Why::starting, QStringLiteral("another program is starting or stopping it")});
    if (!held->using_->acquire(FileLock::Mode::shared, deadline))
        return cannot(QStringLiteral("%1/users.lock is held by another program").arg(address.folder));

    const auto reached = reach(held->cluster, settings, deadline);
    if (!reached)
        return reached.error();
    if (auto problem = held->cluster.ensureDatabase(deadline))
        return cannot(*problem);
    held->starting->release();
    held->address = Cluster::addressOf(reached->server);
    held->adopted = reached->adopted;
    log::info(held->adopted ? "embedded_store_adopted" : "embedded_store_started",
              {{"folder", held->folder},
               {"socket", held->address.host},
               {"pid", reached->server.pid},
               {"took_ms", std::chrono::duration_cast<milliseconds>(clock.now() - began).count()}});
    return std::unique_ptr<EmbeddedStore>(new EmbeddedStore(std::move(held)));
}

ServerAddress EmbeddedStore::address() const { return held_->address; }

bool EmbeddedStore::wasAdopted() const { return held_->adopted; }

Result<Done, StoreError> EmbeddedStore::stop(milliseconds limit)
{
    if (!held_->using_)
        return Done{};
    const SteadyClock clock;
    const auto deadline = Deadline::in(limit, clock);
    if (!held_->starting->acquire(FileLock::Mode::exclusive, deadline)) {
        held_->using_.reset();
        return StoreError(
            Unavailable{Unavailable::Why::starting, QStringLiteral("another program is starting or stopping it")});
    }
    const bool last = held_->using_->tryAcquire(FileLock::Mode::exclusive);
    const auto problem =
        last && held_->cluster.running() ? held_->cluster.stop(Cluster::Stop::fast, deadline) : std::nullopt;
    held_->using_.reset();
    held_->starting->release();
    if (problem)
        return cannot(*problem);
    log::info(last ? "embedded_store_stopped" : "embedded_store_left_to_others", {{"folder", held_->folder}});
    return Done{};
}

} // namespace outbox::store
