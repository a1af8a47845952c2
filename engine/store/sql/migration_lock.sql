-- SPDX-License-Identifier: Apache-2.0
-- Purpose: one migration at a time. Locks: advisory 201914/1, for the session. Index: none. Rows: one.
select pg_advisory_lock(201914, 1)
