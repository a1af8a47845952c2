// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include "series.h"

#include <QJsonDocument>

namespace outbox::bench {

using namespace Qt::StringLiterals;

namespace {

QJsonValue orNull(const std::optional<double> &value)
{
    return value ? QJsonValue(rounded(*value, 3)) : QJsonValue(QJsonValue::Null);
}

QString figureText(const QJsonValue &value)
{
    if (value.isArray()) {
        return QString::fromUtf8(QJsonDocument(value.toArray()).toJson(QJsonDocument::Compact));
    }
    return value.isDouble() ? QString::number(value.toDouble(), 'g', 7) : value.toVariant().toString();
}

} // namespace

bool isKept(const Comparison &comparison)
{
    const bool reached = !comparison.wanted || (comparison.ratio && *comparison.ratio >= *comparison.wanted);
    return reached && comparison.missed.empty();
}

QByteArray asJson(const Comparison &comparison)
{
    QJsonObject line{
        {u"bench"_s, comparison.bench},
        {u"against"_s, comparison.against.isEmpty() ? QJsonValue(QJsonValue::Null) : comparison.against},
        {u"ratio"_s, orNull(comparison.ratio)},
        {u"wanted"_s, orNull(comparison.wanted)},
        {u"kept"_s, isKept(comparison)},
        {u"figures"_s, comparison.figures},
    };
    return QJsonDocument(line).toJson(QJsonDocument::Compact);
}

QString asText(const Comparison &comparison)
{
    const auto ratio = comparison.ratio ? QString::number(*comparison.ratio, 'f', 2) : u"-"_s;
    const auto wanted = comparison.wanted ? u"wanted %1"_s.arg(*comparison.wanted, 0, 'f', 2) : QString();
    auto text = u"%1  %2  %3  %4  %5\n"_s.arg(comparison.bench.leftJustified(8), comparison.against.leftJustified(16),
                                              ratio.rightJustified(6), wanted.leftJustified(12),
                                              isKept(comparison) ? u"kept"_s : u"MISSED"_s);
    for (auto it = comparison.figures.begin(); it != comparison.figures.end(); ++it) {
        text += u"    %1  %2\n"_s.arg(it.key().leftJustified(36), figureText(it.value()));
    }
    for (const auto &sentence : comparison.missed) {
        text += u"    missed: %1\n"_s.arg(sentence);
    }
    return text;
}

} // namespace outbox::bench
