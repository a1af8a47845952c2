// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/outcomes.h"
#include "contract/target.h"

#include <QObject>

#include <memory>

namespace outbox::contract {

/// A message of the suite: number, type "contract.example", a small JSON payload.
Message message(int number);

/// A trace context as W3C writes it.
inline constexpr auto traceParent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/// What every destination must show. A transport's test program derives from it, brings its Target, and
/// adds what is special about the transport.
class Suite : public QObject {
    Q_OBJECT
protected:
    virtual std::unique_ptr<Target> makeTarget() = 0;

    /// Hands one message over; its ticket is the answer.
    std::uint64_t deliver(Message message, milliseconds limit = seconds{60});
    /// Hands `count` messages over in one go; tickets run on from the answer.
    std::uint64_t deliverMany(int count, milliseconds limit = seconds{60});

    /// Stops the destination, waits for that, and puts another one in its place; not started.
    void replace(std::unique_ptr<delivery::Destination> destination);

    std::unique_ptr<Target> target_;
    std::unique_ptr<Outcomes> outcomes_;
    std::unique_ptr<delivery::Destination> destination_;
    std::uint64_t nextTicket_ = 1;

private Q_SLOTS:
    void init();
    void cleanup();

    void accepts();         // S11
    void idAndTypeTravel(); // S22
    void payloadTravelsUnchanged_data();
    void payloadTravelsUnchanged(); // S4
    void rejectionIsPermanent();    // S13
    void busyIsTransient();         // S13
    void recoversByItself();
    void deadlineIsRespected();
    void passedDeadlineIsNotSent();
    void usesItsConcurrency();
    void manyInFlight(); // S6
    void connectionLostInMidFlight();
    void stopWaitsForWhatIsInFlight();
    void stopEndsWithTheDeadlines();
    void takesNothingWhileStopped();
    void startsAgain();
};

} // namespace outbox::contract
