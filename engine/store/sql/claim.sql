-- SPDX-License-Identifier: Apache-2.0
-- Purpose: takes due records of the named lanes under a new lease. Locks: the taken rows of pending, skipping
-- those that others hold. Index: pending_claim, message partitions' keys. Rows: at most the sum of the limits.
select fence, id, lane, attempt, (date_part('epoch', next_attempt_at) * 1000000)::bigint, kind, event_record, type,
       schema_version, (date_part('epoch', occurred_at) * 1000000)::bigint, tenant, payload, headers, ordering_key
  from outbox.claim(?::integer, ?::interval, ?::integer[], ?::integer[], ?::timestamptz[])
