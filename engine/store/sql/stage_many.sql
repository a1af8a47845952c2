-- SPDX-License-Identifier: Apache-2.0
-- Purpose: stages messages in the caller's transaction, in their order. Locks: their own rows, and advisory
-- 201914/2 shared and 201916 on each ordering key until the end of the transaction. Index: lane_by_type. Rows: one a message.
select outbox.stage(kind, type, schema_version, payload, event_record, occurred_at, tenant, headers, id, not_before,
                    ordering_key)
  from unnest(?::text[], ?::text[], ?::integer[], ?::text[], ?::text[], ?::timestamptz[], ?::text[], ?::jsonb[],
              ?::uuid[], ?::timestamptz[], ?::text[])
       as m(kind, type, schema_version, payload, event_record, occurred_at, tenant, headers, id, not_before, ordering_key)
