-- SPDX-License-Identifier: Apache-2.0
-- Purpose: takes due records of whatever lanes the destinations have, new ones included; an idle worker's look
-- and its first one after waking. Locks, index: as claim. Rows: about as many as asked for.
select fence, id, lane, attempt, (date_part('epoch', next_attempt_at) * 1000000)::bigint, kind, event_record, type,
       schema_version, (date_part('epoch', occurred_at) * 1000000)::bigint, tenant, payload, headers
  from (select array_agg(lane) as lanes, count(*)::integer as n from outbox.lane where destination = any (?::text[])) l,
       outbox.claim(?::integer, ?::interval, l.lanes, array_fill(greatest(?::integer / l.n, 1), array[l.n]),
                    array_fill('-infinity'::timestamptz, array[l.n]))
 where l.n > 0
