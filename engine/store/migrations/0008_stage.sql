-- SPDX-License-Identifier: Apache-2.0
-- Staging: the only way for an application to put a message into the outbox, inside its own transaction.
--
-- SQLSTATEs: OB001 kind, OB002 type, OB003 schema version, OB004 payload, OB005 Event record, OB006 duplicate
-- id, OB007 headers, OB008 time out of range, OB014 ordering key blank or too long; OB009 no active specification comes
-- from 0004_specifications.

-- Refuses a message that is wrong by what every caller says of it.
create function outbox.check_contract(
    kind text, type text, schema_version integer, event_record text, payload text, body json)
returns void
language plpgsql immutable set search_path = outbox, pg_temp as $$
begin
    if kind is null or kind not in ('integration_event', 'journey_step_command', 'provider_side_effect') then
        raise exception 'kind is %, which is no kind of message', coalesce(quote_literal(kind), 'missing')
            using errcode = 'OB001',
                  hint = 'Use integration_event, journey_step_command or provider_side_effect.';
    end if;
    if type is null or btrim(type, E' \t\r\n\f\x0b') = '' then
        raise exception 'type is %', case when type is null then 'missing' else 'blank' end
            using errcode = 'OB002', hint = 'Give the stable name of the message''s contract, such as orders.placed.';
    end if;
    if schema_version is null or schema_version < 1 then
        raise exception 'schema_version of % is %', type, coalesce(schema_version::text, 'missing')
            using errcode = 'OB003', hint = 'Versions begin at 1.';
    end if;
    if body is null then
        raise exception 'the payload of % is %', type, case when payload is null then 'missing' else 'not JSON' end
            using errcode = 'OB004', hint = 'Pass one JSON value as text; a binary body as a base64 text in JSON.';
    end if;
    if kind = 'integration_event' and coalesce(btrim(event_record, E' \t\r\n\f\x0b'), '') = '' then
        raise exception 'the integration event % cites no Event record', type
            using errcode = 'OB005', hint = 'Pass event_record => the identity of the Event record that it publishes.';
    end if;
    if kind <> 'integration_event' and event_record is not null then
        raise exception 'the % % cites an Event record', kind, type
            using errcode = 'OB005', hint = 'Only an integration_event has one; leave event_record out.';
    end if;
end
$$;

-- Headers are a JSON object whose values are texts.
create function outbox.check_headers(headers jsonb, message_type text) returns void
language plpgsql immutable set search_path = outbox, pg_temp as $$
declare
    wrong text;
begin
    if jsonb_typeof(headers) <> 'object' then
        raise exception 'the headers of % are a JSON %', message_type, jsonb_typeof(headers)
            using errcode = 'OB007', hint = 'Pass a JSON object of texts, such as {"traceparent": "00-..."}.';
    end if;
    select key into wrong from jsonb_each(headers) where jsonb_typeof(value) <> 'string' or key = '' limit 1;
    if found then
        raise exception 'header % of % is not a text', quote_literal(wrong), message_type
            using errcode = 'OB007', hint = 'Every header has a name and a text value.';
    end if;
end
$$;

-- A new UUIDv7: milliseconds, then the fraction of the millisecond in 12 bits, then chance. Without `set`, so that
-- it becomes a part of the expression that calls it.
create function outbox.new_id(moment timestamptz) returns uuid
language sql volatile as $$
    select encode(int8send(((date_part('epoch', moment) * 1000000)::bigint / 1000) << 16 | 28672
                           | ((date_part('epoch', moment) * 1000000)::bigint % 1000) * 4096 / 1000)
                  || substring(uuid_send(gen_random_uuid()), 9), 'hex')::uuid
$$;

-- What stage() checks of the arguments that most callers leave out.
create function outbox.check_options(
    message_type text, headers jsonb, occurred_at timestamptz, not_before timestamptz, ordering_key text) returns void
language plpgsql immutable set search_path = outbox, pg_temp as $$
begin
    if headers is not null then
        perform outbox.check_headers(headers, message_type);
    end if;
    if not (coalesce(occurred_at, '2000-01-01 00:00:00Z') between '0001-01-01 00:00:00Z' and '9999-12-31 23:59:59Z'
            and coalesce(not_before, '2000-01-01 00:00:00Z') between '0001-01-01 00:00:00Z' and '9999-12-31 23:59:59Z') then
        raise exception 'a time of % lies outside of the years 1 to 9999', message_type
            using errcode = 'OB008', hint = 'Give a finite occurred_at and not_before, or leave them out.';
    end if;
    if btrim(ordering_key) = '' or length(ordering_key) > 500 then
        raise exception 'the ordering key of % is %', message_type,
                        case when btrim(ordering_key) = '' then 'blank' else 'too long' end
            using errcode = 'OB014', hint = 'Give 1 to 500 characters that name what must stay in order, or leave it out.';
    end if;
end
$$;

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
--
-- Every expression and statement of this function is set up anew in each transaction, and most transactions call it
-- once: so few of them, and what is rare stands in functions of its own.
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
    body   json;
    id_    uuid := id;
    place  bigint;
begin
    begin
        body := payload::json;
    exception
        when data_exception or program_limit_exceeded or statement_too_complex then null;
    end;
    if (body is not null and schema_version > 0 and btrim(type, E' \t\r\n\f\x0b') <> ''
        and (kind in ('journey_step_command', 'provider_side_effect') and event_record is null
             or kind = 'integration_event' and btrim(event_record, E' \t\r\n\f\x0b') <> '')
        and headers is null and occurred_at is null and not_before is null and ordering_key is null) is not true then
        perform outbox.check_contract(kind, type, schema_version, event_record, payload, body);
        perform outbox.check_options(type, headers, occurred_at, not_before, ordering_key);
        if ordering_key is not null then
            perform pg_advisory_xact_lock(201916, hashtext(ordering_key));
            place := nextval('outbox.position');
        end if;
    end if;

    if id_ is null then
        id_ := outbox.new_id(moment);
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
    select id_, max(l.lane), 0, greatest(not_before, moment), moment from outbox.lane l
     where l.type = stage.type and l.schema_version = stage.schema_version and l.ordered = (place is not null)
       and not l.refused
    having max(l.lane) is not null;
    if not found then
        perform outbox.check_specified(type, schema_version);
        insert into outbox.pending (id, lane, attempt, next_attempt_at, staged_at)
        values (id_, outbox.lane_for(type, schema_version, place is not null), 0, greatest(not_before, moment), moment);
    end if;
    if place is not null then
        insert into outbox.keyed (ordering_key, position, id) values (ordering_key, place, id_);
    end if;
    -- The lock first, then the sleepers: a worker that goes to sleep in between finds the lock taken.
    if (case when pg_try_advisory_xact_lock_shared(201914, 2)
             then pg_sequence_last_value('outbox.sleepers') <> 0 else true end
        and current_setting('outbox.wake', true) is distinct from 'off') then
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

revoke all on all functions in schema outbox from public;
grant execute on function
    outbox.stage(text, text, integer, text, text, timestamptz, text, jsonb, uuid, timestamptz, text),
    outbox.stage(text, text, integer, json, text, timestamptz, text, jsonb, uuid, timestamptz, text),
    outbox.stage(text, text, integer, jsonb, text, timestamptz, text, jsonb, uuid, timestamptz, text)
    to outbox_writer;
