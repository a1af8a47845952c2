// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <QDateTime>
#include <QMetaType>

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <mutex>

namespace outbox::log {

namespace {

struct Listeners {
    std::mutex mutex;
    std::vector<Listener *> all;
};

Listeners &listeners()
{
    static Listeners instance;
    return instance;
}

spdlog::level::level_enum spdlogLevel(Level level)
{
    switch (level) {
    case Level::debug: return spdlog::level::debug;
    case Level::info: return spdlog::level::info;
    case Level::warning: return spdlog::level::warn;
    case Level::error: return spdlog::level::err;
    }
    return spdlog::level::info;
}

spdlog::logger &logger()
{
    static const auto instance = [] {
        auto made = std::make_shared<spdlog::logger>("outbox", std::make_shared<spdlog::sinks::stderr_sink_mt>());
        made->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ level=%l %v", spdlog::pattern_time_type::utc);
        made->set_level(spdlog::level::info);
        made->flush_on(spdlog::level::info);
        return made;
    }();
    return *instance;
}

bool isPlain(char c)
{
    const auto u = static_cast<unsigned char>(c);
    return u > 0x20 && c != '"' && c != '\\' && c != '=' && u != 0x7f;
}

void appendValue(std::string &line, const std::string &value)
{
    if (!value.empty() && std::all_of(value.begin(), value.end(), isPlain)) {
        line += value;
        return;
    }
    line += '"';
    for (const char c : value) {
        if (c == '"' || c == '\\')
            line += '\\';
        if (c == '\n')
            line += "\\n";
        else if (static_cast<unsigned char>(c) >= 0x20)
            line += c;
    }
    line += '"';
}

} // namespace

void write(Level level, std::string_view event, std::initializer_list<Field> fields)
{
    std::string line(event);
    for (const auto &field : fields) {
        line += ' ';
        line += field.key;
        line += '=';
        appendValue(line, field.value);
    }
    logger().log(spdlogLevel(level), spdlog::string_view_t(line));

    auto &all = listeners();
    const std::lock_guard guard(all.mutex);
    if (all.all.empty())
        return;
    const Line made{level, QString::fromUtf8(event.data(), static_cast<qsizetype>(event.size())),
                    QString::fromStdString(line), QDateTime::currentMSecsSinceEpoch()};
    for (auto *listener : all.all)
        Q_EMIT listener->written(made);
}

void toStandardError(Level least) { logger().set_level(spdlogLevel(least)); }

void quiet() { logger().set_level(spdlog::level::off); }

Listener::Listener(QObject *parent) : QObject(parent)
{
    qRegisterMetaType<Line>();
    const std::lock_guard guard(listeners().mutex);
    listeners().all.push_back(this);
}

Listener::~Listener()
{
    const std::lock_guard guard(listeners().mutex);
    std::erase(listeners().all, this);
}

} // namespace outbox::log
