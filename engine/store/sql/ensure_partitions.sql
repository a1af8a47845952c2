-- SPDX-License-Identifier: Apache-2.0
-- Purpose: makes the partitions of the coming days. Locks: share update exclusive on the parents, access exclusive
-- on the empty default partitions, half a second at most. Index: none. Rows: none in normal life.
select outbox.ensure_partitions(?::integer)
