-- SPDX-License-Identifier: Apache-2.0
-- Purpose: dead letters that failed alike, largest group first, each with the newest one's reason.
-- Locks: none. Index: dead_letter_pkey backwards. Rows: the newest 100,000 dead letters at the most.
with newest as (
    select d.id, d.lane, d.cause, d.failed_at from outbox.dead_letter d order by d.id desc limit 100000),
by_lane as (
    select n.lane, n.cause, count(*) as ids, min(n.failed_at) as first_at, max(n.failed_at) as last_at,
           (array_agg(n.id order by n.failed_at desc))[1] as sample
      from newest n group by n.lane, n.cause),
alike as (
    select b.cause, l.type, l.schema_version, coalesce(l.destination, '') as destination, sum(b.ids)::bigint as ids,
           min(b.first_at) as first_at, max(b.last_at) as last_at,
           (array_agg(b.sample order by b.last_at desc))[1] as sample
      from by_lane b join outbox.lane l on l.lane = b.lane
     group by 1, 2, 3, 4)
select a.cause::text, a.type, a.schema_version, a.destination, a.ids,
       (date_part('epoch', a.first_at) * 1000000)::bigint as first_at,
       (date_part('epoch', a.last_at) * 1000000)::bigint as last_at,
       (select d.reason from outbox.dead_letter d where d.id = a.sample) as reason
  from alike a
 order by a.ids desc, a.last_at desc
