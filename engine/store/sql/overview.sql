-- SPDX-License-Identifier: Apache-2.0
-- Purpose: what the gauges show, at a cost that stays bounded however long the backlog is.
-- Locks: none. Index: pending_pkey, pending_claim, pending_tried, tally_pkey.
-- Rows: a state's table is counted while it is small (16 MB), or through its index while few rows are known
--       to be in it; above that the server's own statistics answer. One row of result.
--
-- The oldest record: for one that was never tried, next_attempt_at tells since when it is due. So the head of
-- each lane is its oldest untried record, or a tried one; of those the other index knows the oldest of each attempt.
with recursive tried as (
    (select p.attempt, p.staged_at, p.lane from outbox.pending p
      where p.attempt > 0 order by p.attempt, p.staged_at limit 1)
    union all
    select next.attempt, next.staged_at, next.lane
      from tried t
     cross join lateral (select p.attempt, p.staged_at, p.lane from outbox.pending p
                          where p.attempt > t.attempt order by p.attempt, p.staged_at limit 1) as next),
oldest as (
    select since, type from (
        (select t.staged_at as since, l.type
           from tried t join outbox.lane l on l.lane = t.lane
          order by t.staged_at limit 1)
        union all
        (select head.since, l.type
           from outbox.lane l
          cross join lateral (select p.next_attempt_at as since from outbox.pending p where p.lane = l.lane
                               order by p.next_attempt_at, p.id limit 1) as head
          where head.since <= clock_timestamp()
          order by head.since limit 1)) as candidates
     order by since limit 1),
sizes as (
    select pg_relation_size('outbox.pending') < 16777216 as pending,
           pg_relation_size('outbox.processing') < 16777216 as processing,
           pg_relation_size('outbox.dead_letter') < 16777216 as dead_letter),
known as (
    select s.pending, s.processing, s.dead_letter,
           pg_stat_get_live_tuples('outbox.pending'::regclass) as pending_live,
           pg_stat_get_live_tuples('outbox.processing'::regclass) as processing_live,
           pg_stat_get_live_tuples('outbox.dead_letter'::regclass) as dead_letter_live,
           pg_stat_get_dead_tuples('outbox.pending'::regclass) as pending_gone,
           pg_stat_get_dead_tuples('outbox.processing'::regclass) as processing_gone,
           pg_stat_get_dead_tuples('outbox.dead_letter'::regclass) as dead_letter_gone
      from sizes s),
counted as (
    select case when k.pending then (select count(*) from outbox.pending)
                when k.pending_live + k.pending_gone < 200000
                then (select count(*) from (select from outbox.pending order by id limit 200000) as few) end as pending,
           case when k.processing then (select count(*) from outbox.processing)
                when k.processing_live + k.processing_gone < 200000
                then (select count(*) from (select from outbox.processing order by fence, id limit 200000) as few)
           end as processing,
           case when k.dead_letter then (select count(*) from outbox.dead_letter)
                when k.dead_letter_live + k.dead_letter_gone < 200000
                then (select count(*) from (select from outbox.dead_letter order by id limit 200000) as few)
           end as dead_letter
      from known k),
done as (
    select coalesce(sum(dispatched), 0)::bigint as dispatched, coalesce(sum(retried), 0)::bigint as retried,
           coalesce(sum(dead), 0)::bigint as dead, coalesce(sum(refused), 0)::bigint as refused
      from outbox.tally)
select (date_part('epoch', clock_timestamp()) * 1000000)::bigint as at,
       greatest(c.pending, case when c.pending is null or not k.pending and c.pending = 200000
                                then k.pending_live end) as pending,
       c.pending is not null and (k.pending or c.pending < 200000) as pending_exact,
       greatest(c.processing, case when c.processing is null or not k.processing and c.processing = 200000
                                   then k.processing_live end) as processing,
       c.processing is not null and (k.processing or c.processing < 200000) as processing_exact,
       greatest(c.dead_letter, case when c.dead_letter is null or not k.dead_letter and c.dead_letter = 200000
                                    then k.dead_letter_live end) as dead_letter,
       c.dead_letter is not null and (k.dead_letter or c.dead_letter < 200000) as dead_letter_exact,
       d.dispatched, d.retried, d.dead, d.refused,
       (date_part('epoch', clock_timestamp() - o.since) * 1000)::bigint as oldest_age, o.type as oldest_type
  from known k cross join counted c cross join done d left join oldest o on true
