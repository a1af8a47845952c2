-- SPDX-License-Identifier: Apache-2.0
-- What became of claimed records: accepted, to be tried again, dead, given back; and the tally of it.
--
-- Every outcome takes arrays (one element a record) and gives back the ids it refused, because the caller does
-- not hold their lease any more: owner or fence do not match. A refused outcome changes nothing and is counted.
-- What 0010_claims says of transitions and of the planner holds here, too.
--
-- SQLSTATEs: OB011 arrays of unequal length.

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

revoke all on all functions in schema outbox from public;
grant execute on function
    outbox.complete(integer, bigint[], uuid[]),
    outbox.retry(integer, bigint[], uuid[], text[], text[], interval[], interval[], interval[]),
    outbox.dead_letter(integer, bigint[], uuid[], text[], text[], interval[]),
    outbox.release(integer, bigint[], uuid[]), outbox.roll_up_tally(interval)
    to outbox_worker;
