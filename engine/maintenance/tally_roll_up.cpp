// SPDX-License-Identifier: Apache-2.0
#include "maintenance/tally_roll_up.h"

namespace outbox::maintenance {

Result<Done, store::StoreError> TallyRollUp::run(store::Connection &connection, WorkerId)
{
    auto query = connection.run("roll_up_tally", {}, store::Effect::writes);
    if (!query)
        return query.error();
    return Done{};
}

} // namespace outbox::maintenance
