// SPDX-License-Identifier: Apache-2.0
#include "operations/replay.h"

#include "operations/rows.h"
#include "store/pg_text.h"

#include <QHash>

namespace outbox::operations {

Result<api::ReplayResult, store::StoreError> replay(store::Connection &connection, const QList<MessageId> &ids,
                                                    const QString &reason)
{
    Q_ASSERT(ids.size() <= mostReplayed);
    QStringList texts;
    for (const auto &id : ids)
        texts << toText(id);
    const auto ran = connection.run("replay", {store::arrayOfTexts(texts), reason}, store::Effect::writes);
    if (!ran)
        return ran.error();
    QHash<MessageId, api::ReplayVerdict> verdicts;
    for (auto &row = **ran; row.next();) {
        const auto id = idOf(row.value(0));
        verdicts.insert(id, {id, row.value(1).toBool(), row.value(2).toString()});
    }
    api::ReplayResult result;
    result.actor = connection.sessionUser();
    for (const auto &id : ids)
        if (const auto verdict = verdicts.find(id); verdict != verdicts.end()) {
            result.verdicts << *verdict;
            verdicts.erase(verdict);
        }
    return result;
}

} // namespace outbox::operations
