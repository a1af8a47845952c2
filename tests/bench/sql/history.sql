-- SPDX-License-Identifier: Apache-2.0
-- :records dispatched records of the last hours, as the engine leaves them: message row and dispatched row.
\o /dev/null
set synchronous_commit = off;
select format($$
    with made as (
        select (lpad(to_hex((micros / 1000) << 16 | 28672 | (micros %% 1000) * 4096 / 1000), 16, '0')
                || substr(gen_random_uuid()::text, 20))::uuid as id,
               to_timestamp(micros / 1000000.0) as at
          from (select ((extract(epoch from now()) - 7200) * 1000000)::bigint
                       + i::bigint * (7000000000 / %s) as micros
                  from generate_series(%s, %s) as i) as times),
    history as (
        insert into outbox.dispatched (id, lane, attempt, worker, claimed_at, dispatched_at)
        select id, (select max(lane) from outbox.lane where type = 'orders.placed'), 1, 0, at, at from made)
    insert into outbox.message (id, kind, type, schema_version, occurred_at, staged_at, payload)
    select id, 'provider_side_effect', 'orders.placed', 1, at, at, %L from made $$,
              :records, done + 1, least(done + 100000, :records), :'payload')
  from generate_series(0, :records - 1, 100000) as done
\gexec
\ir vacuum.sql
