-- SPDX-License-Identifier: Apache-2.0
-- The life of a worker, in any language: register, be heard of, sleep and be woken, leave. It raises no SQLSTATE.

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
-- `next_due_in` is how far away the earliest record of those lanes is that will be due and let through; null when
-- there is none, or only an event can tell.
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
           (select min(case when gate.opens is not null then greatest(head.due, gate.opens) end) - clock_timestamp()
              from unnest(lanes) as open(lane)
             cross join lateral (select p.next_attempt_at as due from outbox.pending p
                                  where p.lane = open.lane and p.next_attempt_at < 'infinity'
                                  order by p.next_attempt_at, p.id limit 1) as head
             cross join lateral (select l.destination from outbox.lane l where l.lane = open.lane limit 1) as own
             cross join lateral (select outbox.opens_at(own.destination, clock_timestamp()) as opens) as gate);
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

revoke all on all functions in schema outbox from public;
grant execute on function
    outbox.register_worker(text, text, integer, text, text[]), outbox.heartbeat(integer),
    outbox.unregister_worker(integer), outbox.doze(integer, integer[]), outbox.awake(integer), outbox.sweep_sleepers()
    to outbox_worker;
