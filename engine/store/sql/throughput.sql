-- SPDX-License-Identifier: Apache-2.0
-- Purpose: what all workers did in each step of the last span; steps in which nothing was done are there, too.
-- Locks: none. Index: tally_pkey. Rows: those of the span, one for each worker and ten seconds.
-- Parameters: width of a step in seconds, span in seconds.
with asked as (
    select make_interval(secs => ?::double precision) as width, make_interval(secs => ?::double precision) as span,
           timestamptz '2000-01-01 00:00:00Z' as origin),
steps as (
    select generate_series(date_bin(a.width, clock_timestamp() - a.span, a.origin), clock_timestamp(), a.width) as at
      from asked a),
done as (
    select date_bin(a.width, t.bucket, a.origin) as at, sum(t.dispatched)::bigint as dispatched,
           sum(t.retried)::bigint as retried, sum(t.dead)::bigint as dead
      from asked a join outbox.tally t
        on t.bucket >= date_bin(a.width, clock_timestamp() - a.span, a.origin) and t.bucket <> 'infinity'
     group by 1)
select (date_part('epoch', s.at) * 1000000)::bigint as at, coalesce(d.dispatched, 0) as dispatched,
       coalesce(d.retried, 0) as retried, coalesce(d.dead, 0) as dead
  from steps s left join done d on d.at = s.at
 order by s.at
