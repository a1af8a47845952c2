-- SPDX-License-Identifier: Apache-2.0
-- Purpose: every specification that the store has. Locks: none. Index: specification_pkey. Rows: all specifications, few.
select id, version, status, kind::text, destination, guarantee, (document -> 'messages')::text, decide_by::text,
       coalesce(decide_by < (clock_timestamp() at time zone 'UTC')::date, false),
       (extract(epoch from applied_at) * 1000000)::bigint, applied_by, document::text
  from outbox.specification order by id
