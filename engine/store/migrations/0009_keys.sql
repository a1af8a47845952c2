-- SPDX-License-Identifier: Apache-2.0
-- Strict order by ordering key: only the first outstanding record of a key, its head, may be claimed.
--
-- Staging serialises on the key until the caller's transaction ends, so positions are given in the order of commits.
-- A keyed record lives in a lane of its own kind, so the others pay nothing. A claim that meets a record behind its
-- head parks it: it stays pending, with next_attempt_at = 'infinity', out of reach of every further claim. The
-- outcome that ends a head makes the next of its key due. Parking holds the head's row in `keyed` and ending deletes
-- it, so neither can miss the other; whoever stages waits for no worker and no worker for it.
--
-- SQLSTATEs: OB014 ordering key blank or too long, OB041 no reason given, OB044 not a dead letter.

alter table outbox.message add column ordering_key text, add column position bigint;
alter table outbox.lane
    add column ordered boolean not null default false,
    add column frees_key boolean not null default false, -- a dead head lets the next one go instead of holding it
    add column refused boolean not null default false;   -- stage() refuses the type: it has no active specification
drop index outbox.lane_by_type;
create index lane_by_type on outbox.lane (type, schema_version, ordered, lane);

create sequence outbox.position;

-- Every keyed record that is not ended: pending, processing, or a dead letter that holds its key.
create table outbox.keyed (
    ordering_key text not null,
    position     bigint not null,
    id           uuid not null,
    primary key (ordering_key, position)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50000,
        autovacuum_vacuum_insert_threshold = -1, autovacuum_vacuum_cost_delay = 0);
create unique index keyed_by_id on outbox.keyed (id);

-- Append-only: who let the successors of which dead head go, and why.
create table outbox.skip (
    id     uuid not null,
    at     timestamptz not null,
    actor  text not null,
    reason text not null check (reason ~ '\S')
);
create index skip_by_id on outbox.skip (id, at);
create trigger immutable before update or delete on outbox.skip
    for each row execute function outbox.refuse_edit('skip');

-- Takes at most `most` heads from an ordered lane, from `mark` on, and parks what it meets behind heads. The rows
-- that it gives are locked.
create function outbox.take_heads(lane integer, most integer, mark timestamptz, moment timestamptz) returns tid[]
language plpgsql volatile
set search_path = outbox, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set enable_bitmapscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
#variable_conflict use_column
declare
    lane_   integer := lane;
    heads   tid[] := '{}';
    more    tid[];
    from_at timestamptz := mark;
    from_id uuid := '00000000-0000-0000-0000-000000000000';
    last_at timestamptz;
    last_id uuid;
begin
    for round in 1..8 loop
        exit when cardinality(heads) >= most;
        with met as materialized (
            select q.place, q.next_attempt_at, q.id, k.position, head.position as first, head.place as first_place
              from (select p.ctid as place, p.next_attempt_at, p.id from outbox.pending p
                     where p.lane = lane_ and p.next_attempt_at >= from_at and p.next_attempt_at <= moment
                       and (p.next_attempt_at, p.id) > (from_at, from_id)
                     order by p.next_attempt_at, p.id
                     limit most - cardinality(heads)
                       for update skip locked) q
             cross join lateral (select k.ordering_key, k.position from outbox.keyed k where k.id = q.id limit 1) k
             cross join lateral (select h.position, h.ctid as place from outbox.keyed h
                                  where h.ordering_key = k.ordering_key order by h.position limit 1) head),
        holding as (
            select h.position from outbox.keyed h
             where h.ctid = any (array(select m.first_place from met m where m.position > m.first))
               for share skip locked),
        parked as (
            update outbox.pending p set next_attempt_at = 'infinity'
             where p.ctid = any (array(select m.place from met m join holding h on h.position = m.first
                                        where m.position > m.first)))
        select array_agg(m.place) filter (where m.position = m.first), max(m.next_attempt_at),
               (array_agg(m.id order by m.next_attempt_at desc, m.id desc))[1]
          into more, last_at, last_id
          from met m;
        exit when last_at is null;
        heads := heads || more;
        from_at := last_at;
        from_id := last_id;
    end loop;
    return heads;
end
$$;

-- These keyed records are ended: the next one of each key becomes due. Two ends of one key that meet take turns, or
-- each would leave the next one to the other.
create function outbox.end_keys(ids uuid[]) returns void
language plpgsql volatile
set search_path = outbox, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
    keys   text[];
    turn   integer;
begin
    with ended as (delete from outbox.keyed k where k.id = any (ids) returning k.ordering_key)
    select array_agg(distinct ordering_key) into keys from ended;
    if keys is null then
        return;
    end if;
    for turn in select distinct hashtext(key) from unnest(keys) as key order by 1 loop
        perform pg_advisory_xact_lock(201915, turn);
    end loop;
    update outbox.pending p set next_attempt_at = clock_timestamp()
     where p.id = any (array(
            select head.id from unnest(keys) as ended(key)
             cross join lateral (select k.id from outbox.keyed k where k.ordering_key = ended.key
                                  order by k.position limit 1) head))
       and p.next_attempt_at = 'infinity';
    if found then
        perform outbox.wake_others();
    end if;
end
$$;

-- Ends the keys of what stands in ordered lanes, if any does.
create function outbox.end_keys_of(lanes integer[], ids uuid[], only_freeing boolean default false) returns void
language plpgsql volatile set search_path = outbox, pg_temp as $$
#variable_conflict use_column
declare
    keyed uuid[];
begin
    if not exists (select from outbox.lane l where l.lane = any (lanes) and l.ordered) then
        return;
    end if;
    select array_agg(r.id) into keyed
      from unnest(lanes, ids) as r(lane, id) join outbox.lane l on l.lane = r.lane
     where l.ordered and (l.frees_key or not only_freeing);
    if keyed is not null then
        perform outbox.end_keys(keyed);
    end if;
end
$$;

-- Lets the successors of a dead letter go without it; the record stays a dead letter and can still be replayed.
-- False when it held no key.
create function outbox.skip(id uuid, reason text) returns boolean
language plpgsql volatile security definer set search_path = outbox, pg_temp as $$
#variable_conflict use_variable
begin
    if reason is null or reason !~ '\S' then
        raise exception 'a skip needs a reason'
            using errcode = 'OB041', hint = 'Say why the order may be broken here.';
    end if;
    perform from outbox.dead_letter d where d.id = skip.id for update;
    if not found then
        raise exception 'message % is not a dead letter', id
            using errcode = 'OB044', hint = 'Only a dead letter holds its key; what is tried again keeps its turn.';
    end if;
    if not exists (select from outbox.keyed k where k.id = skip.id) then
        return false;
    end if;
    insert into outbox.skip (id, at, actor, reason) values (id, clock_timestamp(), session_user, reason);
    perform outbox.end_keys(array[id]);
    return true;
end
$$;

drop function outbox.make_lane(text, integer);
-- Makes a lane for a type and version that has none yet. Rare: once in the life of each.
create function outbox.make_lane(message_type text, message_version integer, ordered boolean) returns integer
language sql set search_path = outbox, pg_temp as $$
    insert into outbox.lane (destination, type, schema_version, ordered, frees_key)
    values (outbox.destination_of(message_type), message_type, message_version, ordered,
            coalesce((select p.dead_head = 'free' from outbox.specification_policy p
                       where p.type = message_type and p.version = message_version), false))
    returning lane
$$;

-- Writes into the lanes what the specifications say of their types, so that stage() and the outcomes read it there.
-- Due whenever specifications or the rule for types without one change.
create function outbox.specify_lanes() returns void
language sql volatile set search_path = outbox, pg_temp as $$
    update outbox.lane l set refused = said.refused, frees_key = said.frees_key
      from (select k.lane, coalesce(p.dead_head = 'free', false) as frees_key,
                   s.unspecified = 'refuse' and not coalesce(p.active, false) as refused
              from outbox.lane k
             cross join outbox.specification_setting s
              left join outbox.specification_policy p on p.type = k.type and p.version = k.schema_version) said
     where said.lane = l.lane and (said.refused, said.frees_key) is distinct from (l.refused, l.frees_key)
$$;
create function outbox.specify_lanes_after() returns trigger
language plpgsql set search_path = outbox, pg_temp as $$
begin
    perform outbox.specify_lanes();
    return null;
end
$$;
create trigger specify_lanes after insert or update on outbox.specification
    for each statement execute function outbox.specify_lanes_after();
create trigger specify_lanes after insert or update on outbox.specification_type
    for each statement execute function outbox.specify_lanes_after();
create trigger specify_lanes after update on outbox.specification_setting
    for each statement execute function outbox.specify_lanes_after();

drop function outbox.stage(text, text, integer, text, text, timestamptz, text, jsonb, uuid, timestamptz);
drop function outbox.stage(text, text, integer, json, text, timestamptz, text, jsonb, uuid, timestamptz);
drop function outbox.stage(text, text, integer, jsonb, text, timestamptz, text, jsonb, uuid, timestamptz);

-- stage(kind, type, schema_version, payload, ...) gives the message's id. It joins the caller's transaction
-- and never commits: the message exists if, and only if, that transaction commits.
--   payload      JSON text, kept byte for byte
--   event_record the Event record that an integration_event cites; none for the other kinds
--   occurred_at  when it happened; now by default
--   headers      a JSON object of texts, travels with the message
--   id           the caller's own id; a UUIDv7 made here by default
--   not_before   first attempt not before then
--   ordering_key messages of one key are delivered strictly in the order of their commits. Staging one waits for
--                other transactions that staged for the same key; stage several keys in the same order everywhere
--
-- Waking: when some worker sleeps, the commit notifies; nobody sleeps while there is work, so a busy outbox
-- sends no NOTIFY. The shared lock is held until the commit can be seen: a worker about to sleep tries to
-- take it exclusively, and while it cannot, some staging is on its way and it looks again soon. A session
-- that prepares its transaction (two-phase commit) must not notify: set outbox.wake = 'off' there.
create function outbox.stage(
    kind text, type text, schema_version integer, payload text,
    event_record text default null, occurred_at timestamptz default null, tenant text default null,
    headers jsonb default null, id uuid default null, not_before timestamptz default null,
    ordering_key text default null)
returns uuid
language plpgsql volatile security definer set search_path = outbox, pg_temp as $$
#variable_conflict use_variable
declare
    moment timestamptz := clock_timestamp();
    micros bigint := (date_part('epoch', moment) * 1000000)::bigint;
    body   json;
    lane_  integer;
    refused boolean;
    asleep boolean;
    id_    uuid := id;
    place  bigint;
begin
    begin
        body := payload::json;
    exception
        when data_exception or program_limit_exceeded or statement_too_complex then body := null;
    end;
    if (body is not null and schema_version > 0 and btrim(type, E' \t\r\n\f\x0b') <> ''
        and (kind in ('journey_step_command', 'provider_side_effect') and event_record is null
             or kind = 'integration_event' and btrim(event_record, E' \t\r\n\f\x0b') <> '')) is not true then
        perform outbox.refuse_stage(kind, type, schema_version, event_record, payload, body);
    end if;
    if headers is not null then
        perform outbox.check_headers(headers, type);
    end if;
    if not (coalesce(occurred_at, moment) between '0001-01-01 00:00:00Z' and '9999-12-31 23:59:59Z'
            and coalesce(not_before, moment) between '0001-01-01 00:00:00Z' and '9999-12-31 23:59:59Z') then
        raise exception 'a time of % lies outside of the years 1 to 9999', type
            using errcode = 'OB008', hint = 'Give a finite occurred_at and not_before, or leave them out.';
    end if;

    if ordering_key is not null then
        if btrim(ordering_key) = '' or length(ordering_key) > 500 then
            raise exception 'the ordering key of % is %', type,
                            case when btrim(ordering_key) = '' then 'blank' else 'too long' end
                using errcode = 'OB014', hint = 'Give 1 to 500 characters that name what must stay in order, or leave it out.';
        end if;
        perform pg_advisory_xact_lock(201916, hashtext(ordering_key));
        place := nextval('outbox.position');
    end if;
    -- The lock first, then the sleepers: a worker that goes to sleep in between finds the lock taken.
    select l.lane, l.refused into lane_, refused from outbox.lane l
     where l.type = stage.type and l.schema_version = stage.schema_version and l.ordered = (place is not null)
     order by l.lane desc limit 1;
    if lane_ is null or refused then
        perform outbox.check_specified(type, schema_version);
    end if;
    asleep := case when pg_try_advisory_xact_lock_shared(201914, 2)
                   then (select q.last_value <> 0 from outbox.sleepers q) else true end;
    if lane_ is null then
        lane_ := outbox.make_lane(type, schema_version, place is not null);
    end if;

    if id_ is null then
        -- UUIDv7: milliseconds, then the fraction of the millisecond in 12 bits, then chance.
        id_ := (lpad(to_hex((micros / 1000) << 16 | 28672 | (micros % 1000) * 4096 / 1000), 16, '0')
                || substr(gen_random_uuid()::text, 20))::uuid;
        insert into outbox.message
               (id, kind, event_record, type, schema_version, occurred_at, staged_at, tenant, payload, headers,
                ordering_key, position)
        values (id_, kind::outbox.message_kind, event_record, type, schema_version, coalesce(occurred_at, moment), moment,
                tenant, body, headers, ordering_key, place);
    else
        begin
            insert into outbox.message
                   (id, kind, event_record, type, schema_version, occurred_at, staged_at, tenant, payload, headers,
                    ordering_key, position)
            values (id_, kind::outbox.message_kind, event_record, type, schema_version, coalesce(occurred_at, moment),
                    moment, tenant, body, headers, ordering_key, place);
        exception
            when unique_violation then
                raise exception 'message % is staged already', id_
                    using errcode = 'OB006', hint = 'An id names one message for ever; let the outbox make a new one.';
        end;
    end if;
    insert into outbox.pending (id, lane, attempt, next_attempt_at, staged_at)
    values (id_, lane_, 0, greatest(not_before, moment), moment);
    if place is not null then
        insert into outbox.keyed (ordering_key, position, id) values (ordering_key, place, id_);
    end if;
    if asleep and current_setting('outbox.wake', true) is distinct from 'off' then
        perform pg_notify('outbox_wake', '');
    end if;
    return id_;
end
$$;

-- The same for callers who hold their payload as json or jsonb.
create function outbox.stage(
    kind text, type text, schema_version integer, payload json,
    event_record text default null, occurred_at timestamptz default null, tenant text default null,
    headers jsonb default null, id uuid default null, not_before timestamptz default null,
    ordering_key text default null)
returns uuid
language sql volatile security definer set search_path = outbox, pg_temp as $$
    select outbox.stage(kind, type, schema_version, payload::text, event_record, occurred_at, tenant, headers, id, not_before,
                        ordering_key)
$$;

create function outbox.stage(
    kind text, type text, schema_version integer, payload jsonb,
    event_record text default null, occurred_at timestamptz default null, tenant text default null,
    headers jsonb default null, id uuid default null, not_before timestamptz default null,
    ordering_key text default null)
returns uuid
language sql volatile security definer set search_path = outbox, pg_temp as $$
    select outbox.stage(kind, type, schema_version, payload::text, event_record, occurred_at, tenant, headers, id, not_before,
                        ordering_key)
$$;

-- Puts every type on its present route: lanes without destination get theirs, and a type whose newest lane leads
-- elsewhere gets a new lane, because stage() takes the newest. A lane made in a transaction that saw the routes of
-- before is visible to no set_routes() until it commits, so this is due now and then.
create or replace function outbox.route_lanes() returns bigint
language plpgsql volatile security definer set search_path = outbox, pg_temp as $$
declare
    routed bigint;
begin
    update outbox.lane l set destination = outbox.destination_of(l.type)
     where l.destination is null and outbox.destination_of(l.type) is not null;
    get diagnostics routed = row_count;
    if routed > 0 then
        perform outbox.wake_others();
    end if;
    insert into outbox.lane (destination, type, schema_version, ordered, frees_key, refused)
    select outbox.destination_of(l.type), l.type, l.schema_version, l.ordered, l.frees_key, l.refused
      from (select distinct on (l.type, l.schema_version, l.ordered) l.* from outbox.lane l
             order by l.type, l.schema_version, l.ordered, l.lane desc) l
     where l.destination <> outbox.destination_of(l.type);
    perform outbox.specify_lanes(); -- for the same reason
    return routed;
end
$$;

-- Puts dead letters back to pending: same id, same payload, attempts from the beginning. Each gets a verdict;
-- the audit row and the change are one transaction, and the actor is the login, not an argument. A keyed record
-- takes its old place in the order again.
create or replace function outbox.replay(ids uuid[], reason text)
returns table (id uuid, replayed boolean, why text)
language plpgsql volatile security definer set search_path = outbox, pg_temp as $$
#variable_conflict use_column
declare
    reason_ text := reason;
    moment  timestamptz := clock_timestamp();
    done    uuid[];
begin
    if reason_ is null or reason_ !~ '\S' then
        raise exception 'a replay needs a reason'
            using errcode = 'OB040', hint = 'Say what was repaired, so that the next person can tell.';
    end if;
    with gone as (
        delete from outbox.dead_letter d where d.id = any (ids)
        returning d.id, d.lane, d.cause, d.reason),
    back as (
        insert into outbox.pending (id, lane, attempt, next_attempt_at, staged_at)
        select g.id, g.lane, 0, moment, m.staged_at from gone g join outbox.message m on m.id = g.id),
    in_order as (
        insert into outbox.keyed (ordering_key, position, id)
        select m.ordering_key, m.position, g.id from gone g join outbox.message m on m.id = g.id
         where m.position is not null
            on conflict do nothing),
    noted as (
        insert into outbox.replay (id, at, actor, reason, cause, failure)
        select g.id, moment, session_user, reason_, g.cause, g.reason from gone g)
    select array_agg(g.id) into done from gone g;
    if done is not null then
        perform outbox.wake_others();
    end if;
    return query
    select asked.id, asked.id = any (coalesce(done, '{}')),
           case when asked.id = any (coalesce(done, '{}')) then null
                when not exists (select from outbox.message m where m.id = asked.id) then 'no such record'
                else 'not a dead letter' end
      from (select distinct unnest(ids) as id) asked;
end
$$;

revoke all on all tables in schema outbox from public;
grant select on outbox.keyed, outbox.skip to outbox_viewer;
revoke all on all functions in schema outbox from public;
grant execute on function
    outbox.stage(text, text, integer, text, text, timestamptz, text, jsonb, uuid, timestamptz, text),
    outbox.stage(text, text, integer, json, text, timestamptz, text, jsonb, uuid, timestamptz, text),
    outbox.stage(text, text, integer, jsonb, text, timestamptz, text, jsonb, uuid, timestamptz, text)
    to outbox_writer;
grant execute on function outbox.skip(uuid, text) to outbox_operator;
