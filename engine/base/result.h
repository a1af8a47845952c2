// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <utility>
#include <variant>

namespace outbox {

/// What a call gives back that has nothing to say but "done".
struct Done {
    friend bool operator==(const Done &, const Done &) = default;
};

/// Either the value asked for or the error that says whose fault it was. T and E must differ.
/// Errors are values at every boundary (store, destination, configuration); exceptions stay for
/// programming errors.
template <typename T, typename E>
class [[nodiscard]] Result {
public:
    using Value = T;
    using Error = E;

    Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Result(E error) : content_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool ok() const { return content_.index() == 0; }
    explicit operator bool() const { return ok(); }

    /// Precondition: ok().
    [[nodiscard]] const T &value() const &
    {
        assert(ok());
        return *std::get_if<0>(&content_);
    }
    [[nodiscard]] T &value() &
    {
        assert(ok());
        return *std::get_if<0>(&content_);
    }
    [[nodiscard]] T &&value() &&
    {
        assert(ok());
        return std::move(*std::get_if<0>(&content_));
    }
    [[nodiscard]] const T *operator->() const { return &value(); }
    [[nodiscard]] const T &operator*() const & { return value(); }

    /// Precondition: not ok().
    [[nodiscard]] const E &error() const &
    {
        assert(!ok());
        return *std::get_if<1>(&content_);
    }
    [[nodiscard]] E &&error() &&
    {
        assert(!ok());
        return std::move(*std::get_if<1>(&content_));
    }

private:
    std::variant<T, E> content_;
};

/// Builds one visitor out of lambdas, so that a forgotten alternative does not compile.
template <typename... F>
struct overload : F... {
    using F::operator()...;
};
template <typename... F>
overload(F...) -> overload<F...>;

} // namespace outbox
