-- SPDX-License-Identifier: Apache-2.0
-- Purpose: puts failed attempts back with a delay; gives the ids that did not come back, and why: refused or dead. Locks: the leases' and the records'
-- rows. Index: lease_pkey, processing_pkey. Rows: one a record.
select id, fate from outbox.retry(?::integer, ?::bigint[], ?::uuid[], ?::text[], ?::text[], ?::interval[], ?::interval[],
                                  ?::interval[])
