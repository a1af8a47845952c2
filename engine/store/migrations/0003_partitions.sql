-- SPDX-License-Identifier: Apache-2.0
-- Partitions of message and dispatched: one a day, made ahead of time. Ids that are no UUIDv7 of the present
-- have two partitions of their own (low and high), so the default partition stays empty in normal life and
-- attaching a new day costs nothing.
--
-- SQLSTATEs: OB030 days ahead out of range.

-- The smallest UUIDv7 of that moment's millisecond.
create function outbox.uuid_at(moment timestamptz) returns uuid
language sql immutable strict parallel safe set search_path = outbox, pg_temp as $$
    select (lpad(to_hex((floor(date_part('epoch', moment) * 1000))::bigint << 16 | 28672), 16, '0')
            || '8000000000000000')::uuid
$$;

-- When that id was made, if it is a UUIDv7; else nothing.
create function outbox.uuid_time(id uuid) returns timestamptz
language sql immutable strict parallel safe set search_path = outbox, pg_temp as $$
    select case when substr(id::text, 15, 1) = '7' then
        to_timestamp(('x' || translate(substr(id::text, 1, 13), '-', ''))::bit(48)::bigint / 1000.0) end
$$;

create table outbox.message_low partition of outbox.message
    for values from (minvalue) to ('016f0000-0000-0000-0000-000000000000');
create table outbox.message_high partition of outbox.message
    for values from ('03c00000-0000-0000-0000-000000000000') to (maxvalue);
create table outbox.message_default partition of outbox.message default;
create table outbox.dispatched_low partition of outbox.dispatched
    for values from (minvalue) to ('016f0000-0000-0000-0000-000000000000');
create table outbox.dispatched_high partition of outbox.dispatched
    for values from ('03c00000-0000-0000-0000-000000000000') to (maxvalue);
create table outbox.dispatched_default partition of outbox.dispatched default;

-- Makes the partition of one UTC day for one table, unless it is there. Attaches instead of creating in
-- place, so that no writer waits; rows that went to the default partition meanwhile move over.
create function outbox.make_partition(parent text, day date) returns boolean
language plpgsql set search_path = outbox, pg_temp as $$
declare
    child  text := format('%s_%s', parent, to_char(day, 'YYYYMMDD'));
    lower_ uuid := outbox.uuid_at(day::timestamp at time zone 'UTC');
    upper_ uuid := outbox.uuid_at((day + 1)::timestamp at time zone 'UTC');
begin
    if to_regclass(format('outbox.%I', child)) is not null then
        return false;
    end if;
    execute format('create table outbox.%I (like outbox.%I including defaults including constraints)', child, parent);
    execute format('with moved as (delete from outbox.%I where id >= %L and id < %L returning *)
                    insert into outbox.%I select * from moved', parent || '_default', lower_, upper_, child);
    execute format('alter table outbox.%I attach partition outbox.%I for values from (%L) to (%L)',
                   parent, child, lower_, upper_);
    execute format('grant select on outbox.%I to outbox_viewer', child);
    return true;
end
$$;

-- Makes the partitions from yesterday to that many days ahead. Gives how many were made. Waits for no lock
-- longer than half a second; what it could not get is made the next time, days before it is needed.
create function outbox.ensure_partitions(days_ahead integer default 7) returns integer
language plpgsql security definer set search_path = outbox, pg_temp set lock_timeout = '500ms' as $$
declare
    today date := (clock_timestamp() at time zone 'UTC')::date;
    made  integer := 0;
    day   date;
    missing boolean;
begin
    if days_ahead < 1 or days_ahead > 60 then
        raise exception 'days_ahead is %, but must be 1 to 60', days_ahead using errcode = 'OB030';
    end if;
    select exists (select from generate_series(-1, days_ahead) d, (values ('message'), ('dispatched')) t(name)
                    where to_regclass(format('outbox.%I', format('%s_%s', t.name, to_char(today + d, 'YYYYMMDD')))) is null)
      into missing;
    if not missing or not pg_try_advisory_xact_lock(201914, 3) then
        return 0;
    end if;
    for ahead in -1 .. days_ahead loop
        day := today + ahead;
        made := made + outbox.make_partition('message', day)::integer + outbox.make_partition('dispatched', day)::integer;
    end loop;
    return made;
end
$$;

select outbox.ensure_partitions(7);

revoke all on all functions in schema outbox from public;
revoke all on all tables in schema outbox from public;
grant select on all tables in schema outbox to outbox_viewer;
grant execute on function outbox.uuid_at(timestamptz), outbox.uuid_time(uuid) to outbox_viewer, outbox_worker;
grant execute on function outbox.ensure_partitions(integer) to outbox_worker;
