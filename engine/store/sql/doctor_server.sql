-- SPDX-License-Identifier: Apache-2.0
-- Purpose: versions, clock and settings of the server. Locks: none. Index: message_pkey backwards. Rows: one.
select current_setting('server_version_num')::integer as server_number, current_setting('server_version') as server,
       (select max(version) from outbox.schema_version) as schema,
       (date_part('epoch', clock_timestamp()) * 1000000)::bigint as now,
       (select (date_part('epoch', m.staged_at) * 1000000)::bigint from outbox.message m
         where m.id >= '016f0000-0000-0000-0000-000000000000' and m.id < '03c00000-0000-0000-0000-000000000000'
         order by m.id desc limit 1) as newest,
       current_setting('autovacuum')::boolean and current_setting('track_counts')::boolean as autovacuum,
       (select string_agg(c.relname, ', ' order by c.relname)
          from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'outbox'
         where exists (select from unnest(c.reloptions) as o(setting)
                        where o.setting in ('autovacuum_enabled=false', 'autovacuum_enabled=off',
                                            'autovacuum_enabled=0'))) as unvacuumed,
       current_setting('synchronous_commit') as synchronous_commit, current_setting('fsync')::boolean as fsync,
       current_setting('max_prepared_transactions')::integer as two_phase,
       pg_is_in_recovery() as standby,
       (select string_agg(distinct c.relname, ', ')
          from pg_trigger t join pg_class c on c.oid = t.tgrelid
          join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'outbox'
         where t.tgname = 'immutable' and t.tgenabled <> 'O') as editable
