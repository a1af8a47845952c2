// SPDX-License-Identifier: Apache-2.0
#include "domain/failure.h"
#include "domain/message.h"
#include "domain/state.h"

#include <QSet>
#include <QTest>

using namespace outbox;

/// The names that the store keeps lead back to what they name, and no other name leads anywhere.
class NamesTest : public QObject {
    Q_OBJECT

    const QList<FailureCause> causes_{
        FailureCause::rejected, FailureCause::undeliverable, FailureCause::timeout,       FailureCause::unreachable,
        FailureCause::busy,     FailureCause::target_error,  FailureCause::lease_expired, FailureCause::no_reader};

private Q_SLOTS:
    void everyCauseHasANameOfItsOwn() // S13
    {
        QSet<QByteArray> names;
        for (const auto cause : causes_) {
            const auto name = causeName(cause);
            QVERIFY(causeFromName(name) == cause);
            names << QByteArray(name.data(), static_cast<qsizetype>(name.size()));
        }
        QCOMPARE(names.size(), causes_.size());
        QVERIFY(names.contains("lease-expired"));
    }

    void everyStateHasANameOfItsOwn() // S21
    {
        for (const auto kind :
             {StateKind::pending, StateKind::processing, StateKind::dispatched, StateKind::dead_letter})
            QVERIFY(stateFromName(stateName(kind)) == kind);
        QVERIFY(kindOf(OutboxState(Pending{})) == StateKind::pending);
        QVERIFY(kindOf(OutboxState(Processing{})) == StateKind::processing);
        QVERIFY(kindOf(OutboxState(Dispatched{})) == StateKind::dispatched);
        QVERIFY(kindOf(OutboxState(DeadLetter{})) == StateKind::dead_letter);
    }

    void everyKindHasANameOfItsOwn() // S5
    {
        const QString record = QStringLiteral("event-7");
        for (const MessageKind &kind : {MessageKind(IntegrationEvent{record}), MessageKind(JourneyStepCommand{}),
                                        MessageKind(ProviderSideEffect{})})
            QVERIFY(kindFromName(kindName(kind), record) == kind);
        QCOMPARE(std::get<IntegrationEvent>(*kindFromName("integration_event", record)).eventRecord, record);
    }

    void otherNamesLeadNowhere()
    {
        for (const char *name : {"", "Pending", "pending ", "lease_expired", "event"}) {
            QVERIFY(!causeFromName(name));
            QVERIFY(!stateFromName(name));
            QVERIFY(!kindFromName(name, {}));
        }
    }
};

QTEST_APPLESS_MAIN(NamesTest)

#include "names_test.moc"
