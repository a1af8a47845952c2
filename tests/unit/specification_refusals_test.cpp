// SPDX-License-Identifier: Apache-2.0
#include "specification/load.h"

#include <QtTest>

using namespace outbox;
using namespace outbox::app;
using namespace std::chrono_literals;

namespace {

const QDate today(2026, 12, 2);

/// A document that is right, line by line; line 12 is the target.
const QStringList rightLines{
    QStringLiteral("id: notify-warehouse"),
    QStringLiteral("version: 1"),
    QStringLiteral("status: active"),
    QStringLiteral("kind: integration_event"),
    QStringLiteral("messages: [{ type: orders.placed, versions: [1, 2] }]"),
    QStringLiteral("destination: orders-broker"),
    QStringLiteral("guarantee: at_least_once"),
    QStringLiteral("boundary: the broker has confirmed"),
    QStringLiteral("duplicates: message_id"),
    QStringLiteral("retry: { horizon: 24h }"),
    QStringLiteral("recovery_owner: team warehouse"),
    QStringLiteral("target: { within: 1m, share: 99.9%, messages_a_minute: 600 }"),
    QStringLiteral("record_owner: team orders"),
};

QByteArray document(const QStringList &lines = rightLines) { return (lines.join(u'\n') + u'\n').toUtf8(); }

QByteArray withLine(const QString &key, const QString &line)
{
    QStringList lines = rightLines;
    const auto at = lines.indexOf(QRegularExpression(u'^' + key + QStringLiteral(":.*")));
    if (line.isEmpty())
        lines.removeAt(at);
    else if (at < 0)
        lines.append(line);
    else
        lines[at] = line;
    return document(lines);
}

QString errorsOf(const QList<SpecificationText> &texts)
{
    const auto parsed = parseSpecifications(texts, today);
    return parsed ? QStringLiteral("(no error)") : textOf(parsed.error());
}
QString errorsOf(const QByteArray &text) { return errorsOf({{QStringLiteral("a.yaml"), text}}); }

} // namespace

/// Reading specifications: what they say, and that every refusal names file, line, field and reason.
class SpecificationRefusalsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsEveryField(); // S1
    void whatIsMissingIsNamed_data();
    void whatIsMissingIsNamed(); // S1
    void refuses_data();
    void refuses();                             // S1
    void aRepeatableBestEffortIsNotActivated(); // S2
    void tellsAllErrorsTogether();              // S1
    void linesAreThoseOfTheFile();              // S1
    void anIdStandsOnce();                      // S1
    void aMessageHasOneActiveSpecification();   // S1
    void anOverdueDraftIsAWarning();            // S1
    void limitsFollowFromTheTarget();           // S20
    void theExampleIsRight();                   // S1
    void aFileThatIsNotThereIsNamed();
};

void SpecificationRefusalsTest::readsEveryField()
{
    const QByteArray text = "id: a\nversion: 3\nstatus: draft\ndecider: Ann\ndecide_by: 2027-01-31\n"
                            "kind: provider_side_effect\nmessages:\n  - { type: t, versions: [2] }\n"
                            "destination: d\nguarantee: best_effort\nrepeatable_by_hand: true\nboundary: b\n"
                            "duplicates: { business_key: order }\n"
                            "retry: { base: 2s, cap: 1m, attempts: 7, horizon: 3d }\n"
                            "recovery_owner: r\nrecord_owner: o\nordering: { per_key: free }\nredact: [/x/y, '']\n"
                            "retention: 90d\ntarget: { within: 1m, share: 99%, messages_a_minute: 60 }\n"
                            "limits: { pending_age: 30s, pending_count: 5, failure_rate: 2.5% }\n";
    const auto parsed = parseSpecifications({{QStringLiteral("a.yaml"), text}}, today);
    QVERIFY2(parsed.ok(), qPrintable(errorsOf(text)));
    QCOMPARE(parsed->specifications.size(), 1);
    const auto &one = parsed->specifications.constFirst();
    QCOMPARE(one.id.value(), QStringLiteral("a"));
    QCOMPARE(one.version.value(), 3);
    const auto *draft = std::get_if<Draft>(&one.status);
    QVERIFY(draft != nullptr && draft->decider == QStringLiteral("Ann") && draft->decideBy == QDate(2027, 1, 31));
    QVERIFY(std::holds_alternative<ProviderSideEffect>(one.kind));
    QCOMPARE(one.messages, (QList<MessageContract>{{MessageType(QStringLiteral("t")), SchemaVersion(2)}}));
    QCOMPARE(one.destination.value(), QStringLiteral("d"));
    QVERIFY(std::get<BestEffort>(one.guarantee).repeatableByHand);
    QCOMPARE(one.boundary, QStringLiteral("b"));
    QCOMPARE(std::get<DropsByBusinessKey>(one.duplicates).key, QStringLiteral("order"));
    QVERIFY(one.retry.backoff.base == 2s && one.retry.backoff.cap == 1min && one.retry.horizon == 72h);
    QCOMPARE(one.retry.limit.attempts, 7);
    QCOMPARE(one.recoveryOwner, QStringLiteral("r"));
    QCOMPARE(one.recordOwner, QStringLiteral("o"));
    QVERIFY(std::get<OrderedPerKey>(one.ordering).deadHead == DeadHead::free);
    QCOMPARE(one.redactions.size(), 2);
    QCOMPARE(one.redactions[0].text(), QStringLiteral("/x/y"));
    QVERIFY(one.retention == 24h * 90);
    QVERIFY(one.target.within == 1min && one.target.messagesAMinute == 60 && one.target.share == Share(0.99));
    QVERIFY(one.limits.pendingAge.most == 30s && one.limits.pendingCount.most == 5);
    QCOMPARE(one.limits.failureRate.most.value(), 0.025);
}

void SpecificationRefusalsTest::whatIsMissingIsNamed_data()
{
    QTest::addColumn<QString>("key");
    for (const auto *key : {"id", "version", "status", "kind", "messages", "destination", "guarantee", "boundary",
                            "duplicates", "retry", "recovery_owner", "record_owner", "target"})
        QTest::newRow(key) << QString::fromLatin1(key);
}

void SpecificationRefusalsTest::whatIsMissingIsNamed()
{
    QFETCH(const QString, key);
    QCOMPARE(errorsOf(document()), QStringLiteral("(no error)"));
    const QString found = errorsOf("\n" + withLine(key, {}));
    QVERIFY2(found.startsWith(QStringLiteral("a.yaml:2:1: %1: missing; expected ").arg(key)), qPrintable(found));
    QVERIFY2(!found.contains(u'\n'), qPrintable(found));
}

void SpecificationRefusalsTest::refuses_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("error"); ///< how the only line begins, behind the file's name
    const auto row = [](const char *name, const char *line, const char *error) {
        QTest::newRow(name) << QString::fromUtf8(line) << QString::fromUtf8(error);
    };
    row("unknown key", "bondary: x", "14:1: bondary: unknown key (did you mean 'boundary'?)");
    row("id", "id: a b", "1:5: id: expected a name");
    row("version", "version: 0", "2:10: version: expected a whole number from 1");
    row("status", "status: activ",
        "3:9: status: expected draft or active or retired, found 'activ' (did you mean "
        "'active'?)");
    row("decider of an active one", "decider: Ann", "14:10: decider: only a draft has one");
    row("kind", "kind: event", "4:7: kind: expected integration_event or ");
    row("messages no list", "messages: orders", "5:11: messages: expected a list of {type");
    row("message no mapping", "messages: [orders]", "5:12: messages[0]: expected a mapping");
    row("message without type", "messages: [{ versions: [1] }]", "5:12: messages[0].type: missing");
    row("message without versions", "messages: [{ type: a }]", "5:12: messages[0].versions: missing");
    row("no versions", "messages: [{ type: a, versions: [] }]", "5:33: messages[0].versions: expected a list");
    row("version of a message", "messages: [{ type: a, versions: [1, x] }]",
        "5:37: messages[0].versions[1]: expected a whole number");
    row("pattern", "messages: [{ type: 'a.*', versions: [1] }]",
        "5:38: messages[0].versions[0]: expected a message type such as orders.placed, without '*'");
    row("message twice", "messages: [{ type: a, versions: [1] }, { type: a, versions: [1] }]",
        "5:62: messages[1].versions[0]: a version 1 is named twice");
    row("guarantee", "guarantee: exactly_once", "7:12: guarantee: expected at_least_once or best_effort");
    row("by hand, not said", "guarantee: best_effort", "1:1: repeatable_by_hand: missing; expected true or false");
    row("by hand, needless", "repeatable_by_hand: true", "14:21: repeatable_by_hand: only a best_effort");
    row("blank boundary", "boundary: ' '", "8:11: boundary: missing; expected the downstream boundary");
    row("boundary without value", "boundary:", "8:1: boundary: expected a text, found nothing");
    row("duplicates", "duplicates: none", "9:13: duplicates: expected message_id or {business_key: NAME}");
    row("blank business key", "duplicates: { business_key: '' }", "9:29: duplicates.business_key: missing");
    row("no horizon", "retry: { attempts: 3 }", "10:1: retry.horizon: missing; expected how long");
    row("horizon", "retry: { horizon: 24 }", "10:19: retry.horizon: expected a duration");
    row("horizon below base", "retry: { base: 1m, horizon: 1s }", "10:29: retry.horizon: expected at least the base");
    row("cap below base", "retry: { base: 1m, cap: 1s, horizon: 1h }", "10:25: retry.cap: expected at least the base");
    row("ordering", "ordering: key", "14:11: ordering: expected none, {per_key: hold} or {per_key: free}");
    row("dead head", "ordering: { per_key: skip }", "14:22: ordering.per_key: expected hold or free, found 'skip'");
    row("redact", "redact: [card]", "14:10: redact[0]: expected a JSON pointer such as /customer/email");
    row("retention", "retention: 1h", "14:12: retention: expected a duration from 1d to ");
    row("share", "target: { within: 1m, share: 100%, messages_a_minute: 600 }",
        "12:30: target.share: expected a percentage between 0% and 100%");
    row("share without %", "target: { within: 1m, share: 0.99, messages_a_minute: 600 }", "12:30: target.share: ");
    row("no rate", "target: { within: 1m, share: 99% }", "12:1: target.messages_a_minute: missing");
    row("late limit", "limits: { pending_age: 2m }",
        "14:24: limits.pending_age: expected at most target.within: a later alert begins after");
}

void SpecificationRefusalsTest::refuses()
{
    QFETCH(const QString, line);
    QFETCH(const QString, error);
    const QString found = errorsOf(withLine(line.section(u':', 0, 0), line));
    QVERIFY2(found.startsWith(QStringLiteral("a.yaml:") + error), qPrintable(found));
    QVERIFY2(!found.contains(u'\n'), qPrintable(found));
}

void SpecificationRefusalsTest::aRepeatableBestEffortIsNotActivated()
{
    QStringList lines = rightLines;
    lines[6] = QStringLiteral("guarantee: best_effort\nrepeatable_by_hand: true");
    const QString found = errorsOf(document(lines));
    QVERIFY2(found.startsWith(QStringLiteral("a.yaml:3:9: status: a best-effort reaction that operators can repeat by "
                                             "hand does not use the outbox; publish it with AfterCommitPublisher")),
             qPrintable(found));
    lines[6] = QStringLiteral("guarantee: best_effort\nrepeatable_by_hand: false");
    QCOMPARE(errorsOf(document(lines)), QStringLiteral("(no error)"));
}

void SpecificationRefusalsTest::tellsAllErrorsTogether()
{
    QStringList lines = rightLines;
    lines[5] = QStringLiteral("destinatoin: orders-broker");
    lines[9] = QStringLiteral("retry: { horizon: soon }");
    const auto found =
        errorsOf({{QStringLiteral("a.yaml"), document(lines)}, {QStringLiteral("b.yaml"), "id: [\n"}}).split(u'\n');
    QCOMPARE(found.size(), 4);
    QVERIFY(found[0].startsWith(QStringLiteral("a.yaml:1:1: destination: missing")));
    QVERIFY(found[1].startsWith(QStringLiteral("a.yaml:6:1: destinatoin: unknown key")));
    QVERIFY(found[2].startsWith(QStringLiteral("a.yaml:10:19: retry.horizon")));
    QVERIFY(found[3].startsWith(QStringLiteral("b.yaml:2:1: not YAML")));
}

void SpecificationRefusalsTest::linesAreThoseOfTheFile()
{
    QStringList second = rightLines;
    second[0] = QStringLiteral("id: other");
    second[7] = QStringLiteral("boundary: ''");
    const QString found = errorsOf(document() + "---\n" + document(second));
    QVERIFY2(found.startsWith(QStringLiteral("a.yaml:22:11: boundary: missing")), qPrintable(found));
    second.removeAt(7);
    const QString missing = errorsOf(document() + "---\n" + document(second));
    QVERIFY2(missing.startsWith(QStringLiteral("a.yaml:15:1: boundary: missing")), qPrintable(missing));
}

void SpecificationRefusalsTest::anIdStandsOnce()
{
    const QByteArray other =
        withLine(QStringLiteral("messages"), QStringLiteral("messages: [{ type: b, versions: [1] }]"));
    QCOMPARE(errorsOf({{QStringLiteral("a.yaml"), document()}, {QStringLiteral("b.yaml"), "\n" + other}}),
             QStringLiteral("b.yaml:2:5: id: there is a specification 'notify-warehouse' already, in a.yaml:1"));
}

void SpecificationRefusalsTest::aMessageHasOneActiveSpecification()
{
    QStringList second = rightLines;
    second[0] = QStringLiteral("id: other");
    QCOMPARE(errorsOf({{QStringLiteral("a.yaml"), document()}, {QStringLiteral("b.yaml"), document(second)}}),
             QStringLiteral("b.yaml:5:46: messages[0].versions[0]: orders.placed version 1 has an active specification "
                            "already, in a.yaml:5\n"
                            "b.yaml:5:49: messages[0].versions[1]: orders.placed version 2 has an active specification "
                            "already, in a.yaml:5"));
    second[2] = QStringLiteral("status: retired");
    QCOMPARE(errorsOf({{QStringLiteral("a.yaml"), document()}, {QStringLiteral("b.yaml"), document(second)}}),
             QStringLiteral("(no error)"));
}

void SpecificationRefusalsTest::anOverdueDraftIsAWarning()
{
    const auto warnings = [](const QByteArray &day) {
        QStringList lines = rightLines;
        lines[2] = QStringLiteral("status: draft\ndecider: Ann\ndecide_by: ") + QString::fromLatin1(day);
        const auto parsed = parseSpecifications({{QStringLiteral("a.yaml"), document(lines)}}, today);
        return parsed ? textOf(parsed->warnings) : textOf(parsed.error());
    };
    QCOMPARE(warnings("2026-12-02"), QString());
    QCOMPARE(warnings("2026-12-01"), QStringLiteral("a.yaml:5:12: decide_by: the draft 'notify-warehouse' was to be "
                                                    "decided by Ann until 2026-12-01"));
    QVERIFY(warnings("tomorrow").startsWith(QStringLiteral("a.yaml:5:12: decide_by: expected a day")));
}

void SpecificationRefusalsTest::limitsFollowFromTheTarget()
{
    const auto parsed = parseSpecifications({{QStringLiteral("a.yaml"), document()}}, today);
    QVERIFY(parsed.ok());
    const auto &limits = parsed->specifications.constFirst().limits;
    QVERIFY(limits.pendingAge.most == 1min && limits.pendingCount.most == 600);
    QCOMPARE(limits.failureRate.most.value(), 0.001);
}

void SpecificationRefusalsTest::theExampleIsRight()
{
    const auto loaded = loadSpecifications({QStringLiteral(OUTBOX_EXAMPLE)}, today);
    QVERIFY2(loaded.ok(), qPrintable(loaded ? QString() : textOf(loaded.error())));
    QCOMPARE(loaded->specifications.size(), 3);
    QVERIFY(loaded->warnings.isEmpty());
}

void SpecificationRefusalsTest::aFileThatIsNotThereIsNamed()
{
    const auto loaded =
        loadSpecifications({QStringLiteral("/nowhere/a.yaml"), QStringLiteral("/nowhere/b.yaml")}, today);
    QVERIFY(!loaded.ok());
    QCOMPARE(loaded.error().size(), 2);
    QVERIFY(textOf(loaded.error()).startsWith(QStringLiteral("/nowhere/a.yaml: the file cannot be read")));
    QCOMPARE(errorsOf(QByteArray("# nothing\n")), QStringLiteral("a.yaml: there is no specification in it"));
}

QTEST_GUILESS_MAIN(SpecificationRefusalsTest)
#include "specification_refusals_test.moc"
