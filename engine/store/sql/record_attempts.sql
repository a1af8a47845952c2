-- SPDX-License-Identifier: Apache-2.0
-- Purpose: the failed attempts of one record, oldest first. Locks: none. Index: attempt_by_id. Rows: its own.
-- Parameter: the id.
select a.number, (date_part('epoch', a.started_at) * 1000000)::bigint as started_at,
       (date_part('epoch', a.ended_at) * 1000000)::bigint as ended_at, coalesce(w.name, a.worker::text) as worker,
       a.cause::text, a.summary
  from outbox.attempt a left join outbox.worker w on w.worker = a.worker
 where a.id = ?::uuid
 order by a.ended_at, a.number
