-- SPDX-License-Identifier: Apache-2.0
-- Purpose: workers at work, workers that fell silent, and whether any work is due. Locks: none.
-- Index: pending_claim. Rows: all workers that ever registered; one probe a lane.
select count(*) filter (where stopped_at is null and heartbeat_at >= clock_timestamp() - interval '2 minutes') as alive,
       count(*) filter (where stopped_at is null and heartbeat_at < clock_timestamp() - interval '2 minutes'
                          and heartbeat_at >= clock_timestamp() - interval '1 day') as silent,
       (select string_agg(s.name || ' on ' || s.host, ', ') from (
            select w.name, w.host from outbox.worker w
             where w.stopped_at is null and w.heartbeat_at < clock_timestamp() - interval '2 minutes'
               and w.heartbeat_at >= clock_timestamp() - interval '1 day'
             order by w.heartbeat_at desc limit 3) as s) as samples,
       exists (select from outbox.lane l
                cross join lateral (select p.next_attempt_at as due from outbox.pending p where p.lane = l.lane
                                     order by p.next_attempt_at, p.id limit 1) as head
                where l.destination is not null and head.due < clock_timestamp() - interval '1 minute') as overdue
  from outbox.worker
