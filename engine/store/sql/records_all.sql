-- SPDX-License-Identifier: Apache-2.0
-- Purpose: one stretch of the list of all records, newest first, with the state each is in.
-- Locks: none. Index: message_pkey backwards; then by id the primary key of each state's table.
-- Rows: at most the scan budget of message; the states only of what the filters on message let through. A
--       record that no other state has is looked for under every running lease: few.
-- Parameters: from id, to id (both included), scan budget, type, tenant, destination (null: any), limit.
-- Result: in every row how many ids were scanned and the last of them; one row without a record when none fits.
with scanned as materialized (
    select m.id, m.kind, m.type, m.schema_version, m.staged_at, m.tenant
      from outbox.message m where m.id >= ?::uuid and m.id <= ?::uuid order by m.id desc limit ?::integer),
reached as (
    select count(*) as ids, (select id from scanned order by id limit 1) as id from scanned),
fitting as (
    select s.id, s.kind, s.type, s.schema_version, s.staged_at, s.tenant, st.state, st.attempt, st.since, st.cause,
           st.reason, st.worker, st.fence, l.destination
      from scanned s
     cross join lateral (
        select 'pending' as state, p.lane, p.attempt,
               case when p.next_attempt_at = 'infinity' then p.staged_at else p.next_attempt_at end as since, null as cause, null as reason,
               null::integer as worker, null::bigint as fence
          from outbox.pending p where p.id = s.id
        union all
        select 'dispatched', d.lane, d.attempt, d.dispatched_at, null, null, d.worker, null
          from outbox.dispatched d where d.id = s.id
        union all
        select 'dead_letter', x.lane, x.attempt, x.failed_at, x.cause, x.reason, x.worker, null
          from outbox.dead_letter x where x.id = s.id
        union all
        select 'processing', held.lane, held.attempt, le.expires_at, null, null, le.worker, le.fence
          from outbox.lease le
         cross join lateral (select q.lane, q.attempt from outbox.processing q
                              where q.fence = le.fence and q.id = s.id offset 0) as held
        limit 1) as st
      join outbox.lane l on l.lane = st.lane
     where s.type = coalesce(?::text, s.type)
       and coalesce(s.tenant, '') = coalesce(?::text, s.tenant, '')
       and coalesce(l.destination, '') = coalesce(?::text, l.destination, '')
     order by s.id desc limit ?::integer)
select r.ids as scanned, r.id::text as reached, f.id::text, (date_part('epoch', f.staged_at) * 1000000)::bigint as staged_at,
       f.kind::text, f.type, f.schema_version, f.tenant, f.destination, f.state, f.attempt,
       (date_part('epoch', f.since) * 1000000)::bigint as since, f.cause, f.reason, f.worker, f.fence
  from reached r left join fitting f on true
 order by f.id desc
