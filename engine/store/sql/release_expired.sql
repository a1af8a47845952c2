-- SPDX-License-Identifier: Apache-2.0
-- Purpose: returns expired claims to eligible work. Locks: the late leases, skipping those that others hold, and
-- their records. Index: none on lease (few rows), processing_pkey. Rows: the late leases' records.
select returned, dead from outbox.release_expired(?::integer, ?::integer, ?::interval, ?::interval)
