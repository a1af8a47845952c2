// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/console_port.h"

#include <QElapsedTimer>

#include <cstdint>
#include <functional>
#include <memory>

namespace outbox::ui {

/// A question that is asked again and again. Each asking has a number, and only the answer to the newest one
/// counts: a late answer to an earlier one, or one that comes when the question is gone, is dropped. GUI thread.
template <typename T>
class Question {
public:
    using Ask = std::function<void(api::Reply<T>)>;
    using Then = std::function<void(api::Answer<T>)>;

    void ask(QObject *receiver, const Ask &ask, Then then)
    {
        const std::uint64_t number = ++memory_->asked;
        memory_->since.start();
        ask({receiver, [memory = std::weak_ptr<Memory>(memory_), number, then = std::move(then)](api::Answer<T> answer,
                                                                                                 milliseconds cost) {
                 const auto asker = memory.lock();
                 if (!asker || asker->asked != number)
                     return;
                 asker->answered = number;
                 asker->since.start();
                 asker->cost = cost;
                 then(std::move(answer));
             }});
    }

    /// The running one, if any, will be dropped.
    void forget() { memory_->answered = ++memory_->asked; }
    /// Time to ask again: none is under way, and nine times what the last answer cost the store has passed since. So
    /// one question keeps the store busy a tenth of the time at most, however much it has to count.
    [[nodiscard]] bool isDue() const
    {
        return !isWaiting() && (!memory_->since.isValid() || memory_->since.elapsed() >= 9 * memory_->cost.count());
    }
    /// True between asking and its answer. After `patience` it counts as lost.
    [[nodiscard]] bool isWaiting(milliseconds patience = seconds{30}) const
    {
        return memory_->answered != memory_->asked && memory_->since.elapsed() < patience.count();
    }

private:
    struct Memory {
        std::uint64_t asked = 0;
        std::uint64_t answered = 0;
        QElapsedTimer since; ///< asked; once answered, since the answer
        milliseconds cost{0};
    };
    std::shared_ptr<Memory> memory_ = std::make_shared<Memory>();
};

} // namespace outbox::ui
