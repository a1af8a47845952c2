-- SPDX-License-Identifier: Apache-2.0
-- Purpose: puts failed attempts back with a delay; gives the ids refused. Locks: the leases' and the records'
-- rows. Index: lease_pkey, processing_pkey. Rows: one a record.
select * from outbox.retry(?::integer, ?::bigint[], ?::uuid[], ?::text[], ?::text[], ?::interval[], ?::interval[])
