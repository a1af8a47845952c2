-- SPDX-License-Identifier: Apache-2.0
-- Purpose: the names of all message types ever staged. Locks: none. Index: lane_by_type. Rows: all lanes, few.
select distinct type from outbox.lane order by type
