// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/message.h"

#include <QByteArray>
#include <QString>

#include <string_view>
#include <vector>

namespace outbox::destination {

/// One CloudEvents context attribute. The name is lower-case letters and digits only.
struct EventAttribute {
    QByteArray name;
    QByteArray value; ///< UTF-8
};

/// The payload's media type, CloudEvents' `datacontenttype`.
inline constexpr std::string_view eventContentType = "application/json";

/// The message as the context attributes of CloudEvents 1.0, in this order: `specversion` (1.0), `id`
/// (S10: the same for every delivery of the record), `source`, `type`, `time` (RFC 3339, UTC,
/// microseconds), then the extensions `schemaversion`, `messagekind`, `eventrecord` (integration
/// events only), `tenantid` (where there is a tenant), then the message's own headers.
///
/// A header becomes an extension attribute: its name in lower case without everything that is no
/// letter or digit ("X-Trace-Id" travels as `xtraceid`). A name that is taken then, or empty, gets
/// "header" in front and, if it must be, a number behind: no header is lost, none replaces an
/// attribute of ours. `datacontenttype` is not in the list: each transport has a place of its own for it.
std::vector<EventAttribute> eventAttributes(const Message &message, const QByteArray &source);

/// The same as the headers of HTTP and of everything whose headers are like HTTP's: names with "ce-" in
/// front, values percent-encoded.
std::vector<EventAttribute> eventHeaders(const Message &message, const QByteArray &source);

/// The W3C trace context that was staged with the message: its headers `traceparent` and, beside that,
/// `tracestate`, under these very names. Transports send it besides the attributes, so that whatever
/// traces there finds it. One that is not of the form the W3C gives is left out, as its specification
/// wants it.
std::vector<EventAttribute> traceContext(const Message &message);

/// A value as an HTTP header may carry it: spaces, double quotes, percent signs and everything outside
/// printable ASCII percent-encoded (CloudEvents HTTP binding, section 3.1.3.2).
QByteArray percentEncoded(const QByteArray &utf8);

/// RFC 3339 in UTC with microseconds: "2026-03-01T08:15:30.000250Z".
QByteArray rfc3339(Timestamp at);

} // namespace outbox::destination
