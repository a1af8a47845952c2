-- SPDX-License-Identifier: Apache-2.0
-- Purpose: partitions that today or tomorrow lacks, how far ahead there are some, and rows that went astray.
-- Locks: none. Index: catalog; of the default partitions at most 10,000 rows are counted. Rows: one.
with days as (
    select d.day, t.name, to_regclass(format('outbox.%I', t.name || '_' || to_char(d.day, 'YYYYMMDD'))) is not null as made
      from (select (clock_timestamp() at time zone 'UTC')::date + ahead as day from generate_series(0, 7) as ahead) as d
     cross join (values ('message'), ('dispatched')) as t(name))
select (select string_agg(name || ' of ' || day, ', ' order by day, name) from days
         where not made and day <= (clock_timestamp() at time zone 'UTC')::date + 1) as missing,
       (select count(distinct day) from days d
         where d.made and not exists (select from days e where not e.made and e.day <= d.day)) as days_ready,
       (select count(*) from (select from outbox.message_default limit 10000) as stray) as stray_messages,
       (select count(*) from (select from outbox.dispatched_default limit 10000) as stray) as stray_dispatched
