// SPDX-License-Identifier: Apache-2.0
#include "operations/doctor.h"
#include "operations/specifications.h"
#include "scene.h"

#include <QSqlError>
#include <QSqlQuery>
#include <QTest>

using namespace outbox;
using namespace outbox::test;
using namespace std::chrono_literals;

namespace {

Specification specification(const QString &id, const QString &type, int version = 1)
{
    Specification one;
    one.id = SpecificationId(id);
    one.version = SpecificationVersion(version);
    one.messages = {{MessageType(type), SchemaVersion(1)}};
    one.kind = ProviderSideEffect{};
    one.destination = DestinationName(QStringLiteral("payments"));
    one.boundary = QStringLiteral("the provider has answered 2xx");
    one.retry.backoff = {1500ms, 1h};
    one.retry.limit.attempts = 12;
    one.retry.horizon = 36h;
    one.recoveryOwner = QStringLiteral("team payments");
    one.recordOwner = QStringLiteral("team orders");
    one.target = {1min, Share(0.999), 600};
    one.limits = deriveLimits(one.target, {});
    one.status = Active{};
    return one;
}

const QString stageCheck =
    QStringLiteral("select outbox.stage('provider_side_effect', ?::text, ?::integer, '{}'::text)");

} // namespace

/// Delivery specifications in the store: what applying does, what it refuses, and who may.
class SpecificationTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        store_ = std::make_unique<TestStore>();
        operator_ = open(Login::operator_);
    }
    void cleanup()
    {
        operator_.reset();
        store_.reset();
    }

    void appliesAndAudits() // S1
    {
        const auto first = applied({specification(QStringLiteral("charge"), QStringLiteral("payments.charge"))});
        QCOMPARE(first, QStringLiteral("charge 1 inserted"));
        QCOMPARE(applied({specification(QStringLiteral("charge"), QStringLiteral("payments.charge"))}),
                 QStringLiteral("charge 1 unchanged"));
        QCOMPARE(applied({specification(QStringLiteral("charge"), QStringLiteral("payments.pay"), 2),
                          specification(QStringLiteral("refund"), QStringLiteral("payments.charge"))}),
                 QStringLiteral("charge 2 updated, refund 1 inserted")); // a message changes hands in one go
        auto retired = specification(QStringLiteral("charge"), QStringLiteral("payments.pay"), 3);
        retired.status = Retired{};
        QCOMPARE(applied({retired}), QStringLiteral("charge 3 retired"));
        QCOMPARE(
            store_
                ->value(QStringLiteral("select string_agg(format('%s %s %s', specification, version, action), ', ' "
                                       "order by at, specification) from outbox.specification_audit where actor "
                                       "= 'test_operator' and at > now() - interval '1 hour'"))
                .toString(),
            QStringLiteral("charge 1 inserted, charge 2 updated, refund 1 inserted, charge 3 retired"));
        QCOMPARE(store_
                     ->value(QStringLiteral("select detail ->> 'boundary' from outbox.specification_audit where "
                                            "version = 2"))
                     .toString(),
                 QStringLiteral("the provider has answered 2xx"));
        QCOMPARE(TestStore::sqlState(store_->database(), QStringLiteral("delete from outbox.specification_audit")),
                 QStringLiteral("OB020"));
    }

    void appliesAllOrNone() // S1
    {
        QCOMPARE(applied({specification(QStringLiteral("good"), QStringLiteral("a")),
                          specification(QStringLiteral("twice"), QStringLiteral("a"))}),
                 QStringLiteral("OB053"));
        QCOMPARE(count("outbox.specification"), 0);
        QCOMPARE(count("outbox.specification_audit"), 0);
        QCOMPARE(count("outbox.route"), 0);
        QCOMPARE(rule(), QStringLiteral("accept"));
    }

    void aVersionNamesOneTextForEver() // S1
    {
        auto one = specification(QStringLiteral("charge"), QStringLiteral("a"), 3);
        QCOMPARE(applied({one}), QStringLiteral("charge 3 inserted"));
        one.boundary = QStringLiteral("another");
        QCOMPARE(applied({one}), QStringLiteral("OB051"));
        one.version = SpecificationVersion(2);
        QCOMPARE(applied({one}), QStringLiteral("OB051"));
        one.version = SpecificationVersion(4);
        QCOMPARE(applied({one}), QStringLiteral("charge 4 updated"));
    }

    void theStoreItselfRefusesWhatIsMissing_data()
    {
        QTest::addColumn<QString>("change");
        QTest::addColumn<QString>("state");
        const auto row = [](const char *change, const char *state) {
            QTest::newRow(change) << QString::fromLatin1(change) << QString::fromLatin1(state);
        };
        for (const auto *member : {"- 'id'", "- 'boundary'", "- 'duplicates'", "- 'recovery_owner'", "- 'record_owner'",
                                   "- 'guarantee'", "- 'status'", "- 'destination'", "- 'messages'", "- 'retry'",
                                   "- 'limits'", "- 'retention_ms'", "#- '{retry,horizon_ms}'"})
            row(member, "OB050");
        row("|| '{\"status\": \"draft\"}'", "OB050");
        row("|| '{\"status\": \"draft\", \"decider\": \"Ann\"}'", "OB050");
        row("|| '{\"status\": \"draft\", \"decider\": \"Ann\", \"decide_by\": \"soon\"}'", "OB050");
        row("|| '{\"status\": \"draft\", \"decider\": \"Ann\", \"decide_by\": \"2027-01-31\"}'", "");
        row("|| '{\"status\": \"maybe\"}'", "OB050");
        row("|| '{\"kind\": \"fax\"}'", "OB050");
        row("|| '{\"version\": 0}'", "OB051");
        row("|| '{\"version\": 2.5}'", "OB050");
        row("|| '{\"version\": 3000000000}'", "OB050");
        row("|| '{\"version\": \"x\"}'", "OB050");
        row("|| '{\"boundary\": \"  \"}'", "OB050");
        row("|| '{\"ordering\": \"per_key\"}'", "OB050");
        row("|| '{\"messages\": [{\"type\": \"a.*\", \"version\": 1}]}'", "OB050");
        row("|| '{\"messages\": [{\"type\": \"a\", \"version\": \"x\"}]}'", "OB050");
        row("|| '{\"messages\": [7]}'", "OB050");
        row("|| '{\"messages\": []}'", "OB050");
        row("|| '{\"guarantee\": \"best_effort\"}'", "OB050");
        row("|| '{\"guarantee\": \"best_effort\", \"repeatable_by_hand\": true}'", "OB052");
        row("|| '{\"guarantee\": \"best_effort\", \"repeatable_by_hand\": false}'", "");
    }

    void theStoreItselfRefusesWhatIsMissing() // S1 S2
    {
        QFETCH(const QString, change);
        QFETCH(const QString, state);
        QCOMPARE(applied({specification(QStringLiteral("charge"), QStringLiteral("a"))}),
                 QStringLiteral("charge 1 inserted"));
        QCOMPARE(TestStore::sqlState(store_->connect(Login::operator_),
                                     QStringLiteral("select outbox.apply_specifications(jsonb_build_array((select "
                                                    "(document || '{\"version\": 2}') %1 from outbox.specification)))")
                                         .arg(change)),
                 state);
        QCOMPARE(count("outbox.specification_audit"), state.isEmpty() ? 2 : 1);
    }

    void anActiveOneRoutesItsMessages()
    {
        Scene scene(*store_);
        scene.stage(QStringLiteral("a"));
        auto one = specification(QStringLiteral("charge"), QStringLiteral("a"));
        auto draft = specification(QStringLiteral("later"), QStringLiteral("b"));
        draft.status = Draft{QStringLiteral("Ann"), QDate(2099, 1, 1)};
        QCOMPARE(applied({one, draft}), QStringLiteral("charge 1 inserted, later 1 inserted"));
        QCOMPARE(
            store_->value(QStringLiteral("select string_agg(pattern || '>' || destination, ' ') from outbox.route"))
                .toString(),
            QStringLiteral("a>payments"));
        QCOMPARE(scene.claim().ids.size(), 1); // what waited without a route has one now
    }

    void stagingWantsAnActiveSpecification() // S2
    {
        const auto state = [this](const QString &type, int version) {
            return TestStore::sqlState(store_->database(), stageCheck, {type, version});
        };
        QCOMPARE(state(QStringLiteral("a"), 1), QString()); // before the first specification
        auto draft = specification(QStringLiteral("later"), QStringLiteral("b"));
        draft.status = Draft{QStringLiteral("Ann"), QDate(2099, 1, 1)};
        auto one = specification(QStringLiteral("charge"), QStringLiteral("a"));
        applied({one, draft});
        QCOMPARE(state(QStringLiteral("a"), 1), QString());
        QCOMPARE(state(QStringLiteral("a"), 2), QStringLiteral("OB009"));
        QCOMPARE(state(QStringLiteral("b"), 1), QStringLiteral("OB009"));
        QCOMPARE(state(QStringLiteral("c"), 1), QStringLiteral("OB009"));
        one.version = SpecificationVersion(2);
        one.status = Retired{};
        applied({one});
        QCOMPARE(state(QStringLiteral("a"), 1), QStringLiteral("OB009"));
        QSqlQuery query(store_->database());
        QVERIFY(!query.exec(QStringLiteral("select outbox.check_specified('c', 7)")));
        QVERIFY2(query.lastError().databaseText().contains(QStringLiteral("c version 7 has no active specification")) &&
                     query.lastError().databaseText().contains(QStringLiteral("outbox spec apply")),
                 qPrintable(query.lastError().databaseText()));
        QVERIFY(operations::setUnspecifiedTypes(*operator_, api::UnspecifiedTypes::accept).ok());
        QCOMPARE(state(QStringLiteral("c"), 1), QString());
    }

    void aLaneMadeWhileTheRuleChangedObeysIt() // S2
    {
        auto writer = store_->connect(Login::writer);
        QVERIFY(writer.transaction());
        QCOMPARE(TestStore::sqlState(writer, stageCheck, {QStringLiteral("early"), 1}), QString());
        applied({specification(QStringLiteral("charge"), QStringLiteral("a"))}); // sees no lane of that type
        QVERIFY(writer.commit());
        store_->run(QStringLiteral("select outbox.route_lanes()")); // a worker does so whenever it dozes off
        QCOMPARE(TestStore::sqlState(store_->database(), stageCheck, {QStringLiteral("early"), 1}),
                 QStringLiteral("OB009"));
    }

    void theStatedRuleStays() // S2
    {
        QVERIFY(operations::setUnspecifiedTypes(*operator_, api::UnspecifiedTypes::accept).ok());
        applied({specification(QStringLiteral("charge"), QStringLiteral("a"))});
        QCOMPARE(rule(), QStringLiteral("accept"));
        QVERIFY(operations::setUnspecifiedTypes(*operator_, api::UnspecifiedTypes::refuse).ok());
        QVERIFY(operations::setUnspecifiedTypes(*operator_, api::UnspecifiedTypes::refuse).ok());
        QCOMPARE(rule(), QStringLiteral("refuse"));
        QCOMPARE(
            store_
                ->value(QStringLiteral("select string_agg(actor || ' ' || (detail ->> 'unspecified'), ', ' order by "
                                       "at) from outbox.specification_audit where action = 'setting'"))
                .toString(),
            QStringLiteral("test_operator accept, test_operator refuse"));
        QCOMPARE(TestStore::sqlState(store_->connect(Login::operator_),
                                     QStringLiteral("select outbox.set_unspecified('x')")),
                 QStringLiteral("OB054"));
    }

    void checkingCostsOneProbeAtMost()
    {
        const auto probes = [this] {
            return store_
                ->value(QStringLiteral("select pg_stat_get_xact_numscans('outbox.specification_type_pkey'::regclass)"))
                .toInt();
        };
        auto session = store_->database();
        QVERIFY(session.transaction());
        store_->run(QStringLiteral("select outbox.check_specified('a', 1)"));
        QCOMPARE(probes(), 0);
        QVERIFY(session.rollback());
        applied({specification(QStringLiteral("charge"), QStringLiteral("a"))});
        QVERIFY(session.transaction());
        store_->run(QStringLiteral("select outbox.check_specified('a', 1)"));
        QCOMPARE(probes(), 1);
        QVERIFY(session.rollback());
    }

    void thePolicyOutlivesTheSpecification()
    {
        auto one = specification(QStringLiteral("charge"), QStringLiteral("a"));
        one.ordering = OrderedPerKey{DeadHead::free};
        applied({one});
        const auto policy = [this] {
            auto session = store_->connect(Login::worker);
            QSqlQuery query(session);
            if (!query.exec(QStringLiteral(
                    "select concat_ws(' ', type, version, specification, active, kind, destination, retry_base, "
                    "retry_cap, retry_attempts, retry_horizon, ordering, dead_head) from outbox.specification_policy")))
                return query.lastError().text();
            return query.next() ? query.value(0).toString() : QString();
        };
        QCOMPARE(policy(), QStringLiteral("a 1 charge t provider_side_effect payments 00:00:01.5 01:00:00 12 36:00:00 "
                                          "per_key free"));
        one.version = SpecificationVersion(2);
        one.status = Retired{};
        one.ordering = Unordered{};
        applied({one});
        QCOMPARE(policy(), QStringLiteral("a 1 charge f provider_side_effect payments 00:00:01.5 01:00:00 12 36:00:00 "
                                          "none"));
        applied({specification(QStringLiteral("other"), QStringLiteral("a"))});
        QVERIFY2(policy().startsWith(QStringLiteral("a 1 other t ")), qPrintable(policy()));
    }

    void limitsAreKept() // S20
    {
        auto one = specification(QStringLiteral("charge"), QStringLiteral("a"));
        one.limits = deriveLimits(one.target, {std::nullopt, 50, std::nullopt});
        applied({one});
        QCOMPARE(store_
                     ->value(QStringLiteral("select concat_ws(' ', pending_age_limit, pending_count_limit, "
                                            "failure_rate_limit, document #> '{limits,derived}') from "
                                            "outbox.specification"))
                     .toString(),
                 QStringLiteral("00:01:00 50 0.001 [\"pending_age\", \"failure_rate\"]"));
    }

    void listsWhatTheStoreHas() // S1
    {
        store_->stage(QStringLiteral("wild"));
        auto draft = specification(QStringLiteral("later"), QStringLiteral("b"));
        draft.status = Draft{QStringLiteral("Ann"), QDate(2020, 1, 1)};
        applied({specification(QStringLiteral("charge"), QStringLiteral("a")), draft});
        const auto viewer = open(Login::viewer);
        const auto list = operations::specifications(*viewer);
        QVERIFY(list.ok());
        QCOMPARE(list->specifications.size(), 2);
        const auto &charge = list->specifications[0];
        QCOMPARE(charge.id.value(), QStringLiteral("charge"));
        QCOMPARE(charge.status, QStringLiteral("active"));
        QCOMPARE(charge.appliedBy, QStringLiteral("test_operator"));
        QCOMPARE(charge.messages.size(), 1);
        QVERIFY(!charge.overdue && charge.document.contains("team payments"));
        QVERIFY(list->specifications[1].overdue);
        QCOMPARE(list->specifications[1].decideBy, QDate(2020, 1, 1));
        QVERIFY(list->rule == api::UnspecifiedTypes::refuse);
        QCOMPARE(list->unspecified.size(), 1);
        QCOMPARE(list->unspecified.constFirst().type.value(), QStringLiteral("wild"));
        QVERIFY(!operations::setUnspecifiedTypes(*viewer, api::UnspecifiedTypes::accept).ok());
        QVERIFY(!operations::applySpecifications(*viewer, {}).ok());
    }

    void theDoctorTellsOfDraftsAndTypes() // S1 S2
    {
        const auto found = [this] {
            const auto report = operations::doctor(*operator_, {QStringLiteral("1"), Timestamp()});
            QStringList texts;
            for (const auto &check : report->checks)
                if (check.name == QStringLiteral("specifications"))
                    texts << (check.level == api::DoctorCheck::Level::ok ? QStringLiteral("ok: ")
                                                                         : QStringLiteral("warning: ")) +
                                 check.text;
            return texts.join(QStringLiteral("; "));
        };
        store_->stage(QStringLiteral("a"));
        QVERIFY2(found().startsWith(QStringLiteral("ok: none is applied")), qPrintable(found()));
        auto draft = specification(QStringLiteral("later"), QStringLiteral("a"));
        draft.status = Draft{QStringLiteral("Ann"), QDate(2020, 1, 1)};
        applied({draft});
        QCOMPARE(found(), QStringLiteral("warning: drafts that nobody decided in time: later; warning: messages that "
                                         "were staged and have no active specification: a version 1"));
        applied({specification(QStringLiteral("later"), QStringLiteral("a"), 2)});
        QCOMPARE(found(), QStringLiteral("ok: every staged message has an active one"));
    }

private:
    std::unique_ptr<store::Connection> open(Login login)
    {
        auto opened = store::Connection::open(store_->address(login), {});
        if (!opened)
            qFatal("%s", qPrintable(store::describe(opened.error())));
        return std::move(opened).value();
    }

    /// "id version outcome, ..." or the SQLSTATE of the refusal.
    QString applied(const QList<Specification> &specifications)
    {
        const auto done = operations::applySpecifications(*operator_, specifications);
        if (!done) {
            const auto *refused = std::get_if<store::Refused>(&done.error());
            return refused != nullptr ? refused->sqlState : store::describe(done.error());
        }
        QStringList texts;
        for (const auto &each : *done)
            texts << QStringLiteral("%1 %2 %3").arg(each.id.value()).arg(each.version.value()).arg(each.outcome);
        return texts.join(QStringLiteral(", "));
    }

    int count(const char *table)
    {
        return store_->value(QStringLiteral("select count(*) from ") + QLatin1String(table)).toInt();
    }
    QString rule()
    {
        return store_->value(QStringLiteral("select unspecified from outbox.specification_setting")).toString();
    }

    std::unique_ptr<TestStore> store_;
    std::unique_ptr<store::Connection> operator_;
};

QTEST_GUILESS_MAIN(SpecificationTest)

#include "specification_test.moc"
