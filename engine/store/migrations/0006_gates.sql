-- SPDX-License-Identifier: Apache-2.0
-- What may stand between a due record and its destination: an operator's pause, a breaker, a limit of concurrency,
-- a limit of rate. All of it is kept here, so every worker and every language obeys the same, and the claim asks it:
-- a record that waits behind a gate is not touched, uses no attempt, and its retry horizon waits with it.
--
-- A destination without rows here is open without limits, and costs a claim four probes of empty tables.
--
-- SQLSTATEs: OB041 no reason given, OB042 no such destination, OB043 limit out of range.

-- A row is a pause.
create table outbox.destination_pause (
    destination text primary key,
    at          timestamptz not null,
    actor       text not null,
    reason      text not null check (reason ~ '\S')
);

create table outbox.concurrency_limit (
    destination text primary key,
    most        integer not null check (most > 0)
);

-- A token bucket: `tokens` as of counted_at; a claim takes one for each record.
create table outbox.rate_limit (
    destination text primary key,
    per_second  double precision not null check (per_second > 0),
    burst       integer not null check (burst > 0),
    tokens      double precision not null,
    counted_at  timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- When a breaker opens and for how long; a destination without a row has the row of the name ''.
create table outbox.breaker_rule (
    destination text primary key,
    failures    integer not null check (failures > 0),
    first_pause interval not null check (first_pause > '0'),
    last_pause  interval not null check (last_pause >= first_pause)
);
insert into outbox.breaker_rule values ('', 50, '5 seconds', '1 minute');

-- Failures in a row since the destination last answered. No row: none.
create table outbox.failure_streak (
    destination text primary key,
    failures    integer not null check (failures > 0)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- A row is a breaker that is not closed: open until that time, then half-open: one real record is let through, and
-- what becomes of it closes the breaker or opens it for longer. `probe` is the fence it went out with.
create table outbox.open_breaker (
    destination text primary key,
    trips       integer not null check (trips > 0),
    opened_at   timestamptz not null,
    open_until  timestamptz not null,
    probe       bigint not null default 0
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Append-only: who or what opened and closed which gate.
create table outbox.gate_event (
    at          timestamptz not null,
    destination text not null,
    event       text not null check (event in ('paused', 'resumed', 'limited', 'opened', 'closed')),
    actor       text not null,
    note        text not null
);
create index gate_event_by_destination on outbox.gate_event (destination, at);
create trigger immutable before update or delete on outbox.gate_event
    for each row execute function outbox.refuse_edit('gate_event');

create function outbox.note_gate(destination text, event text, note text) returns void
language sql volatile set search_path = outbox, pg_temp as $$
    insert into outbox.gate_event (at, destination, event, actor, note)
    values (clock_timestamp(), destination, event, session_user, note)
$$;

-- Records of the destination that are under a lease now.
create function outbox.in_flight(destination text) returns bigint
language sql stable set search_path = outbox, pg_temp set enable_seqscan = off set enable_hashjoin = off
set enable_mergejoin = off as $$
    select coalesce(sum(held.records), 0)::bigint
      from outbox.lease le
     cross join lateral (
        select count(*) as records from outbox.processing p
         where p.fence = le.fence
           and p.lane = any (array(select l.lane from outbox.lane l where l.destination = in_flight.destination))) held
$$;

-- The tokens that a bucket has at that moment.
create function outbox.tokens_at(bucket outbox.rate_limit, moment timestamptz) returns double precision
language sql immutable set search_path = outbox, pg_temp as $$
    select least(bucket.burst, bucket.tokens
                 + bucket.per_second * greatest(extract(epoch from moment - bucket.counted_at), 0))
$$;

-- True while the record that probes a half-open breaker is on its way.
create function outbox.is_probing(breaker outbox.open_breaker) returns boolean
language sql stable set search_path = outbox, pg_temp set enable_seqscan = off as $$
    select exists (select from outbox.lease le where le.fence = breaker.probe)
       and exists (select from outbox.processing p
                    where p.fence = breaker.probe
                      and p.lane = any (array(select l.lane from outbox.lane l
                                               where l.destination = breaker.destination)))
$$;

create function outbox.no_gates() returns boolean
language sql stable set search_path = outbox, pg_temp as $$
    select not exists (select from outbox.destination_pause) and not exists (select from outbox.open_breaker)
       and not exists (select from outbox.concurrency_limit) and not exists (select from outbox.rate_limit)
$$;

-- Those of the destinations that let records through, and how many at this moment; null: any number. Whoever counts
-- holds the gate until its transaction ends, so that two claims cannot both have the last place.
create function outbox.openings(destinations text[], moment timestamptz)
returns table (destination text, room integer)
language plpgsql volatile set search_path = outbox, pg_temp as $$
#variable_conflict use_column
begin
    perform from outbox.open_breaker b
      where b.destination = any (destinations) and b.open_until <= moment order by b.destination for update;
    perform from outbox.concurrency_limit c
      where c.destination = any (destinations) order by c.destination for update;
    perform from outbox.rate_limit r where r.destination = any (destinations) order by r.destination for update;
    return query
    select asked.destination,
           least(case when b.destination is not null then case when outbox.is_probing(b) then 0 else 1 end end,
                 case when c.destination is not null
                      then greatest(c.most - outbox.in_flight(c.destination), 0)::integer end,
                 case when r.destination is not null
                      then floor(greatest(outbox.tokens_at(r, moment), 0))::integer end)
      from (select distinct unnest(destinations) as destination) asked
      left join outbox.open_breaker b on b.destination = asked.destination
      left join outbox.concurrency_limit c on c.destination = asked.destination
      left join outbox.rate_limit r on r.destination = asked.destination
     where not exists (select from outbox.destination_pause p where p.destination = asked.destination)
       and coalesce(b.open_until <= moment, true);
end
$$;

-- When the destination lets the next record through as far as anybody can tell: null for what only an event ends (a
-- pause, a probe on its way, a full limit of concurrency).
create function outbox.opens_at(destination text, moment timestamptz) returns timestamptz
language sql stable set search_path = outbox, pg_temp as $$
    select case
             when exists (select from outbox.destination_pause p where p.destination = opens_at.destination) then null
             when b.open_until <= moment and outbox.is_probing(b) then null
             when c.most <= outbox.in_flight(c.destination) then null
             else greatest(moment, b.open_until,
                           moment + make_interval(secs => greatest(1 - outbox.tokens_at(r, moment), 0) / r.per_second))
           end
      from (values (destination)) as asked(destination)
      left join outbox.open_breaker b on b.destination = asked.destination
      left join outbox.concurrency_limit c on c.destination = asked.destination
      left join outbox.rate_limit r on r.destination = asked.destination
$$;

-- After a claim: what it took from limited destinations, and which half-open breakers it probes.
create function outbox.pass_gates(fence bigint, moment timestamptz) returns void
language plpgsql volatile set search_path = outbox, pg_temp as $$
#variable_conflict use_variable
declare
    taken record;
begin
    for taken in
        select l.destination, count(*) as records
          from outbox.processing p join outbox.lane l on l.lane = p.lane
         where p.fence = pass_gates.fence group by l.destination order by l.destination
    loop
        update outbox.rate_limit r set tokens = outbox.tokens_at(r, moment) - taken.records, counted_at = moment
         where r.destination = taken.destination;
        update outbox.open_breaker b set probe = fence where b.destination = taken.destination;
    end loop;
end
$$;

create function outbox.destinations_of(lanes integer[]) returns text[]
language sql stable set search_path = outbox, pg_temp as $$
    select array_agg(distinct l.destination order by l.destination) from outbox.lane l
     where l.lane = any (lanes) and l.destination is not null
$$;

-- Destinations of these lanes have answered: their streaks end and their breakers close.
create function outbox.destination_answered(lanes integer[]) returns void
language plpgsql volatile set search_path = outbox, pg_temp as $$
declare
    answered text[];
    closed   text;
begin
    if not exists (select from outbox.failure_streak) and not exists (select from outbox.open_breaker) then
        return;
    end if;
    answered := outbox.destinations_of(lanes);
    perform from outbox.failure_streak s where s.destination = any (answered) order by s.destination for update;
    delete from outbox.failure_streak s where s.destination = any (answered);
    perform from outbox.open_breaker b where b.destination = any (answered) order by b.destination for update;
    for closed in
        delete from outbox.open_breaker b where b.destination = any (answered) returning b.destination
    loop
        perform outbox.note_gate(closed, 'closed', 'the destination answered');
        perform outbox.wake_others();
    end loop;
end
$$;

-- Destinations of these lanes (one element a failed attempt) could not be reached or did not work. As many failures
-- in a row as the rule says open the breaker; each failed probe opens it for twice as long.
create function outbox.destination_failed(lanes integer[]) returns void
language plpgsql volatile set search_path = outbox, pg_temp as $$
#variable_conflict use_column
declare
    moment constant timestamptz := clock_timestamp();
    missed record;
    rule   outbox.breaker_rule;
    streak integer;
    pause  interval;
begin
    for missed in
        select l.destination, count(*)::integer as failures
          from unnest(lanes) as f(lane) join outbox.lane l on l.lane = f.lane
         where l.destination is not null
         group by l.destination order by l.destination
    loop
        insert into outbox.failure_streak as s (destination, failures) values (missed.destination, missed.failures)
        on conflict (destination) do update set failures = s.failures + excluded.failures
        returning failures into streak;
        select * into rule from outbox.breaker_rule r
         where r.destination in (missed.destination, '') order by r.destination desc limit 1;
        if streak < rule.failures then
            continue;
        end if;
        insert into outbox.open_breaker as b (destination, trips, opened_at, open_until)
        values (missed.destination, 1, moment, moment + rule.first_pause)
        on conflict (destination) do update
           set trips = b.trips + 1, probe = 0,
               open_until = moment + least(rule.last_pause, rule.first_pause * power(2, least(b.trips, 20)))
         where b.open_until <= moment
        returning open_until - moment into pause;
        if pause is not null then
            perform outbox.note_gate(missed.destination, 'opened', format('%s failures in a row; open for %s', streak, pause));
        end if;
        pause := null;
    end loop;
end
$$;

create function outbox.check_gate(destination text, reason text) returns void
language plpgsql stable set search_path = outbox, pg_temp as $$
#variable_conflict use_variable
begin
    if reason is null or reason !~ '\S' then
        raise exception 'a change of a gate needs a reason'
            using errcode = 'OB041', hint = 'Say why, so that the next person can tell.';
    end if;
    if not exists (select from outbox.lane l where l.destination = check_gate.destination)
       and not exists (select from outbox.route r where r.destination = check_gate.destination)
       and not exists (select from outbox.worker w where check_gate.destination = any (w.destinations)) then
        raise exception 'there is no destination %', coalesce(quote_literal(destination), 'without a name')
            using errcode = 'OB042', hint = 'Name one that a route leads to or a worker serves.';
    end if;
end
$$;

-- Nothing goes there until it is resumed. False when it was paused already; the first pause stays.
create function outbox.pause(destination text, reason text) returns boolean
language plpgsql volatile security definer set search_path = outbox, pg_temp as $$
#variable_conflict use_variable
begin
    perform outbox.check_gate(destination, reason);
    insert into outbox.destination_pause (destination, at, actor, reason)
    values (destination, clock_timestamp(), session_user, reason) on conflict do nothing;
    if found then
        perform outbox.note_gate(destination, 'paused', reason);
        return true;
    end if;
    return false;
end
$$;

-- False when it was not paused.
create function outbox.resume(destination text, reason text) returns boolean
language plpgsql volatile security definer set search_path = outbox, pg_temp as $$
#variable_conflict use_variable
begin
    perform outbox.check_gate(destination, reason);
    delete from outbox.destination_pause p where p.destination = resume.destination;
    if found then
        perform outbox.note_gate(destination, 'resumed', reason);
        perform outbox.wake_others();
        return true;
    end if;
    return false;
end
$$;

-- The limits of a destination from now on; null: none. `burst` is how many may go at once after a quiet time.
create function outbox.set_limits(destination text, in_flight integer, per_second double precision, burst integer,
                                  reason text) returns void
language plpgsql volatile security definer set search_path = outbox, pg_temp as $$
#variable_conflict use_variable
declare
    burst_ constant integer := coalesce(burst, greatest(ceil(per_second), 1)::integer);
begin
    perform outbox.check_gate(destination, reason);
    if in_flight < 1 or per_second <= 0 or per_second > 1000000 or burst < 1 then
        raise exception 'limits of % are out of range', quote_literal(destination)
            using errcode = 'OB043',
                  hint = 'in_flight and burst are 1 or more, per_second more than 0 and at most 1,000,000; null is no limit.';
    end if;
    delete from outbox.concurrency_limit c where c.destination = set_limits.destination;
    if in_flight is not null then
        insert into outbox.concurrency_limit (destination, most) values (destination, in_flight);
    end if;
    delete from outbox.rate_limit r where r.destination = set_limits.destination;
    if per_second is not null then
        insert into outbox.rate_limit (destination, per_second, burst, tokens, counted_at)
        values (destination, per_second, burst_, burst_, clock_timestamp());
    end if;
    perform outbox.note_gate(destination, 'limited',
                             format('in flight %s, per second %s: %s', coalesce(in_flight::text, 'any'),
                                    coalesce(per_second::text, 'any'), reason));
    perform outbox.wake_others();
end
$$;

revoke all on all tables in schema outbox from public;
grant select on outbox.destination_pause, outbox.concurrency_limit, outbox.rate_limit, outbox.breaker_rule,
    outbox.failure_streak, outbox.open_breaker, outbox.gate_event to outbox_viewer;
revoke all on all functions in schema outbox from public;
grant execute on function outbox.pause(text, text), outbox.resume(text, text),
    outbox.set_limits(text, integer, double precision, integer, text) to outbox_operator;
