-- SPDX-License-Identifier: Apache-2.0
-- Purpose: gives untried records back; gives the ids refused. Locks: the leases' and the records' rows.
-- Index: lease_pkey, processing_pkey. Rows: one a record.
select * from outbox.release(?::integer, ?::bigint[], ?::uuid[])
