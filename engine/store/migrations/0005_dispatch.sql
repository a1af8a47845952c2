-- SPDX-License-Identifier: Apache-2.0
-- What a worker does, in any language: register, claim, write outcomes, keep and return leases, sleep.
--
-- A transition is one statement: DELETE ... RETURNING from one state's table feeds the INSERT into the next.
-- Every outcome takes arrays (one element a record) and gives back the ids it refused, because the caller does
-- not hold their lease any more: owner or fence do not match. A refused outcome changes nothing and is counted.
--
-- The settings pinned to these functions and the shape of their statements leave the planner no choice but one
-- look-up by index a record: after a VACUUM of an empty processing table it would take a walk through the whole
-- table or index for cheap, once for each record, and keep that plan while the table grows. So a record is found
-- by a LATERAL subquery with a LIMIT, which cannot be turned around, and deleted at the place that was found.
--
-- SQLSTATEs: OB011 arrays of unequal length, OB012 argument out of range, OB013 no such route.

create function outbox.register_worker(name text, host text, pid integer, version text, destinations text[])
returns integer
language sql volatile security definer set search_path = outbox, pg_temp as $$
    insert into outbox.worker (name, host, pid, version, destinations, login)
    values (name, host, pid, version, destinations, session_user)
    returning worker
$$;

-- Still here. False when the store does not know the worker: register again.
create function outbox.heartbeat(worker integer) returns boolean
language sql volatile security definer set search_path = outbox, pg_temp as $$
    with beat as (update outbox.worker w set heartbeat_at = clock_timestamp(), stopped_at = null
                   where w.worker = heartbeat.worker returning 1)
    select exists (select from beat)
$$;

-- The worker has ended in good order.
create function outbox.unregister_worker(worker integer) returns void
language sql volatile security definer set search_path = outbox, pg_temp as $$
    update outbox.worker w set stopped_at = clock_timestamp() where w.worker = unregister_worker.worker
$$;

-- Takes due records under a new lease: from lanes[i] at most limits[i], beginning at marks[i] (the greatest
-- next_attempt_at of the last claim there, '-infinity' for the beginning). Gives nothing when nothing is due.
create function outbox.claim(
    worker integer, lease_for interval, lanes integer[], limits integer[], marks timestamptz[])
returns table (
    fence bigint, expires_at timestamptz, id uuid, lane integer, attempt smallint, next_attempt_at timestamptz,
    kind outbox.message_kind, event_record text, type text, schema_version integer, occurred_at timestamptz,
    tenant text, payload json, headers jsonb)
language plpgsql volatile security definer
set search_path = outbox, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set enable_bitmapscan = off set plan_cache_mode = force_generic_plan set jit = off as $$
#variable_conflict use_column
declare
    worker_ integer := worker;
    moment  timestamptz := clock_timestamp();
    until   timestamptz := moment + lease_for;
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
    return query
    with taken as (
        delete from outbox.pending p
         where p.ctid = any (array(
            select due.place
              from unnest(lanes, limits, marks) as open(lane, most, mark)
             cross join lateral (
                select q.ctid as place from outbox.pending q
                 where q.lane = open.lane and q.next_attempt_at >= open.mark and q.next_attempt_at <= moment
                 order by q.next_attempt_at, q.id
                 limit open.most
                   for update skip locked) as due))
        returning p.id, p.lane, p.attempt, p.next_attempt_at),
    held as (
        insert into outbox.processing (fence, id, lane, attempt, claimed_at)
        select fence_, t.id, t.lane, t.attempt + 1, moment from taken t),
    leased as (
        insert into outbox.lease (fence, worker, claimed_at, expires_at)
        select fence_, worker_, moment, until where exists (select from taken))
    select fence_, until, t.id, t.lane, (t.attempt + 1)::smallint, t.next_attempt_at,
           m.kind, m.event_record, m.type, m.schema_version, m.occurred_at, m.tenant, m.payload, m.headers
      from taken t cross join lateral (select * from outbox.message own where own.id = t.id limit 1) m;
end
$$;

-- Locks those of the fences that the worker still owns, in one order for everybody: the row of the lease is what
-- an outcome, an extension and the return of an expired claim meet on. `places` has one element an id: where its
-- record stands in processing, or null when it is not under one of those leases.
create function outbox.own(worker integer, fences bigint[], ids uuid[], out held bigint[], out places tid[])
language plpgsql volatile set search_path = outbox, pg_temp as $$
#variable_conflict use_variable
begin
    select coalesce(array_agg(ours.fence), '{}') into held
      from (select distinct fence from unnest(fences) as asked(fence) order by fence) asked
     cross join lateral (select l.fence from outbox.lease l
                          where l.fence = asked.fence and l.worker = own.worker for update) ours;
    select array_agg(p.place order by o.nr) into places
      from unnest(fences, ids) with ordinality as o(fence, id, nr)
      left join lateral (select q.ctid as place from outbox.processing q
                          where q.fence = o.fence and q.id = o.id and o.fence = any (held) limit 1) p on true;
end
$$;

-- Ends the leases that hold no record any more.
create function outbox.end_empty(fences bigint[]) returns void
language sql volatile set search_path = outbox, pg_temp as $$
    delete from outbox.lease l
     where l.fence = any (fences)
       and (select true from outbox.processing p where p.fence = l.fence limit 1) is null
$$;

-- Adds to the worker's tally of this moment.
create function outbox.count_outcomes(worker integer, dispatched bigint, retried bigint, dead bigint, refused bigint)
returns void
language sql volatile set search_path = outbox, pg_temp as $$
    insert into outbox.tally as t (bucket, worker, dispatched, retried, dead, refused)
    values (date_bin('10 seconds', clock_timestamp(), timestamptz '2000-01-01 00:00:00Z'), worker, dispatched, retried,
            dead, refused)
    on conflict (bucket, worker) do update
       set dispatched = t.dispatched + excluded.dispatched, retried = t.retried + excluded.retried,
           dead = t.dead + excluded.dead, refused = t.refused + excluded.refused
$$;

-- The end of every outcome: leases without records go, the tally counts, and the ids that were refused are the
-- answer. `outcome` is 'dispatched', 'retried' or 'dead', or null for what the tally does not count.
create function outbox.end_outcome(worker integer, held bigint[], ids uuid[], done uuid[], outcome text)
returns setof uuid
language plpgsql volatile set search_path = outbox, pg_temp as $$
declare
    records constant bigint := coalesce(cardinality(done), 0);
    refused constant bigint := cardinality(ids) - records;
begin
    perform outbox.end_empty(held);
    if outcome is not null then
        perform outbox.count_outcomes(worker, case outcome when 'dispatched' then records else 0 end,
                                      case outcome when 'retried' then records else 0 end,
                                      case outcome when 'dead' then records else 0 end, refused);
    end if;
    if refused > 0 then
        return query select unnest(ids) except select unnest(done);
    end if;
end
$$;

create function outbox.check_lengths(wanted integer, variadic lengths integer[]) returns void
language plpgsql immutable set search_path = outbox, pg_temp as $$
begin
    if exists (select from unnest(lengths) as given where given is distinct from wanted) then
        raise exception 'the arrays of an outcome differ in length' using errcode = 'OB011';
    end if;
end
$$;

-- Accepted by the target boundary.
create function outbox.complete(worker integer, fences bigint[], ids uuid[]) returns setof uuid
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
        returning p.id, p.lane, p.attempt, p.claimed_at),
    kept as (
        insert into outbox.dispatched (id, lane, attempt, worker, claimed_at, dispatched_at)
        select id, lane, attempt, worker_, claimed_at, clock_timestamp() from gone)
    select array_agg(id) into done from gone;
    return query select * from outbox.end_outcome(worker_, held, ids, done, 'dispatched');
end
$$;

-- The attempt failed and is used up; the record comes back after its delay. `took` is how long the attempt
-- lasted, `summary` one safe line.
create function outbox.retry(
    worker integer, fences bigint[], ids uuid[], causes text[], summaries text[], took interval[], delays interval[])
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
begin
    perform outbox.check_lengths(cardinality(ids), cardinality(fences), cardinality(causes), cardinality(summaries),
                                 cardinality(took), cardinality(delays));
    select o.held, o.places into held, places from outbox.own(worker_, fences, ids) as o;
    with gone as (
        delete from outbox.processing p where p.ctid = any (places)
        returning p.fence, p.id, p.lane, p.attempt, array_position(places, p.ctid) as nr),
    back as (
        insert into outbox.pending (id, lane, attempt, next_attempt_at, staged_at)
        select g.id, g.lane, g.attempt, moment + delays[g.nr], m.staged_at
          from gone g
         cross join lateral (select staged_at from outbox.message m where m.id = g.id limit 1) m),
    noted as (
        insert into outbox.attempt (id, number, worker, fence, started_at, ended_at, cause, summary)
        select g.id, g.attempt, worker_, g.fence, moment - took[g.nr], moment, causes[g.nr], left(summaries[g.nr], 500)
          from gone g)
    select array_agg(id) into done from gone;
    return query select * from outbox.end_outcome(worker_, held, ids, done, 'retried');
end
$$;

-- The last attempt failed: automatic retry ends here.
create function outbox.dead_letter(
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
    select array_agg(id) into done from gone;
    return query select * from outbox.end_outcome(worker_, held, ids, done, 'dead');
end
$$;

-- Given back untried: no attempt is used up, and the record is due at once.
create function outbox.release(worker integer, fences bigint[], ids uuid[]) returns setof uuid
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
        returning p.id, p.lane, p.attempt),
    back as (
        insert into outbox.pending (id, lane, attempt, next_attempt_at, staged_at)
        select g.id, g.lane, g.attempt - 1,
               case when g.attempt = 1 then m.staged_at else clock_timestamp() end, m.staged_at
          from gone g
         cross join lateral (select staged_at from outbox.message m where m.id = g.id limit 1) m)
    select array_agg(id) into done from gone;
    if done is not null then
        perform outbox.wake_others();
    end if;
    return query select * from outbox.end_outcome(worker_, held, ids, done, null);
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
        returning p.fence, p.id, p.lane, p.attempt, p.claimed_at),
    noted as (
        insert into outbox.attempt (id, number, worker, fence, started_at, ended_at, cause, summary)
        select g.id, g.attempt, l.worker, g.fence, g.claimed_at, moment, 'lease-expired',
               'the worker did not report back before its lease ran out'
          from gone g cross join lateral (select worker from outbox.lease l where l.fence = g.fence limit 1) l),
    back as (
        insert into outbox.pending (id, lane, attempt, next_attempt_at, staged_at)
        select g.id, g.lane, g.attempt,
               moment + random() * least(cap, base * power(2, least(g.attempt - 1, 30))), m.staged_at
          from gone g
         cross join lateral (select staged_at from outbox.message m where m.id = g.id limit 1) m
         where g.attempt < max_attempts returning 1),
    buried as (
        insert into outbox.dead_letter (id, lane, attempt, worker, failed_at, cause, reason)
        select g.id, g.lane, g.attempt, l.worker, moment, 'lease-expired',
               'the worker did not report back before its lease ran out'
          from gone g cross join lateral (select worker from outbox.lease l where l.fence = g.fence limit 1) l
         where g.attempt >= max_attempts returning 1)
    select (select count(*) from back), (select count(*) from buried) into back_, dead_;
    delete from outbox.lease where fence = any (late);
    perform outbox.count_outcomes(worker_, 0, back_, dead_, 0);
    if back_ > 0 then
        perform outbox.wake_others();
    end if;
    return query select back_, dead_;
end
$$;

-- Something became eligible that no stage() announced: wake whoever sleeps.
create function outbox.wake_others() returns void
language plpgsql volatile set search_path = outbox, pg_temp as $$
begin
    if not pg_try_advisory_xact_lock_shared(201914, 2) or (select last_value <> 0 from outbox.sleepers) then
        perform pg_notify('outbox_wake', '');
    end if;
end
$$;

-- Marks the worker as asleep, so that the next commit of a stage() notifies it. `quiet` is false when some
-- staging transaction is under way that may not have seen the mark: look again before sleeping long.
-- `next_due_in` is how far away the earliest due record of those lanes is; null when they are empty.
create function outbox.doze(worker integer, lanes integer[])
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
           (select min(head.due) - clock_timestamp()
              from unnest(lanes) as open(lane)
             cross join lateral (select p.next_attempt_at as due from outbox.pending p where p.lane = open.lane
                                  order by p.next_attempt_at, p.id limit 1) as head);
end
$$;

-- The worker is awake again.
create function outbox.awake(worker integer) returns void
language plpgsql volatile security definer set search_path = outbox, pg_temp as $$
#variable_conflict use_column
declare
    worker_ integer := worker;
begin
    perform pg_advisory_xact_lock(201914, 4);
    perform setval('outbox.sleepers', (select last_value from outbox.sleepers) & ~(1::bigint << (worker_ % 62)));
end
$$;

-- Clears the marks of workers that were not heard of for a minute, so that a crash while asleep does not make
-- every commit notify nobody.
create function outbox.sweep_sleepers() returns void
language plpgsql volatile security definer set search_path = outbox, pg_temp as $$
declare
    alive bigint;
begin
    perform pg_advisory_xact_lock(201914, 4);
    select coalesce(bit_or(1::bigint << (worker % 62)), 0) into alive from outbox.worker
     where stopped_at is null and heartbeat_at > clock_timestamp() - interval '1 minute';
    if (select last_value & ~alive <> 0 from outbox.sleepers) then
        perform setval('outbox.sleepers', (select last_value from outbox.sleepers) & alive);
    end if;
end
$$;

-- Puts every type on its present route: lanes without destination get theirs, and a type whose newest lane leads
-- elsewhere gets a new lane, because stage() takes the newest. A lane made in a transaction that saw the routes of
-- before is visible to no set_routes() until it commits, so this is due now and then.
create function outbox.route_lanes() returns bigint
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
    insert into outbox.lane (destination, type, schema_version)
    select outbox.destination_of(l.type), l.type, l.schema_version
      from (select distinct on (l.type, l.schema_version) l.* from outbox.lane l
             order by l.type, l.schema_version, l.lane desc) l
     where l.destination <> outbox.destination_of(l.type);
    return routed;
end
$$;

-- Sets where messages of these types go from now on ('orders.placed', 'orders.*' or '*'; the longest that fits wins).
-- What was staged before without any route follows; what had a destination keeps it.
create function outbox.set_routes(patterns text[], destinations text[]) returns void
language plpgsql volatile security definer set search_path = outbox, pg_temp as $$
declare
    wanted record;
begin
    perform outbox.check_lengths(cardinality(patterns), cardinality(destinations));
    for wanted in select * from unnest(patterns, destinations) as w(pattern, destination) order by pattern loop
        begin
            insert into outbox.route as r (pattern, destination) values (wanted.pattern, wanted.destination)
            on conflict on constraint route_pkey do update set destination = excluded.destination
              where r.destination <> excluded.destination;
        exception
            when check_violation or not_null_violation then
                raise exception 'route % to % is no route', coalesce(quote_literal(wanted.pattern), 'missing'),
                                coalesce(quote_literal(wanted.destination), 'missing')
                    using errcode = 'OB013', hint = 'A pattern is a type, a prefix followed by ".*", or "*".';
        end;
    end loop;
    perform outbox.route_lanes();
end
$$;

-- One of them.
create function outbox.set_route(pattern text, destination text) returns void
language sql volatile security definer set search_path = outbox, pg_temp as $$
    select outbox.set_routes(array[pattern], array[destination])
$$;

-- Sums up tally rows older than that in the bucket '-infinity', so that the totals stay and the table small.
create function outbox.roll_up_tally(older_than interval default '8 days') returns bigint
language plpgsql volatile security definer set search_path = outbox, pg_temp as $$
declare
    rolled bigint;
begin
    if not pg_try_advisory_xact_lock(201914, 5) then
        return 0;
    end if;
    with old as (
        delete from outbox.tally where bucket < clock_timestamp() - older_than and bucket <> '-infinity' returning *),
    summed as (
        insert into outbox.tally as t (bucket, worker, dispatched, retried, dead, refused)
        select '-infinity', 0, sum(dispatched), sum(retried), sum(dead), sum(refused) from old having count(*) > 0
        on conflict (bucket, worker) do update
           set dispatched = t.dispatched + excluded.dispatched, retried = t.retried + excluded.retried,
               dead = t.dead + excluded.dead, refused = t.refused + excluded.refused)
    select count(*) into rolled from old;
    return rolled;
end
$$;

revoke all on all functions in schema outbox from public;
grant execute on function
    outbox.register_worker(text, text, integer, text, text[]), outbox.heartbeat(integer),
    outbox.unregister_worker(integer), outbox.claim(integer, interval, integer[], integer[], timestamptz[]),
    outbox.complete(integer, bigint[], uuid[]),
    outbox.retry(integer, bigint[], uuid[], text[], text[], interval[], interval[]),
    outbox.dead_letter(integer, bigint[], uuid[], text[], text[], interval[]),
    outbox.release(integer, bigint[], uuid[]), outbox.extend_lease(integer, bigint[], interval),
    outbox.release_expired(integer, integer, interval, interval, integer),
    outbox.doze(integer, integer[]), outbox.awake(integer), outbox.sweep_sleepers(),
    outbox.set_routes(text[], text[]), outbox.set_route(text, text), outbox.route_lanes(), outbox.roll_up_tally(interval)
    to outbox_worker;
