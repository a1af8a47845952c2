// SPDX-License-Identifier: Apache-2.0
#include "explained_session.h"

#include "support/servers/psql.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <libpq-fe.h>
#include <memory>
#include <stdexcept>

namespace outbox::test {

using namespace Qt::StringLiterals;

namespace {

void collectScans(const QJsonObject &node, std::vector<ScanNode> &scans)
{
    if (const auto relation = node.value(u"Relation Name"_s); relation.isString()) {
        const auto kind = node.value(u"Node Type"_s).toString();
        if (kind != u"ModifyTable"_s) {
            scans.push_back({kind, relation.toString(), node.value(u"Index Name"_s).toString(),
                             node.value(u"Index Cond"_s).toString()});
        }
    }
    const auto below = node.value(u"Plans"_s).toArray();
    for (const auto &child : below) {
        collectScans(child.toObject(), scans);
    }
}

} // namespace

ExplainedSession::ExplainedSession(const store::ServerAddress &address)
{
    std::vector<QByteArray> texts;
    const std::vector<std::pair<const char *, QString>> known{{"PGHOST", u"host"_s},
                                                              {"PGPORT", u"port"_s},
                                                              {"PGUSER", u"user"_s},
                                                              {"PGPASSWORD", u"password"_s},
                                                              {"PGDATABASE", u"dbname"_s}};
    const auto environment = servers::clientEnvironment(address);
    for (const auto &[variable, key] : known) {
        const auto value = environment.value(QString::fromLatin1(variable));
        if (!value.isEmpty()) {
            texts.push_back(key.toUtf8());
            texts.push_back(value.toUtf8());
        }
    }
    std::vector<const char *> keys;
    std::vector<const char *> values;
    for (std::size_t i = 0; i < texts.size(); i += 2) {
        keys.push_back(texts[i].constData());
        values.push_back(texts[i + 1].constData());
    }
    keys.push_back(nullptr);
    values.push_back(nullptr);
    connection_ = PQconnectdbParams(keys.data(), values.data(), 0);
    if (PQstatus(connection_) != CONNECTION_OK) {
        const std::string why = PQerrorMessage(connection_);
        PQfinish(connection_);
        throw std::runtime_error(why);
    }
    PQsetNoticeProcessor(connection_, &ExplainedSession::heard, this);
    run("load 'auto_explain'");
    run("set auto_explain.log_min_duration = 0");
    run("set auto_explain.log_nested_statements = on");
    run("set auto_explain.log_format = json");
    run("set auto_explain.log_level = notice");
}

ExplainedSession::~ExplainedSession() { PQfinish(connection_); }

void ExplainedSession::heard(void *self, const char *message)
{
    const QByteArray text(message);
    const auto from = text.indexOf('{');
    if (from < 0 || !text.contains("plan:")) {
        return;
    }
    const auto plan = QJsonDocument::fromJson(text.mid(from, text.lastIndexOf('}') + 1 - from)).object();
    static_cast<ExplainedSession *>(self)->plans_.push_back(plan.value(u"Plan"_s).toObject());
}

QByteArray ExplainedSession::run(const QByteArray &sql)
{
    plans_.clear();
    const std::unique_ptr<PGresult, void (*)(PGresult *)> result(PQexec(connection_, sql.constData()), &PQclear);
    const auto status = PQresultStatus(result.get());
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
        throw std::runtime_error(PQresultErrorMessage(result.get()));
    }
    return status == PGRES_TUPLES_OK && PQntuples(result.get()) > 0 ? QByteArray(PQgetvalue(result.get(), 0, 0))
                                                                    : QByteArray();
}

std::vector<ScanNode> ExplainedSession::scansOf(const QByteArray &sql)
{
    run(sql);
    std::vector<ScanNode> scans;
    for (const auto &plan : plans_) {
        collectScans(plan, scans);
    }
    return scans;
}

} // namespace outbox::test
