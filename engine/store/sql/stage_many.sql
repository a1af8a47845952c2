-- SPDX-License-Identifier: Apache-2.0
-- Purpose: stages messages in the caller's transaction, in their order. Locks: their own rows, and advisory
-- 201914/2 shared until the end of the transaction. Index: lane_by_type. Rows: one a message.
select outbox.stage(kind, type, schema_version, payload, event_record, occurred_at, tenant, headers, id, not_before)
  from unnest(?::text[], ?::text[], ?::integer[], ?::text[], ?::text[], ?::timestamptz[], ?::text[], ?::jsonb[],
              ?::uuid[], ?::timestamptz[])
       as m(kind, type, schema_version, payload, event_record, occurred_at, tenant, headers, id, not_before)
