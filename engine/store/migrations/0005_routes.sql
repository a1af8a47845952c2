-- SPDX-License-Identifier: Apache-2.0
-- Where messages go: the route of a type, and the lanes that are made from it.
--
-- SQLSTATEs: OB013 no such route.

-- The destination of a type: the longest matching route, or nothing.
create function outbox.destination_of(message_type text) returns text
language sql stable set search_path = outbox, pg_temp as $$
    select destination from outbox.route
     where pattern = message_type
        or pattern = '*'
        or (right(pattern, 2) = '.*' and starts_with(message_type, left(pattern, -1)))
     order by pattern = message_type desc, length(pattern) desc
     limit 1
$$;

-- Makes a lane for a type and version that has none yet. Rare: once in the life of each.
create function outbox.make_lane(message_type text, message_version integer, ordered boolean) returns integer
language sql set search_path = outbox, pg_temp as $$
    insert into outbox.lane (destination, type, schema_version, ordered, frees_key)
    values (outbox.destination_of(message_type), message_type, message_version, ordered,
            coalesce((select p.dead_head = 'free' from outbox.specification_policy p
                       where p.type = message_type and p.version = message_version), false))
    returning lane
$$;

-- The newest lane of a type and version, made when there is none.
create function outbox.lane_for(message_type text, message_version integer, ordered boolean) returns integer
language sql volatile set search_path = outbox, pg_temp as $$
    select coalesce((select l.lane from outbox.lane l
                      where l.type = message_type and l.schema_version = message_version and l.ordered = lane_for.ordered
                      order by l.lane desc limit 1),
                    outbox.make_lane(message_type, message_version, ordered))
$$;

-- Puts every type on its present route: lanes without destination get theirs, and a type whose newest lane leads
-- elsewhere gets a new lane, because stage() takes the newest. A lane made in a transaction that saw the routes of
-- before is visible to no set_routes() until it commits, so this is due now and then.
create function outbox.route_lanes() returns bigint
language plpgsql volatile security definer set search_path = outbox, pg_temp as $$
declare
    routed bigint;
begin
    update outbox.lane l set destination = outbox.destination_of(l.type)
     where l.destination is null and outbox.destination_of(l.type) is not null;
    get diagnostics routed = row_count;
    if routed > 0 then
        perform outbox.wake_others();
    end if;
    insert into outbox.lane (destination, type, schema_version, ordered, frees_key, refused)
    select outbox.destination_of(l.type), l.type, l.schema_version, l.ordered, l.frees_key, l.refused
      from (select distinct on (l.type, l.schema_version, l.ordered) l.* from outbox.lane l
             order by l.type, l.schema_version, l.ordered, l.lane desc) l
     where l.destination <> outbox.destination_of(l.type);
    perform outbox.specify_lanes(); -- for the same reason
    return routed;
end
$$;

-- Sets where messages of these types go from now on ('orders.placed', 'orders.*' or '*'; the longest that fits wins).
-- What was staged before without any route follows; what had a destination keeps it.
create function outbox.set_routes(patterns text[], destinations text[]) returns void
language plpgsql volatile security definer set search_path = outbox, pg_temp as $$
declare
    wanted record;
begin
    perform outbox.check_lengths(cardinality(patterns), cardinality(destinations));
    for wanted in select * from unnest(patterns, destinations) as w(pattern, destination) order by pattern loop
        begin
            insert into outbox.route as r (pattern, destination) values (wanted.pattern, wanted.destination)
            on conflict on constraint route_pkey do update set destination = excluded.destination
              where r.destination <> excluded.destination;
        exception
            when check_violation or not_null_violation then
                raise exception 'route % to % is no route', coalesce(quote_literal(wanted.pattern), 'missing'),
                                coalesce(quote_literal(wanted.destination), 'missing')
                    using errcode = 'OB013', hint = 'A pattern is a type, a prefix followed by ".*", or "*".';
        end;
    end loop;
    perform outbox.route_lanes();
end
$$;

-- One of them.
create function outbox.set_route(pattern text, destination text) returns void
language sql volatile security definer set search_path = outbox, pg_temp as $$
    select outbox.set_routes(array[pattern], array[destination])
$$;

revoke all on all functions in schema outbox from public;
grant execute on function outbox.set_routes(text[], text[]), outbox.set_route(text, text), outbox.route_lanes()
    to outbox_worker;
