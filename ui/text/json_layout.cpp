// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/json_layout.h"

namespace outbox::ui::text {

namespace {

bool isSpace(QChar c) { return c == u' ' || c == u'\t' || c == u'\n' || c == u'\r'; }

void newLine(QString &out, int depth)
{
    out += u'\n';
    // A payload nested a thousand deep must not become a megabyte of spaces.
    out += QString(2 * std::min(depth, 32), u' ');
}

/// The end of the string that begins at `from`, one past its closing quote.
qsizetype stringEnd(const QString &in, qsizetype from)
{
    qsizetype at = from + 1;
    while (at < in.size() && in[at] != u'"')
        at += in[at] == u'\\' ? 2 : 1;
    return std::min(at + 1, in.size());
}

qsizetype skipSpace(const QString &in, qsizetype at)
{
    while (at < in.size() && isSpace(in[at]))
        ++at;
    return at;
}

} // namespace

JsonLayout layOutJson(const QByteArray &payload, qsizetype limit)
{
    JsonLayout layout;
    layout.cut = payload.size() > limit;
    const QString in = QString::fromUtf8(layout.cut ? payload.left(limit) : payload);
    QString out;
    out.reserve(in.size() * 2);
    int depth = 0;
    for (qsizetype at = skipSpace(in, 0); at < in.size(); at = skipSpace(in, at)) {
        const QChar c = in[at];
        if (c == u'"') {
            const qsizetype end = stringEnd(in, at);
            out += QStringView(in).mid(at, end - at);
            at = end;
            continue;
        }
        ++at;
        if (c == u'{' || c == u'[') {
            const qsizetype next = skipSpace(in, at);
            const QChar closing = c == u'{' ? u'}' : u']';
            out += c;
            if (next < in.size() && in[next] == closing) {
                out += closing;
                at = next + 1;
            } else {
                newLine(out, ++depth);
            }
        } else if (c == u'}' || c == u']') {
            depth = std::max(0, depth - 1);
            newLine(out, depth);
            out += c;
        } else if (c == u',') {
            out += c;
            newLine(out, depth);
        } else if (c == u':') {
            out += QStringLiteral(": ");
        } else {
            out += c;
        }
    }
    layout.text = out;
    return layout;
}

} // namespace outbox::ui::text
