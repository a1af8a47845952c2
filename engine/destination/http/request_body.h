// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QIODevice>

namespace outbox::destination {

/// A payload on its way out that can be read once. Qt quietly repeats a request up to three times when
/// the server closes a kept-alive connection before it answers, a POST too: a message could be
/// delivered several times in one attempt. A body that cannot be rewound makes Qt end the request with
/// ContentReSendError instead.
class RequestBody final : public QIODevice {
    Q_OBJECT
public:
    explicit RequestBody(QByteArray payload, QObject *parent = nullptr);

    [[nodiscard]] bool isSequential() const override { return true; }
    [[nodiscard]] qint64 bytesAvailable() const override;
    [[nodiscard]] bool atEnd() const override { return sent_ >= payload_.size(); }
    /// False once anything has gone out.
    bool reset() override { return sent_ == 0; }

protected:
    qint64 readData(char *data, qint64 size) override;
    qint64 writeData(const char *, qint64) override { return -1; }

private:
    QByteArray payload_;
    qsizetype sent_ = 0;
};

} // namespace outbox::destination
