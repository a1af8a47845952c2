-- SPDX-License-Identifier: Apache-2.0
-- What an operator may change: put dead letters back, with the reason kept for ever.
--
-- SQLSTATEs: OB040 no reason given.

-- Puts dead letters back to pending: same id, same payload, attempts from the beginning. Each gets a verdict;
-- the audit row and the change are one transaction, and the actor is the login, not an argument.
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

revoke all on all functions in schema outbox from public;
grant execute on function outbox.replay(uuid[], text) to outbox_operator;
grant execute on function outbox.uuid_at(timestamptz), outbox.uuid_time(uuid) to outbox_viewer;
