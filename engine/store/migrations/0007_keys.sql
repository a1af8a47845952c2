-- SPDX-License-Identifier: Apache-2.0
-- Strict order by ordering key: only the first outstanding record of a key, its head, may be claimed.
--
-- Staging serialises on the key until the caller's transaction ends, so positions are given in the order of commits.
-- A keyed record lives in a lane of its own kind, so the others pay nothing. A claim that meets a record behind its
-- head parks it: it stays pending, with next_attempt_at = 'infinity', out of reach of every further claim. The
-- outcome that ends a head makes the next of its key due. Parking holds the head's row in `keyed` and ending deletes
-- it, so neither can miss the other; whoever stages waits for no worker and no worker for it.
--
-- No SQLSTATE of its own: 0008_stage refuses keys, 0012_operate lets successors go.

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

revoke all on all functions in schema outbox from public;
