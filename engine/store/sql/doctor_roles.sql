-- SPDX-License-Identifier: Apache-2.0
-- Purpose: which of the four roles the session has. Locks: none. Index: catalog. Rows: one.
select session_user::text,
       (select coalesce(string_agg(r.name, ', '), '')
          from unnest(array['outbox_writer', 'outbox_worker', 'outbox_operator', 'outbox_viewer']) as r(name)
         where pg_has_role(session_user, r.name, 'usage')) as roles,
       (select rolsuper from pg_roles where rolname = session_user) as superuser,
       pg_has_role(session_user, 'pg_read_all_stats', 'usage') as sees_sessions
