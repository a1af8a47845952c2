// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/snapshots.h"

#include <QList>
#include <QString>

namespace outbox::ui {

/// One thing on a record's timeline: a bar while it was in a state, or a mark at a moment. (D3)
struct TimelineItem {
    enum class Kind {
        span,     ///< was, or is, in `state` from `from` to `to`
        expected, ///< will be, at the latest until `to`: due time or lease expiry
        failure,  ///< an attempt failed at `to`
        accepted, ///< the destination accepted it at `to`
        replay,   ///< put back by hand at `to`
    };
    Kind kind = Kind::span;
    StateKind state = StateKind::pending;
    Timestamp from;
    Timestamp to;
    QString words; ///< the whole item in words: for hover, keyboard and screen reader
    QString note;  ///< what is written beside the mark; may be empty
};

/// What is known of the record's way so far, in the order it happened.
QList<TimelineItem> timelineOf(const api::RecordDetail &record);

} // namespace outbox::ui
