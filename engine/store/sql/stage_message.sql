-- SPDX-License-Identifier: Apache-2.0
-- Purpose: stages one message in the transaction under way. Locks: those of outbox.stage. Index: lane_by_type.
-- Rows: one message, one pending record.
-- Parameters: kind, type, schema version, payload, Event record, occurred at, tenant, headers, id, not before, ordering key.
select outbox.stage(?::text, ?::text, ?::integer, ?::text, ?::text, ?::timestamptz, ?::text, ?::jsonb, ?::uuid,
                    ?::timestamptz, ?::text)::text
