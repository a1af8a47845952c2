-- SPDX-License-Identifier: Apache-2.0
-- Purpose: one stretch of the list of records under way, newest first.
-- Locks: none. Index: none; processing holds only what is in flight and is read whole; then message_pkey by id.
-- Rows: all of processing.
-- Parameters: from id, to id (both included), scan budget, type, destination, tenant (null: any), limit.
-- Result: as records_all.
with scanned as materialized (
    select p.id, p.lane, p.attempt, p.fence
      from outbox.processing p where p.id >= ?::uuid and p.id <= ?::uuid order by p.id desc limit ?::integer),
reached as (
    select count(*) as ids, (select id from scanned order by id limit 1) as id from scanned),
fitting as (
    select s.id, m.kind, m.type, m.schema_version, m.staged_at, m.tenant, s.destination, s.attempt, le.expires_at,
           le.worker, s.fence
      from (select s.*, l.destination from scanned s join outbox.lane l on l.lane = s.lane
             where l.type = coalesce(?::text, l.type)
               and coalesce(l.destination, '') = coalesce(?::text, l.destination, '') offset 0) as s
      left join outbox.lease le on le.fence = s.fence
     cross join lateral (select m.kind, m.type, m.schema_version, m.staged_at, m.tenant
                           from outbox.message m where m.id = s.id offset 0) as m
     where coalesce(m.tenant, '') = coalesce(?::text, m.tenant, '')
     order by s.id desc limit ?::integer)
select r.ids as scanned, r.id::text as reached, f.id::text, (date_part('epoch', f.staged_at) * 1000000)::bigint as staged_at,
       f.kind::text, f.type, f.schema_version, f.tenant, f.destination, 'processing' as state, f.attempt,
       (date_part('epoch', f.expires_at) * 1000000)::bigint as since, null::text as cause, null::text as reason,
       f.worker, f.fence
  from reached r left join fitting f on true
 order by f.id desc
