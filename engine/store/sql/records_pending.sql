-- SPDX-License-Identifier: Apache-2.0
-- Purpose: one stretch of the list of pending records, newest first.
-- Locks: none. Index: pending_pkey backwards; then message_pkey by id. Rows: at most the scan budget of pending;
--       of message only those whose lane fits.
-- Parameters: from id, to id (both included), scan budget, type, destination, tenant (null: any), limit.
-- Result: as records_all. What waits behind its key is due since its staging.
with scanned as materialized (
    select p.id, p.lane, p.attempt, case when p.next_attempt_at = 'infinity' then p.staged_at else p.next_attempt_at end as next_attempt_at
      from outbox.pending p where p.id >= ?::uuid and p.id <= ?::uuid order by p.id desc limit ?::integer),
reached as (
    select count(*) as ids, (select id from scanned order by id limit 1) as id from scanned),
fitting as (
    select s.id, m.kind, m.type, m.schema_version, m.staged_at, m.tenant, s.destination, s.attempt, s.next_attempt_at
      from (select s.*, l.destination from scanned s join outbox.lane l on l.lane = s.lane
             where l.type = coalesce(?::text, l.type)
               and coalesce(l.destination, '') = coalesce(?::text, l.destination, '') offset 0) as s
     cross join lateral (select m.kind, m.type, m.schema_version, m.staged_at, m.tenant
                           from outbox.message m where m.id = s.id offset 0) as m
     where coalesce(m.tenant, '') = coalesce(?::text, m.tenant, '')
     order by s.id desc limit ?::integer)
select r.ids as scanned, r.id::text as reached, f.id::text, (date_part('epoch', f.staged_at) * 1000000)::bigint as staged_at,
       f.kind::text, f.type, f.schema_version, f.tenant, f.destination, 'pending' as state, f.attempt,
       (date_part('epoch', f.next_attempt_at) * 1000000)::bigint as since, null::text as cause, null::text as reason,
       null::integer as worker, null::bigint as fence
  from reached r left join fitting f on true
 order by f.id desc
