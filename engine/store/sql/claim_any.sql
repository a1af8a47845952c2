-- SPDX-License-Identifier: Apache-2.0
-- Purpose: takes due records of whatever lanes the destinations have, new ones included; an idle worker's look.
-- A destination's room is shared evenly by its lanes; where there are more lanes than room, chance decides which are
-- asked. Locks, index: as claim. Rows: at most the sum of the rooms.
-- Parameters: destinations, the room of each, worker, lease.
select fence, id, lane, attempt, (date_part('epoch', next_attempt_at) * 1000000)::bigint, kind, event_record, type,
       schema_version, (date_part('epoch', occurred_at) * 1000000)::bigint, tenant, payload, headers, ordering_key
  from (select array_agg(lane) as lanes, array_agg(most) as most, count(*)::integer as n
          from (select l.lane, (o.room / count(*) over home
                                + (row_number() over (home order by random()) <= o.room % count(*) over home)::integer
                               )::integer as most
                  from unnest(?::text[], ?::integer[]) as o(destination, room)
                  join outbox.lane l on l.destination = o.destination
                window home as (partition by l.destination)) each
         where most > 0) asks,
       outbox.claim(?::integer, ?::interval, asks.lanes, asks.most,
                    array_fill('-infinity'::timestamptz, array[asks.n]))
 where asks.n > 0
