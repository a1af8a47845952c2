-- SPDX-License-Identifier: Apache-2.0
-- What an operator may change of dead letters: put them back, or let their successors go; the reason is kept for ever.
-- Pauses and limits are in 0006_gates.
--
-- SQLSTATEs: OB040 no reason given for a replay, OB041 no reason given for a skip, OB044 not a dead letter.

-- Puts dead letters back to pending: same id, same payload, attempts from the beginning. Each gets a verdict;
-- the audit row and the change are one transaction, and the actor is the login, not an argument. A keyed record
-- takes its old place in the order again.
create function outbox.replay(ids uuid[], reason text)
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

revoke all on all functions in schema outbox from public;
grant execute on function outbox.replay(uuid[], text), outbox.skip(uuid, text) to outbox_operator;
