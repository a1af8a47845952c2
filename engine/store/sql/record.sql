-- SPDX-License-Identifier: Apache-2.0
-- Purpose: everything about one record but its attempts and replays: what was staged and the state it is in.
-- Locks: none. Index: message_pkey, the primary key of each state's table, lease_pkey. Rows: one, or none.
-- Parameter: the id.
select m.id::text, m.kind::text, m.event_record, m.type, m.schema_version,
       (date_part('epoch', m.occurred_at) * 1000000)::bigint as occurred_at,
       (date_part('epoch', m.staged_at) * 1000000)::bigint as staged_at, m.tenant, m.payload::text, m.headers::text,
       l.destination, s.state, s.attempt, (date_part('epoch', s.since) * 1000000)::bigint as since, s.cause, s.reason,
       s.worker, s.fence, w.name as worker_name, (date_part('epoch', s.claimed_at) * 1000000)::bigint as claimed_at,
       (date_part('epoch', clock_timestamp()) * 1000000)::bigint as read_at
  from outbox.message m
  left join lateral (
    select 'pending' as state, p.lane, p.attempt,
               case when p.next_attempt_at = 'infinity' then p.staged_at else p.next_attempt_at end as since, null as cause, null as reason,
           null::integer as worker, null::bigint as fence, null::timestamptz as claimed_at
      from outbox.pending p where p.id = m.id
    union all
    select 'dispatched', d.lane, d.attempt, d.dispatched_at, null, null, d.worker, null, d.claimed_at
      from outbox.dispatched d where d.id = m.id
    union all
    select 'dead_letter', x.lane, x.attempt, x.failed_at, x.cause, x.reason, x.worker, null, null
      from outbox.dead_letter x where x.id = m.id
    union all
    select 'processing', held.lane, held.attempt, le.expires_at, null, null, le.worker, le.fence, held.claimed_at
      from outbox.lease le
     cross join lateral (select q.lane, q.attempt, q.claimed_at from outbox.processing q
                          where q.fence = le.fence and q.id = m.id offset 0) as held
    limit 1) as s on true
  left join outbox.lane l on l.lane = s.lane
  left join outbox.worker w on w.worker = s.worker
 where m.id = ?::uuid
