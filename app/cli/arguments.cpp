// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/arguments.h"

#include <CLI/CLI.hpp>

namespace outbox::cli {

Argument Argument::required()
{
    option_->required();
    return *this;
}

Argument Argument::typeName(const std::string &name)
{
    option_->type_name(name);
    return *this;
}

Argument Argument::range(int least, int most)
{
    option_->check(CLI::Range(least, most));
    return *this;
}

Argument Argument::oneOf(std::initializer_list<std::string> values)
{
    option_->check(CLI::IsMember(std::vector<std::string>(values)));
    return *this;
}

Argument Argument::separatedBy(char delimiter)
{
    option_->delimiter(delimiter);
    return *this;
}

Arguments Arguments::command(const std::string &name, const std::string &description)
{
    return Arguments(app_->add_subcommand(name, description));
}

void Arguments::requireCommand() { app_->require_subcommand(1); }

void Arguments::footer(const std::string &text) { app_->footer(text); }

Argument Arguments::option(const std::string &name, std::string &value, const std::string &help)
{
    return Argument(app_->add_option(name, value, help));
}

Argument Arguments::option(const std::string &name, int &value, const std::string &help)
{
    return Argument(app_->add_option(name, value, help));
}

Argument Arguments::option(const std::string &name, std::vector<std::string> &values, const std::string &help)
{
    return Argument(app_->add_option(name, values, help));
}

void Arguments::flag(const std::string &name, bool &value, const std::string &help)
{
    app_->add_flag(name, value, help);
}

bool Arguments::given() const { return app_->parsed(); }

} // namespace outbox::cli
