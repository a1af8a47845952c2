-- SPDX-License-Identifier: Apache-2.0
-- Purpose: records accepted deliveries; gives the ids refused. Locks: the leases' and the records' rows.
-- Index: lease_pkey, processing_pkey. Rows: one a record.
select * from outbox.complete(?::integer, ?::bigint[], ?::uuid[])
