-- SPDX-License-Identifier: Apache-2.0
-- Purpose: the same figures as overview, counted to the last record: for a command that is run once.
-- Locks: none. Index: tally_pkey; pending is read whole. Rows: all that are pending, processing or dead.
with waiting as (
    select count(*) as ids,
           min(case when attempt > 0 or next_attempt_at = 'infinity' then staged_at else next_attempt_at end)
               filter (where attempt > 0 or next_attempt_at <= clock_timestamp() or next_attempt_at = 'infinity') as since
      from outbox.pending),
oldest as (
    select l.type from outbox.pending p join outbox.lane l on l.lane = p.lane cross join waiting w
     where case when p.attempt > 0 or p.next_attempt_at = 'infinity' then p.staged_at else p.next_attempt_at end = w.since limit 1),
done as (
    select coalesce(sum(dispatched), 0)::bigint as dispatched, coalesce(sum(retried), 0)::bigint as retried,
           coalesce(sum(dead), 0)::bigint as dead, coalesce(sum(refused), 0)::bigint as refused
      from outbox.tally)
select (date_part('epoch', clock_timestamp()) * 1000000)::bigint as at,
       w.ids as pending, true as pending_exact,
       (select count(*) from outbox.processing) as processing, true as processing_exact,
       (select count(*) from outbox.dead_letter) as dead_letter, true as dead_letter_exact,
       d.dispatched, d.retried, d.dead, d.refused,
       (date_part('epoch', clock_timestamp() - w.since) * 1000)::bigint as oldest_age,
       (select type from oldest) as oldest_type
  from waiting w cross join done d
