// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/time.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

namespace outbox::cli {

/// Standard output. A reader that went away (`| head`) is no error: broken() tells, and nothing more is written.
class Output {
public:
    void line(const QString &text) { line(text.toUtf8()); }
    void line(const QByteArray &utf8);
    /// Out with it; called at the end.
    void flush();
    [[nodiscard]] bool broken() const { return broken_; }

private:
    bool broken_ = false;
};

/// Columns of text, each as wide as it must be; the last one is not padded.
class Table {
public:
    explicit Table(QStringList head) : rows_{std::move(head)} {}
    void add(QStringList row) { rows_ << std::move(row); }
    void print(Output &output) const;

private:
    QList<QStringList> rows_;
};

/// "2026-12-01T03:12:30.000250Z"
QString isoTime(Timestamp moment);
/// "2026-12-01 03:12:30.000Z": for tables.
QString shortTime(Timestamp moment);
/// "450 ms", "12.3 s", "5 min 3 s", "2 h 10 min", "3 d 4 h"
QString durationText(milliseconds span);
/// Control characters made visible, on one line: what comes from outside cannot steer the terminal.
QString oneLine(const QString &text);

} // namespace outbox::cli
