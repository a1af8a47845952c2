// SPDX-License-Identifier: Apache-2.0
#include "base/backoff.h"

#include <QHash>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>

using namespace outbox;

namespace {

Random seededBy(const char *test) { return Random(qHash(QLatin1String(test), 1)); }

/// Backoffs of every size that a setting may ask for, drawn evenly on a logarithmic scale.
Backoff drawn(Random &random)
{
    const auto upTo = [&](double most) { return milliseconds{1 + static_cast<int>(std::pow(most, random.unit()))}; };
    return {upTo(100000), upTo(100000000)};
}

} // namespace

/// Bounded exponential backoff with full jitter, over thousands of drawn settings.
class BackoffTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void doublesFromTheBase() // S12
    {
        const Backoff backoff{milliseconds{100}, milliseconds{100000}};
        QCOMPARE(backoff.ceiling(1), milliseconds{100});
        QCOMPARE(backoff.ceiling(2), milliseconds{200});
        QCOMPARE(backoff.ceiling(3), milliseconds{400});
        QCOMPARE(backoff.ceiling(11), milliseconds{100000});
    }

    void staysBetweenOneMillisecondAndTheCap() // S12
    {
        auto random = seededBy("staysBetweenOneMillisecondAndTheCap");
        for (int i = 0; i < 20000; ++i) {
            const Backoff backoff = drawn(random);
            const int failures = 1 + static_cast<int>(random.unit() * 80);
            const auto ceiling = backoff.ceiling(failures);
            const auto wait = backoff.wait(failures, random);
            QVERIFY(ceiling >= milliseconds{1});
            QVERIFY(ceiling <= std::max(backoff.cap, milliseconds{1}));
            QVERIFY(wait >= milliseconds{1});
            QVERIFY(wait <= ceiling);
        }
    }

    void neverShrinksWithMoreFailures() // S12
    {
        auto random = seededBy("neverShrinksWithMoreFailures");
        for (int i = 0; i < 2000; ++i) {
            const Backoff backoff = drawn(random);
            for (int failures = 1; failures < 70; ++failures)
                QVERIFY(backoff.ceiling(failures) <= backoff.ceiling(failures + 1));
        }
    }

    void saturatesInsteadOfOverflowing() // S12
    {
        const Backoff backoff{milliseconds::max() / 3, milliseconds::max()};
        QCOMPARE(backoff.ceiling(1000000), milliseconds::max());
        const Backoff usual;
        QCOMPARE(usual.ceiling(1000000), usual.cap);
    }

    void spreadsACrowdOverTheWholeSpan() // S12
    {
        auto random = seededBy("spreadsACrowdOverTheWholeSpan");
        const Backoff backoff{milliseconds{1000}, milliseconds{1000}};
        std::array<int, 10> tenths{};
        for (int i = 0; i < 10000; ++i) {
            const auto wait = backoff.wait(1, random).count();
            ++tenths.at(static_cast<std::size_t>(std::min<long>(9, (wait - 1) / 100)));
        }
        for (const int count : tenths)
            QVERIFY2(count > 850 && count < 1150, qPrintable(QString::number(count)));
    }
};

QTEST_APPLESS_MAIN(BackoffTest)

#include "backoff_test.moc"
