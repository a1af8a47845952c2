-- SPDX-License-Identifier: Apache-2.0
-- Delivery specifications: what each reaction promises, kept where every worker and every console sees the same.
--
-- SQLSTATEs: OB009 no active specification for a type (raised while staging), OB050 a document that is none,
-- OB051 a changed document without a higher version, OB052 a reaction that needs no outbox, OB053 a message with two
-- active specifications, OB054 no such rule for types without specification.

-- The document as it was applied, and the members that queries need; the trigger below fills them, so that they
-- never say anything else.
create table outbox.specification (
    id                  text primary key,
    document            jsonb not null,
    version             integer not null check (version > 0),
    status              text not null check (status in ('draft', 'active', 'retired')),
    decide_by           date check ((status = 'draft') = (decide_by is not null)),
    kind                outbox.message_kind not null,
    destination         text not null,
    guarantee           text not null check (guarantee in ('at_least_once', 'best_effort')),
    repeatable_by_hand  boolean check ((guarantee = 'best_effort') = (repeatable_by_hand is not null)),
    duplicates          text not null check (duplicates in ('message_id', 'business_key')),
    retry_base          interval not null check (retry_base > '0'),
    retry_cap           interval not null check (retry_cap >= retry_base),
    retry_attempts      smallint not null check (retry_attempts between 1 and 1000),
    retry_horizon       interval not null check (retry_horizon >= retry_base),
    ordering            text not null check (ordering in ('none', 'per_key')),
    dead_head           text check (dead_head in ('hold', 'free')),
    retention           interval not null check (retention >= '1 day'),
    pending_age_limit   interval not null check (pending_age_limit > '0'),
    pending_count_limit bigint not null check (pending_count_limit > 0),
    failure_rate_limit  double precision not null check (failure_rate_limit > 0 and failure_rate_limit < 1),
    applied_at          timestamptz not null,
    applied_by          text not null,
    check ((ordering = 'per_key') = (dead_head is not null)),
    constraint needs_no_outbox check (not (status = 'active' and coalesce(repeatable_by_hand, false)))
);

-- Which specification governs a type and version. At most one active; when it retires or lets go of the message, the
-- row stays, no longer active: what waits is still delivered by its rules, until another one takes the message over.
create table outbox.specification_type (
    type          text not null check (type ~ '^[^*[:space:]]+$'),
    version       integer not null check (version > 0),
    specification text not null references outbox.specification,
    active        boolean not null default true,
    primary key (type, version)
);
create index specification_type_by_specification on outbox.specification_type (specification);

-- One row, which only the functions below change; without index, so that reading it is reading one page. May a type
-- without an active specification be staged? Until somebody states it: yes before the first one, no from then on.
create table outbox.specification_setting (
    unspecified text not null default 'accept' check (unspecified in ('accept', 'refuse')),
    stated      boolean not null default false
);
insert into outbox.specification_setting default values;

-- Append-only: who applied what when. The detail is the whole document, or the setting's new value.
create table outbox.specification_audit (
    at            timestamptz not null,
    actor         text not null,
    action        text not null check (action in ('inserted', 'updated', 'retired', 'setting')),
    specification text,
    version       integer,
    detail        jsonb not null,
    check ((action = 'setting') = (specification is null and version is null))
);
create index specification_audit_by_specification on outbox.specification_audit (specification, at);
create trigger immutable before update or delete on outbox.specification_audit
    for each row execute function outbox.refuse_edit('specification_audit');

-- What is missing in a document, whatever wrote it.
create function outbox.check_specification(document jsonb) returns void
language plpgsql immutable set search_path = outbox, pg_temp as $$
declare
    member text;
begin
    foreach member in array array['id', 'version', 'status', 'kind', 'destination', 'guarantee', 'boundary',
                                  'duplicates', 'recovery_owner', 'record_owner', 'ordering', 'retention_ms']
                            || case when document ->> 'status' = 'draft' then array['decider', 'decide_by']
                                    else '{}'::text[] end loop
        if coalesce(document ->> member, '') !~ '\S' then
            raise exception 'specification %: % is missing', coalesce(quote_literal(document ->> 'id'), 'without id'),
                            member
                using errcode = 'OB050', hint = 'Write the document with `outbox spec apply`, which names file and line.';
        end if;
    end loop;
    if jsonb_typeof(document -> 'messages') is distinct from 'array'
       or jsonb_array_length(document -> 'messages') = 0 then
        raise exception 'specification %: messages is missing', quote_literal(document ->> 'id')
            using errcode = 'OB050', hint = 'Name at least one message type with its version.';
    end if;
    if document ->> 'status' = 'active' and document ->> 'guarantee' = 'best_effort'
       and coalesce(document ->> 'repeatable_by_hand', '') = 'true' then
        raise exception 'specification % is best-effort and can be repeated by hand, so it cannot be active',
                        quote_literal(document ->> 'id')
            using errcode = 'OB052',
                  hint = 'Publish that reaction with AfterCommitPublisher after its commit, without a record.';
    end if;
end
$$;

-- Milliseconds of a document as an interval.
create function outbox.millis(number text) returns interval
language sql immutable strict set search_path = outbox, pg_temp as $$
    select number::bigint * interval '1 millisecond'
$$;

create function outbox.read_specification() returns trigger
language plpgsql set search_path = outbox, pg_temp as $$
declare
    d jsonb := new.document;
begin
    perform outbox.check_specification(d);
    new.id := d ->> 'id';
    new.version := d ->> 'version';
    new.status := d ->> 'status';
    new.decide_by := d ->> 'decide_by';
    new.kind := d ->> 'kind';
    new.destination := d ->> 'destination';
    new.guarantee := d ->> 'guarantee';
    new.repeatable_by_hand := d ->> 'repeatable_by_hand';
    new.duplicates := d ->> 'duplicates';
    new.retry_base := outbox.millis(d #>> '{retry,base_ms}');
    new.retry_cap := outbox.millis(d #>> '{retry,cap_ms}');
    new.retry_attempts := d #>> '{retry,attempts}';
    new.retry_horizon := outbox.millis(d #>> '{retry,horizon_ms}');
    new.ordering := d ->> 'ordering';
    new.dead_head := d ->> 'dead_head';
    new.retention := outbox.millis(d ->> 'retention_ms');
    new.pending_age_limit := outbox.millis(d #>> '{limits,pending_age_ms}');
    new.pending_count_limit := d #>> '{limits,pending_count}';
    new.failure_rate_limit := d #>> '{limits,failure_rate}';
    return new;
exception
    when invalid_text_representation or invalid_datetime_format or datetime_field_overflow
         or numeric_value_out_of_range then
        raise exception 'specification %: %', quote_literal(d ->> 'id'), sqlerrm
            using errcode = 'OB050', hint = 'Write the document with `outbox spec apply`, which names file and line.';
end
$$;
create trigger read before insert or update on outbox.specification
    for each row execute function outbox.read_specification();

-- Keeps one document and notes it; says what that did.
create function outbox.keep_specification(document jsonb, moment timestamptz) returns text
language plpgsql set search_path = outbox, pg_temp as $$
#variable_conflict use_variable
declare
    old  outbox.specification;
    done text;
begin
    perform outbox.check_specification(document);
    select s.* into old from outbox.specification s where s.id = document ->> 'id';
    if old.document = document then
        return 'unchanged';
    end if;
    if old.version >= (document ->> 'version')::numeric then
        raise exception 'specification % has changed, and its version % is not above %, which the store has',
                        quote_literal(old.id), document ->> 'version', old.version
            using errcode = 'OB051', hint = 'Raise its version: a version names one text for ever.';
    end if;
    insert into outbox.specification as s (document, applied_at, applied_by) values (document, moment, session_user)
    on conflict (id) do update
       set document = excluded.document, applied_at = excluded.applied_at, applied_by = excluded.applied_by;
    done := case when document ->> 'status' = 'retired' then 'retired' when old.id is null then 'inserted'
                 else 'updated' end;
    insert into outbox.specification_audit (at, actor, action, specification, version, detail)
    values (moment, session_user, done, document ->> 'id', (document ->> 'version')::integer, document);
    return done;
exception
    when not_null_violation or check_violation or invalid_text_representation then
        raise exception 'specification %: %', quote_literal(document ->> 'id'), sqlerrm
            using errcode = 'OB050', hint = 'Write the document with `outbox spec apply`, which names file and line.';
end
$$;

-- Makes an active specification govern one of its messages, and routes the message to its destination.
create function outbox.specify_type(message jsonb, governing text, governing_destination text) returns void
language plpgsql set search_path = outbox, pg_temp as $$
declare
    message_type    text := message ->> 'type';
    message_version integer;
begin
    message_version := message ->> 'version';
    insert into outbox.specification_type as t (type, version, specification)
    values (message_type, message_version, governing)
    on conflict (type, version) do update set specification = excluded.specification, active = true
     where not t.active or t.specification = excluded.specification;
    if not found then
        raise exception '% version % has an active specification already, %; % cannot have it, too', message_type,
                        message_version,
                        (select quote_literal(t.specification) from outbox.specification_type t
                          where t.type = message_type and t.version = message_version), quote_literal(governing)
            using errcode = 'OB053', hint = 'Retire one of the two, or take the message out of it.';
    end if;
    perform outbox.set_route(message_type, governing_destination);
exception
    when not_null_violation or check_violation or invalid_text_representation or numeric_value_out_of_range then
        raise exception 'specification %: % is no message', quote_literal(governing), message
            using errcode = 'OB050', hint = 'A message is a type without "*" or spaces, and a version of 1 or more.';
end
$$;

-- apply_specifications(documents) takes a JSON array of documents and applies all of them or none: new ones, changed
-- ones with a higher version, retired ones. What is not among them stays as it is. Who and when is kept, with the
-- whole document. Active ones route their messages to their destination.
create function outbox.apply_specifications(documents jsonb)
returns table (id text, version integer, outcome text)
language plpgsql volatile security definer set search_path = outbox, pg_temp as $$
#variable_conflict use_column
declare
    moment   timestamptz := clock_timestamp();
    document jsonb;
    message  jsonb;
    outcomes text[] := '{}';
begin
    if jsonb_typeof(documents) is distinct from 'array'
       or exists (select from jsonb_array_elements(documents) e where jsonb_typeof(e.value) <> 'object') then
        raise exception 'the specifications are no JSON array of objects'
            using errcode = 'OB050', hint = 'Apply them with `outbox spec apply FILES`.';
    end if;
    lock table outbox.specification in share row exclusive mode; -- two appliers, one after the other
    for document in select e.value from jsonb_array_elements(documents) with ordinality e order by e.ordinality loop
        outcomes := outcomes || outbox.keep_specification(document, moment);
        if outcomes[cardinality(outcomes)] <> 'unchanged' then
            update outbox.specification_type t set active = false where t.specification = document ->> 'id' and t.active;
        end if;
    end loop;
    -- In the order in which workers set their routes, too: nobody waits for anybody in a circle.
    for document, message in
        select e.value, m.value from jsonb_array_elements(documents) e, jsonb_array_elements(e.value -> 'messages') m
         where e.value ->> 'status' = 'active' order by m.value ->> 'type', m.value ->> 'version' loop
        perform outbox.specify_type(message, document ->> 'id', document ->> 'destination');
    end loop;
    if cardinality(outcomes) > 0 then
        update outbox.specification_setting set unspecified = 'refuse' where not stated and unspecified <> 'refuse';
    end if;
    return query
    select e.value ->> 'id', (e.value ->> 'version')::integer, outcomes[e.ordinality]
      from jsonb_array_elements(documents) with ordinality e order by e.ordinality;
end
$$;

-- States whether types without an active specification may be staged: 'refuse' or 'accept'.
create function outbox.set_unspecified(rule text) returns void
language plpgsql volatile security definer set search_path = outbox, pg_temp as $$
begin
    if rule is null or rule not in ('accept', 'refuse') then
        raise exception 'the rule for types without specification is %', coalesce(quote_literal(rule), 'missing')
            using errcode = 'OB054', hint = 'Use refuse or accept.';
    end if;
    update outbox.specification_setting s set unspecified = rule, stated = true
     where s.unspecified <> rule or not s.stated;
    if found then
        insert into outbox.specification_audit (at, actor, action, detail)
        values (clock_timestamp(), session_user, 'setting', jsonb_build_object('unspecified', rule));
    end if;
end
$$;

-- Has the message an active specification? By its primary key always: a planner that knows the table to be small would
-- read all of it for each message.
create function outbox.is_specified(message_type text, message_version integer) returns boolean
language plpgsql stable set random_page_cost = 0 as $$
begin
    return coalesce((select t.active from outbox.specification_type t
                      where t.type = message_type and t.version = message_version), false);
end
$$;

-- Refuses to stage a type without an active specification when the setting says so. On the way of every staged
-- message: the setting's one row while everything is accepted, and one probe of the primary key else. Called by
-- outbox.stage(), whose search_path and rights it runs with.
create function outbox.check_specified(message_type text, message_version integer) returns void
language plpgsql stable as $$
begin
    if (select s.unspecified = 'refuse' from outbox.specification_setting s)
       and not outbox.is_specified(message_type, message_version) then
        raise exception '% version % has no active specification', message_type, message_version
            using errcode = 'OB009',
                  hint = 'Apply one with `outbox spec apply`, or let such types pass with `outbox spec unspecified accept`.';
    end if;
end
$$;

-- The rules of each specified message, for whoever claims and retries. Not active: its specification is retired or has
-- let go of it; what waits still goes by these rules. A message that is not here has the defaults of its worker.
create view outbox.specification_policy as
    select t.type, t.version, t.specification, t.active, s.kind, s.destination, s.retry_base, s.retry_cap,
           s.retry_attempts, s.retry_horizon, s.ordering, s.dead_head
      from outbox.specification_type t join outbox.specification s on s.id = t.specification;

-- Messages that were staged and have no active specification.
create view outbox.unspecified_type as
    select distinct l.type, l.schema_version as version from outbox.lane l
     where not exists (select from outbox.specification_type t
                        where t.type = l.type and t.version = l.schema_version and t.active);

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

revoke all on outbox.specification, outbox.specification_type, outbox.specification_setting,
              outbox.specification_audit, outbox.specification_policy, outbox.unspecified_type from public;
grant select on outbox.specification, outbox.specification_type, outbox.specification_setting,
                outbox.specification_audit, outbox.specification_policy, outbox.unspecified_type to outbox_viewer;
grant select on outbox.specification_type, outbox.specification_policy to outbox_worker;
revoke all on all functions in schema outbox from public;
grant execute on function outbox.apply_specifications(jsonb), outbox.set_unspecified(text) to outbox_operator;
