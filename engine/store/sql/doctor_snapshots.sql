-- SPDX-License-Identifier: Apache-2.0
-- Purpose: who keeps the server from removing what is gone: sessions, prepared transactions and replication slots
--       with their age in transactions and in seconds, oldest first. Locks: none. Index: catalog. Rows: sessions.
select kind, name, age_xids, age_seconds from (
    select 'session' as kind,
           'pid ' || a.pid || coalesce(' of ' || a.usename, '') || coalesce(' (' || nullif(a.application_name, '') || ')', '')
               || coalesce(', ' || a.state, '') as name,
           greatest(age(a.backend_xmin), age(a.backend_xid))::bigint as age_xids,
           floor(date_part('epoch', clock_timestamp() - a.xact_start))::bigint as age_seconds
      from pg_stat_activity a
     where a.pid <> pg_backend_pid() and a.backend_type = 'client backend' and a.xact_start is not null
       and (a.backend_xmin is not null or a.backend_xid is not null)
    union all
    select 'prepared transaction', p.gid || ' of ' || p.owner || ' in ' || p.database, age(p.transaction)::bigint,
           floor(date_part('epoch', clock_timestamp() - p.prepared))::bigint
      from pg_prepared_xacts p
    union all
    select 'replication slot', s.slot_name::text || case when s.active then '' else ', inactive' end,
           greatest(age(s.xmin), age(s.catalog_xmin))::bigint, null
      from pg_replication_slots s where s.xmin is not null) as holders
 order by age_seconds desc nulls first limit 5
