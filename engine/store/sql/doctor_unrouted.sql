-- SPDX-License-Identifier: Apache-2.0
-- Purpose: types that no route leads anywhere, and of which records wait. Locks: none. Index: pending_claim.
-- Rows: one probe a lane.
select string_agg(distinct l.type, ', ' order by l.type) as types
  from outbox.lane l
 where l.destination is null
   and exists (select from (select from outbox.pending p where p.lane = l.lane
                             order by p.next_attempt_at, p.id limit 1) as head)
