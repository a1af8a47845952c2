-- SPDX-License-Identifier: Apache-2.0
-- Claim and outcomes with gates, ordering keys and a retry horizon; what 0005 says of them holds on.
--
-- retry_until is when automatic retry ends whatever attempts are left: 'infinity' until the first failure sets it.
-- Each claim moves it on by as long as the record had waited after it was due, so time behind a gate, a full
-- destination or an absent worker does not count.

alter table outbox.pending add column retry_until timestamptz not null default 'infinity';
alter table outbox.processing add column retry_until timestamptz not null default 'infinity';

-- What a claim may take: `heads` of ordered lanes, already locked, and the other lanes that are open, each with the
-- place of its destination's room in `rooms` (null: as many as there are).
create type outbox.claim_plan as (
    heads tid[], lanes integer[], limits integer[], marks timestamptz[], homes integer[], rooms integer[]);

-- `turn` shifts the order of the lanes, so that a small room is not always given to the same one.
create function outbox.plan_claim(
    lanes integer[], limits integer[], marks timestamptz[], moment timestamptz, turn bigint, gated boolean)
returns outbox.claim_plan
language plpgsql volatile set search_path = outbox, pg_temp as $$
#variable_conflict use_variable
declare
    plan    outbox.claim_plan;
    dests   text[];
    ordered boolean;
    open    record;
    heads   tid[];
begin
    plan.heads := '{}';
    plan.rooms := array[null::integer];
    if gated then
        select array_agg(o.destination), array_agg(o.room) into dests, plan.rooms
          from outbox.openings(outbox.destinations_of(lanes), moment) o;
    end if;
    select array_agg(o.lane order by o.nr) filter (where not o.ordered),
           array_agg(o.most order by o.nr) filter (where not o.ordered),
           array_agg(o.mark order by o.nr) filter (where not o.ordered),
           array_agg(o.home order by o.nr) filter (where not o.ordered), bool_or(o.ordered)
      into plan.lanes, plan.limits, plan.marks, plan.homes, ordered
      from (select a.lane, a.most, a.mark, (a.nr + turn) % cardinality(lanes) as nr, l.ordered,
                   case when gated then array_position(dests, l.destination) else 1 end as home
              from unnest(lanes, limits, marks) with ordinality as a(lane, most, mark, nr)
              join outbox.lane l on l.lane = a.lane) o
     where o.home is not null;
    if ordered is not true then
        return plan;
    end if;
    for open in
        select a.lane, a.most, a.mark, case when gated then array_position(dests, l.destination) else 1 end as home
          from unnest(lanes, limits, marks) with ordinality as a(lane, most, mark, nr)
          join outbox.lane l on l.lane = a.lane
         where l.ordered order by (a.nr + turn) % cardinality(lanes)
    loop
        continue when open.home is null;
        heads := outbox.take_heads(open.lane, least(open.most, plan.rooms[open.home]), open.mark, moment);
        plan.heads := plan.heads || heads;
        plan.rooms[open.home] := plan.rooms[open.home] - cardinality(heads);
    end loop;
    return plan;
end
$$;

drop function outbox.claim(integer, interval, integer[], integer[], timestamptz[]);
-- Takes due records under a new lease: from lanes[i] at most limits[i], beginning at marks[i] (the greatest
-- next_attempt_at of the last claim there, '-infinity' for the beginning). Gives nothing when nothing is due, or
-- when what is due waits behind a gate.
create function outbox.claim(
    worker integer, lease_for interval, lanes integer[], limits integer[], marks timestamptz[])
returns table (
    fence bigint, expires_at timestamptz, id uuid, lane integer, attempt smallint, next_attempt_at timestamptz,
    kind outbox.message_kind, event_record text, type text, schema_version integer, occurred_at timestamptz,
    tenant text, payload json, headers jsonb, ordering_key text)
language plpgsql volatile security definer
set search_path = outbox, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set enable_bitmapscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
#variable_conflict use_column
declare
    worker_ integer := worker;
    moment  timestamptz := clock_timestamp();
    until   timestamptz := moment + lease_for;
    gated   boolean := not outbox.no_gates();
    plan    outbox.claim_plan;
    fence_  bigint;
begin
    if lease_for is null or lease_for < interval '1 second' or lease_for > interval '1 day' then
        raise exception 'lease_for is %, but must be 1 second to 1 day', coalesce(lease_for::text, 'missing')
            using errcode = 'OB012';
    end if;
    if cardinality(lanes) <> cardinality(limits) or cardinality(lanes) <> cardinality(marks) then
        raise exception 'lanes, limits and marks differ in length' using errcode = 'OB011';
    end if;
    fence_ := nextval('outbox.fence');
    plan := outbox.plan_claim(lanes, limits, marks, moment, fence_, gated);
    return query
    with taken as (
        delete from outbox.pending p
         where p.ctid = any (plan.heads || array(
            select due.place
              from unnest(plan.rooms) with ordinality as gate(room, home)
             cross join lateral (
                select head.place
                  from unnest(plan.lanes, plan.limits, plan.marks, plan.homes) as open(lane, most, mark, home)
                 cross join lateral (
                    select q.ctid as place from outbox.pending q
                     where q.lane = open.lane and q.next_attempt_at >= open.mark and q.next_attempt_at <= moment
                     order by q.next_attempt_at, q.id
                     limit open.most
                       for update skip locked) as head
                 where open.home = gate.home
                 limit gate.room) as due))
        returning p.id, p.lane, p.attempt, p.next_attempt_at, p.retry_until),
    held as (
        insert into outbox.processing (fence, id, lane, attempt, claimed_at, retry_until)
        select fence_, t.id, t.lane, t.attempt + 1, moment, t.retry_until + (moment - t.next_attempt_at) from taken t),
    leased as (
        insert into outbox.lease (fence, worker, claimed_at, expires_at)
        select fence_, worker_, moment, until where exists (select from taken))
    select fence_, until, t.id, t.lane, (t.attempt + 1)::smallint, t.next_attempt_at,
           m.kind, m.event_record, m.type, m.schema_version, m.occurred_at, m.tenant, m.payload, m.headers,
           m.ordering_key
      from taken t cross join lateral (select * from outbox.message own where own.id = t.id limit 1) m;
    if gated then
        perform outbox.pass_gates(fence_, moment);
    end if;
end
$$;

-- Accepted by the target boundary.
create or replace function outbox.complete(worker integer, fences bigint[], ids uuid[]) returns setof uuid
language plpgsql volatile security definer
set search_path = outbox, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set enable_bitmapscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
#variable_conflict use_column
declare
    worker_ integer := worker;
    held    bigint[];
    places  tid[];
    done    uuid[];
    lanes   integer[];
begin
    perform outbox.check_lengths(cardinality(ids), cardinality(fences));
    select o.held, o.places into held, places from outbox.own(worker_, fences, ids) as o;
    with gone as (
        delete from outbox.processing p where p.ctid = any (places)
        returning p.id, p.lane, p.attempt, p.claimed_at),
    kept as (
        insert into outbox.dispatched (id, lane, attempt, worker, claimed_at, dispatched_at)
        select id, lane, attempt, worker_, claimed_at, clock_timestamp() from gone)
    select array_agg(id), array_agg(lane) into done, lanes from gone;
    perform outbox.end_keys_of(lanes, done);
    perform outbox.destination_answered(lanes);
    return query select * from outbox.end_outcome(worker_, held, ids, done, 'dispatched');
end
$$;

-- Failures that say that the destination could not take anything, whatever the message.
create function outbox.is_unavailability(cause text) returns boolean
language sql immutable set search_path = outbox, pg_temp as $$
    select cause in ('timeout', 'unreachable', 'busy', 'target-error')
$$;

drop function outbox.retry(integer, bigint[], uuid[], text[], text[], interval[], interval[]);
-- The attempt failed and is used up; the record comes back after its delay. `took` is how long the attempt lasted,
-- `summary` one safe line. horizons[i] is how long after its first failed claim a record is retried at the most, null
-- for ever: one that would come back later is a dead letter instead. Gives the ids that did not come back, and their
-- fate: 'refused' or 'dead'.
create function outbox.retry(
    worker integer, fences bigint[], ids uuid[], causes text[], summaries text[], took interval[], delays interval[],
    horizons interval[] default null)
returns table (id uuid, fate text)
language plpgsql volatile security definer
set search_path = outbox, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set enable_bitmapscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
#variable_conflict use_column
declare
    worker_  integer := worker;
    moment   timestamptz := clock_timestamp();
    held     bigint[];
    places   tid[];
    done     uuid[];
    dead     uuid[];
    lanes    integer[];
    failed   integer[];
    answered integer[];
begin
    perform outbox.check_lengths(cardinality(ids), cardinality(fences), cardinality(causes), cardinality(summaries),
                                 cardinality(took), cardinality(delays),
                                 coalesce(cardinality(horizons), cardinality(ids)));
    select o.held, o.places into held, places from outbox.own(worker_, fences, ids) as o;
    with gone as (
        delete from outbox.processing p where p.ctid = any (places)
        returning p.fence, p.id, p.lane, p.attempt, p.claimed_at, p.retry_until, array_position(places, p.ctid) as nr),
    judged as (
        select g.*, moment + delays[g.nr] as next,
               case when g.retry_until = 'infinity' then coalesce(g.claimed_at + horizons[g.nr], 'infinity')
                    else g.retry_until end as until
          from gone g),
    back as (
        insert into outbox.pending (id, lane, attempt, next_attempt_at, staged_at, retry_until)
        select j.id, j.lane, j.attempt, j.next, m.staged_at, j.until
          from judged j
         cross join lateral (select staged_at from outbox.message m where m.id = j.id limit 1) m
         where j.next <= j.until),
    buried as (
        insert into outbox.dead_letter (id, lane, attempt, worker, failed_at, cause, reason)
        select j.id, j.lane, j.attempt, worker_, moment, causes[j.nr],
               left('the retry horizon has ended; last: ' || summaries[j.nr], 500)
          from judged j where j.next > j.until),
    noted as (
        insert into outbox.attempt (id, number, worker, fence, started_at, ended_at, cause, summary)
        select j.id, j.attempt, worker_, j.fence, moment - took[j.nr], moment, causes[j.nr], left(summaries[j.nr], 500)
          from judged j)
    select array_agg(j.id), array_agg(j.id) filter (where j.next > j.until),
           array_agg(j.lane) filter (where j.next > j.until),
           array_agg(j.lane) filter (where outbox.is_unavailability(causes[j.nr])),
           array_agg(j.lane) filter (where not outbox.is_unavailability(causes[j.nr]))
      into done, dead, lanes, failed, answered from judged j;
    perform outbox.end_keys_of(lanes, dead, only_freeing => true);
    perform outbox.destination_answered(answered);
    perform outbox.destination_failed(failed);
    return query select refused, 'refused' from outbox.end_outcome(worker_, held, ids, done, 'retried') as refused;
    if dead is not null then
        perform outbox.count_outcomes(worker_, 0, -cardinality(dead), cardinality(dead), 0);
        return query select unnest(dead), 'dead';
    end if;
end
$$;

-- The last attempt failed: automatic retry ends here.
create or replace function outbox.dead_letter(
    worker integer, fences bigint[], ids uuid[], causes text[], summaries text[], took interval[])
returns setof uuid
language plpgsql volatile security definer
set search_path = outbox, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set enable_bitmapscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
#variable_conflict use_column
declare
    worker_ integer := worker;
    moment  timestamptz := clock_timestamp();
    held    bigint[];
    places  tid[];
    done    uuid[];
    lanes   integer[];
    failed  integer[];
    answered integer[];
begin
    perform outbox.check_lengths(cardinality(ids), cardinality(fences), cardinality(causes), cardinality(summaries),
                                 cardinality(took));
    select o.held, o.places into held, places from outbox.own(worker_, fences, ids) as o;
    with gone as (
        delete from outbox.processing p where p.ctid = any (places)
        returning p.fence, p.id, p.lane, p.attempt, array_position(places, p.ctid) as nr),
    buried as (
        insert into outbox.dead_letter (id, lane, attempt, worker, failed_at, cause, reason)
        select g.id, g.lane, g.attempt, worker_, moment, causes[g.nr], left(summaries[g.nr], 500) from gone g),
    noted as (
        insert into outbox.attempt (id, number, worker, fence, started_at, ended_at, cause, summary)
        select g.id, g.attempt, worker_, g.fence, moment - took[g.nr], moment, causes[g.nr], left(summaries[g.nr], 500)
          from gone g)
    select array_agg(id), array_agg(lane),
           array_agg(lane) filter (where outbox.is_unavailability(causes[nr])),
           array_agg(lane) filter (where not outbox.is_unavailability(causes[nr]))
      into done, lanes, failed, answered from gone;
    perform outbox.end_keys_of(lanes, done, only_freeing => true);
    perform outbox.destination_answered(answered);
    perform outbox.destination_failed(failed);
    return query select * from outbox.end_outcome(worker_, held, ids, done, 'dead');
end
$$;

-- Given back untried: no attempt is used up, and the record is due at once.
create or replace function outbox.release(worker integer, fences bigint[], ids uuid[]) returns setof uuid
language plpgsql volatile security definer
set search_path = outbox, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set enable_bitmapscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
#variable_conflict use_column
declare
    worker_ integer := worker;
    held    bigint[];
    places  tid[];
    done    uuid[];
begin
    perform outbox.check_lengths(cardinality(ids), cardinality(fences));
    select o.held, o.places into held, places from outbox.own(worker_, fences, ids) as o;
    with gone as (
        delete from outbox.processing p where p.ctid = any (places)
        returning p.id, p.lane, p.attempt, p.retry_until),
    back as (
        insert into outbox.pending (id, lane, attempt, next_attempt_at, staged_at, retry_until)
        select g.id, g.lane, g.attempt - 1,
               case when g.attempt = 1 then m.staged_at else clock_timestamp() end, m.staged_at,
               g.retry_until
          from gone g
         cross join lateral (select staged_at from outbox.message m where m.id = g.id limit 1) m)
    select array_agg(id) into done from gone;
    if done is not null then
        perform outbox.wake_others();
    end if;
    return query select * from outbox.end_outcome(worker_, held, ids, done, null);
end
$$;

-- Returns expired claims to eligible work, whoever held them: any worker may call it, at any time. The attempt
-- is used up, since a message that kills its worker must end somewhere: after max_attempts it is a dead letter.
-- The others wait base * 2^(attempt-1), at most cap, evenly jittered. Gives how many records came back and died.
create or replace function outbox.release_expired(
    worker integer, max_attempts integer, base interval, cap interval, most integer default 50)
returns table (returned bigint, dead bigint)
language plpgsql volatile security definer set search_path = outbox, pg_temp as $$
#variable_conflict use_column
declare
    worker_ integer := worker;
    moment  timestamptz := clock_timestamp();
    late    bigint[];
    back_   bigint;
    dead_   bigint;
    ids     uuid[];
    lanes   integer[];
begin
    select array_agg(l.fence) into late from (
        select fence from outbox.lease where expires_at < moment
         order by expires_at limit most for update skip locked) l;
    if late is null then
        return query select 0::bigint, 0::bigint;
        return;
    end if;
    with gone as (
        delete from outbox.processing p where p.fence = any (late)
        returning p.fence, p.id, p.lane, p.attempt, p.claimed_at, p.retry_until),
    noted as (
        insert into outbox.attempt (id, number, worker, fence, started_at, ended_at, cause, summary)
        select g.id, g.attempt, l.worker, g.fence, g.claimed_at, moment, 'lease-expired',
               'the worker did not report back before its lease ran out'
          from gone g cross join lateral (select worker from outbox.lease l where l.fence = g.fence limit 1) l),
    back as (
        insert into outbox.pending (id, lane, attempt, next_attempt_at, staged_at, retry_until)
        select g.id, g.lane, g.attempt,
               moment + random() * least(cap, base * power(2, least(g.attempt - 1, 30))), m.staged_at,
               g.retry_until
          from gone g
         cross join lateral (select staged_at from outbox.message m where m.id = g.id limit 1) m
         where g.attempt < max_attempts returning 1),
    buried as (
        insert into outbox.dead_letter (id, lane, attempt, worker, failed_at, cause, reason)
        select g.id, g.lane, g.attempt, l.worker, moment, 'lease-expired',
               'the worker did not report back before its lease ran out'
          from gone g cross join lateral (select worker from outbox.lease l where l.fence = g.fence limit 1) l
         where g.attempt >= max_attempts returning id, lane)
    select (select count(*) from back), count(*), array_agg(id), array_agg(lane) into back_, dead_, ids, lanes from buried;
    delete from outbox.lease where fence = any (late);
    perform outbox.end_keys_of(lanes, ids, only_freeing => true);
    perform outbox.count_outcomes(worker_, 0, back_, dead_, 0);
    if back_ > 0 then
        perform outbox.wake_others();
    end if;
    return query select back_, dead_;
end
$$;

-- Marks the worker as asleep, so that the next commit of a stage() notifies it. `quiet` is false when some
-- staging transaction is under way that may not have seen the mark: look again before sleeping long.
-- `next_due_in` is how far away the earliest record of those lanes is that will be due and let through; null when
-- there is none, or only an event can tell.
create or replace function outbox.doze(worker integer, lanes integer[])
returns table (quiet boolean, next_due_in interval)
language plpgsql volatile security definer
set search_path = outbox, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    worker_ integer := worker;
    alone   boolean;
begin
    perform pg_advisory_xact_lock(201914, 4);
    perform setval('outbox.sleepers', (select last_value from outbox.sleepers) | (1::bigint << (worker_ % 62)));
    alone := pg_try_advisory_xact_lock(201914, 2);
    perform outbox.route_lanes(); -- after the lock: sees the lanes of every staging that has ended
    return query
    select alone,
           (select min(case when gate.opens is not null then greatest(head.due, gate.opens) end) - clock_timestamp()
              from unnest(lanes) as open(lane)
             cross join lateral (select p.next_attempt_at as due from outbox.pending p
                                  where p.lane = open.lane and p.next_attempt_at < 'infinity'
                                  order by p.next_attempt_at, p.id limit 1) as head
             cross join lateral (select l.destination from outbox.lane l where l.lane = open.lane limit 1) as own
             cross join lateral (select outbox.opens_at(own.destination, clock_timestamp()) as opens) as gate);
end
$$;

revoke all on all functions in schema outbox from public;
grant execute on function
    outbox.claim(integer, interval, integer[], integer[], timestamptz[]),
    outbox.retry(integer, bigint[], uuid[], text[], text[], interval[], interval[], interval[])
    to outbox_worker;
