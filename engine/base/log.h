// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace outbox::log {

enum class Level { debug, info, warning, error };

/// One key=value of an event. Texts with spaces or quotes are quoted. Never put a payload here.
struct Field {
    std::string key;
    std::string value;

    Field(std::string_view k, std::string_view v) : key(k), value(v) {}
    Field(std::string_view k, const char *v) : key(k), value(v) {}
    Field(std::string_view k, const QString &v) : key(k), value(v.toStdString()) {}
    Field(std::string_view k, bool v) : key(k), value(v ? "true" : "false") {}
    template <typename N>
    requires std::is_arithmetic_v<N> Field(std::string_view k, N v) : key(k), value(std::to_string(v)) {}
};

/// Writes one structured line for one event: time, level, event name, fields. Any thread.
void write(Level level, std::string_view event, std::initializer_list<Field> fields = {});
inline void debug(std::string_view event, std::initializer_list<Field> fields = {})
{
    write(Level::debug, event, fields);
}
inline void info(std::string_view event, std::initializer_list<Field> fields = {})
{
    write(Level::info, event, fields);
}
inline void warning(std::string_view event, std::initializer_list<Field> fields = {})
{
    write(Level::warning, event, fields);
}
inline void error(std::string_view event, std::initializer_list<Field> fields = {})
{
    write(Level::error, event, fields);
}

/// Sends the lines to standard error in addition to the listeners (the default), from `least` upwards.
void toStandardError(Level least);
/// No line goes to standard error any more; listeners still get them.
void quiet();

/// One finished line, for a window's status bar or a test.
struct Line {
    Level level = Level::info;
    QString event;
    QString text; ///< "event key=value ..." without time and level
    std::int64_t unixMilliseconds = 0;
};

/// Emits every line, from the thread that wrote it: connect with a context object, which queues it.
class Listener : public QObject {
    Q_OBJECT
public:
    explicit Listener(QObject *parent = nullptr);
    ~Listener() override;
Q_SIGNALS:
    void written(const outbox::log::Line &line);
};

} // namespace outbox::log

Q_DECLARE_METATYPE(outbox::log::Line)
