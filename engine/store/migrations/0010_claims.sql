-- SPDX-License-Identifier: Apache-2.0
-- Claims and their leases: take what is due, keep it, give back what expired.
--
-- A transition is one statement: DELETE ... RETURNING from one state's table feeds the INSERT into the next.
--
-- The settings pinned to these functions and the shape of their statements leave the planner no choice but one
-- look-up by index a record: after a VACUUM of an empty processing table it would take a walk through the whole
-- table or index for cheap, once for each record, and keep that plan while the table grows. So a record is found
-- by a LATERAL subquery with a LIMIT, which cannot be turned around, and deleted at the place that was found.
--
-- SQLSTATEs: OB011 arrays of unequal length, OB012 argument out of range.

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

-- Moves the expiry of the worker's leases; gives the fences that it does not own any more.
create function outbox.extend_lease(worker integer, fences bigint[], lease_for interval) returns setof bigint
language plpgsql volatile security definer set search_path = outbox, pg_temp set enable_seqscan = off as $$
#variable_conflict use_column
declare
    worker_ integer := worker;
begin
    return query
    with ours as materialized (
        select l.fence from outbox.lease l where l.fence = any (fences) and l.worker = worker_
         order by l.fence for update),
    kept as (
        update outbox.lease l set expires_at = clock_timestamp() + lease_for from ours o
         where l.fence = o.fence returning l.fence)
    select unnest(fences) except select fence from kept;
end
$$;

-- Returns expired claims to eligible work, whoever held them: any worker may call it, at any time. The attempt
-- is used up, since a message that kills its worker must end somewhere: after max_attempts it is a dead letter.
-- The others wait base * 2^(attempt-1), at most cap, evenly jittered. Gives how many records came back and died.
create function outbox.release_expired(
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

revoke all on all functions in schema outbox from public;
grant execute on function
    outbox.claim(integer, interval, integer[], integer[], timestamptz[]),
    outbox.extend_lease(integer, bigint[], interval),
    outbox.release_expired(integer, integer, interval, interval, integer)
    to outbox_worker;
