-- SPDX-License-Identifier: Apache-2.0
-- The ceiling: the same functions that a worker calls, called in the server itself. No client, no
-- destination; every claim and every outcome is a transaction of its own. Prints how many and how long.
create temporary table measured (records bigint, seconds double precision);
set plan_cache_mode = auto;
do $$
declare
    worker_ integer := outbox.register_worker('ceiling', 'localhost', 0, '0', array['nowhere']);
    lanes   integer[];
    limits  integer[];
    marks   timestamptz[];
    fences  bigint[];
    ids     uuid[];
    mark    timestamptz := '-infinity';
    records bigint := 0;
    began   timestamptz := clock_timestamp();
begin
    select array_agg(lane), array_agg(1000) into lanes, limits from outbox.lane where type = 'orders.placed';
    loop
        marks := array_fill(mark, array[cardinality(lanes)]);
        select array_agg(c.fence), array_agg(c.id), max(c.next_attempt_at)
          into fences, ids, mark
          from outbox.claim(worker_, interval '30 seconds', lanes, limits, marks) as c;
        commit;
        exit when ids is null;
        perform outbox.complete(worker_, fences, ids);
        commit;
        records := records + cardinality(ids);
    end loop;
    insert into measured values (records, extract(epoch from clock_timestamp() - began));
end
$$;
select records, seconds from measured;
