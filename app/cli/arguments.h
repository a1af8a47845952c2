// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace outbox::cli {

/// One option or positional argument that was declared; a handle, cheap to copy.
class Argument {
public:
    explicit Argument(CLI::Option *option) : option_(option) {}

    Argument required();
    /// What --help calls its value.
    Argument typeName(const std::string &name);
    Argument range(int least, int most);
    Argument oneOf(std::initializer_list<std::string> values);
    /// Several values in one word.
    Argument separatedBy(char delimiter);

private:
    CLI::Option *option_;
};

/// What a command takes. Declares to the parser library without showing its headers, which take seconds to compile, to
/// every command. A handle on what the program owns; the variables given must live until the command ran.
class Arguments {
public:
    Arguments() = default;
    explicit Arguments(CLI::App *app) : app_(app) {}

    Arguments command(const std::string &name, const std::string &description);
    /// One of its commands has to follow.
    void requireCommand();
    void footer(const std::string &text);

    Argument option(const std::string &name, std::string &value, const std::string &help);
    Argument option(const std::string &name, int &value, const std::string &help);
    Argument option(const std::string &name, std::vector<std::string> &values, const std::string &help);
    void flag(const std::string &name, bool &value, const std::string &help);

    /// True after parsing when this is the command that was given.
    [[nodiscard]] bool given() const;

private:
    CLI::App *app_ = nullptr;
};

} // namespace outbox::cli
