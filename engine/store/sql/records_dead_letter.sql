-- SPDX-License-Identifier: Apache-2.0
-- Purpose: one stretch of the list of dead letters, newest first; all, or those that failed alike.
-- Locks: none. Index: dead_letter_pkey backwards; then message_pkey by id. Rows: at most the scan budget of
--       dead_letter; of message only those whose lane and cause fit.
-- Parameters: from id, to id (both included), scan budget, type, destination, schema version, cause, tenant
--       (null: any), limit.
-- Result: as records_all.
with scanned as materialized (
    select d.id, d.lane, d.attempt, d.failed_at, d.cause, d.reason, d.worker
      from outbox.dead_letter d where d.id >= ?::uuid and d.id <= ?::uuid order by d.id desc limit ?::integer),
reached as (
    select count(*) as ids, (select id from scanned order by id limit 1) as id from scanned),
fitting as (
    select s.id, m.kind, m.type, m.schema_version, m.staged_at, m.tenant, s.destination, s.attempt, s.failed_at,
           s.cause, s.reason, s.worker
      from (select s.*, l.destination from scanned s join outbox.lane l on l.lane = s.lane
             where l.type = coalesce(?::text, l.type)
               and coalesce(l.destination, '') = coalesce(?::text, l.destination, '')
               and l.schema_version = coalesce(?::integer, l.schema_version)
               and s.cause = coalesce(?::text, s.cause) offset 0) as s
     cross join lateral (select m.kind, m.type, m.schema_version, m.staged_at, m.tenant
                           from outbox.message m where m.id = s.id offset 0) as m
     where coalesce(m.tenant, '') = coalesce(?::text, m.tenant, '')
     order by s.id desc limit ?::integer)
select r.ids as scanned, r.id::text as reached, f.id::text, (date_part('epoch', f.staged_at) * 1000000)::bigint as staged_at,
       f.kind::text, f.type, f.schema_version, f.tenant, f.destination, 'dead_letter' as state, f.attempt,
       (date_part('epoch', f.failed_at) * 1000000)::bigint as since, f.cause::text, f.reason, f.worker,
       null::bigint as fence
  from reached r left join fitting f on true
 order by f.id desc
