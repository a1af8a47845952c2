// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "delivery/destination.h"

#include <memory>
#include <vector>

namespace outbox::contract {

/// What arrived at the other side.
struct Received {
    QString id;
    QString type;
    QByteArray payload;
};

/// How the other side treats what comes.
enum class Mood {
    accept,
    reject,      ///< permanently
    busy,        ///< not now
    unreachable, ///< nobody is there
    hold,        ///< takes it and does not answer
};

/// The other side of one transport, under the suite's control: all that a new destination has to bring.
class Target {
public:
    Target() = default;
    Target(const Target &) = delete;
    Target &operator=(const Target &) = delete;
    virtual ~Target() = default;

    /// A destination that delivers here.
    virtual std::unique_ptr<delivery::Destination> make(delivery::OutcomeSink &sink) = 0;
    /// The destination made last has what it needs to deliver, such as a connection.
    virtual bool isReady() { return true; }
    /// It keeps one of several deliveries of the same message.
    [[nodiscard]] virtual bool dropsRepeats() const { return false; }
    virtual void become(Mood mood) = 0;
    /// How many it holds unanswered.
    virtual int held() = 0;
    /// How many of `given` messages it certainly comes to hold while it answers none.
    [[nodiscard]] virtual int certainlyHeld(int given) const { return given; }
    /// Accepts what it holds, and everything from now on.
    virtual void letGo() = 0;
    /// Every connection breaks, with what is in flight on it; new ones are accepted and served.
    virtual void cut() = 0;
    /// What it has accepted since the last call, in any order.
    virtual std::vector<Received> take() = 0;
};

} // namespace outbox::contract
