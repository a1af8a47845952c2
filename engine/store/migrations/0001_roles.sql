-- SPDX-License-Identifier: Apache-2.0
-- The schema, the four roles and the table of versions.
--
-- Roles belong to the whole cluster, so they may be there already, made by another database's migration.

do $$
declare
    wanted text;
begin
    foreach wanted in array array['outbox_writer', 'outbox_worker', 'outbox_operator', 'outbox_viewer'] loop
        if not exists (select from pg_catalog.pg_roles where rolname = wanted) then
            begin
                execute pg_catalog.format('create role %I nologin', wanted);
            exception
                when duplicate_object or unique_violation then null; -- another database migrates at this moment
            end;
        end if;
    end loop;
end
$$;

create schema outbox;
revoke all on schema outbox from public;
grant usage on schema outbox to outbox_writer, outbox_worker, outbox_operator, outbox_viewer;

-- Whoever operates may look, too.
do $$
begin
    if not pg_catalog.pg_has_role('outbox_operator', 'outbox_viewer', 'member') then
        grant outbox_viewer to outbox_operator;
    end if;
end
$$;

-- One row a migration that was applied. The highest number is the schema's version.
create table outbox.schema_version (
    version    integer primary key check (version > 0),
    name       text not null,
    checksum   text not null, -- of the migration's text: a program refuses what another build made of it
    applied_at timestamptz not null default clock_timestamp()
);
grant select on outbox.schema_version to outbox_writer, outbox_worker, outbox_viewer;
