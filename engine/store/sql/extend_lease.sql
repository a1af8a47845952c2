-- SPDX-License-Identifier: Apache-2.0
-- Purpose: moves the expiry of leases; gives the fences not owned any more. Locks: the leases' rows.
-- Index: lease_pkey. Rows: one a lease.
select * from outbox.extend_lease(?::integer, ?::bigint[], ?::interval)
