-- SPDX-License-Identifier: Apache-2.0
-- Purpose: the records that are not in exactly one state, and states of no message. Set against set, so it is
--       possible on a big store; it reads everything. Locks: none. Index: none. Rows: all of every state and message.
with stood as (
    select id, count(*) as times from (
        select id from outbox.pending union all select id from outbox.processing
        union all select id from outbox.dispatched union all select id from outbox.dead_letter) as each_state
     group by id),
faults as (
    select coalesce(m.id, s.id) as id,
           case when m.id is null then 'no-message' when s.id is null then 'no-state' else 'several-states' end as fault
      from outbox.message m full join stood s on s.id = m.id
     where m.id is null or s.id is null or s.times > 1),
numbered as (
    select id, fault, row_number() over (partition by fault order by id) as place from faults)
select fault, count(*) as ids, string_agg(id::text, ' ' order by place) filter (where place <= 5) as samples
  from numbered group by fault order by fault
