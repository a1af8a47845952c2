-- SPDX-License-Identifier: Apache-2.0
-- Purpose: ends automatic retry; gives the ids refused. Locks: the leases' and the records' rows.
-- Index: lease_pkey, processing_pkey. Rows: one a record.
select * from outbox.dead_letter(?::integer, ?::bigint[], ?::uuid[], ?::text[], ?::text[], ?::interval[])
