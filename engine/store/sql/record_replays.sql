-- SPDX-License-Identifier: Apache-2.0
-- Purpose: who replayed one record, when and why, oldest first. Locks: none. Index: replay_by_id. Rows: its own.
-- Parameter: the id.
select (date_part('epoch', r.at) * 1000000)::bigint as at, r.actor, r.reason, r.cause::text, r.failure
  from outbox.replay r where r.id = ?::uuid
 order by r.at
