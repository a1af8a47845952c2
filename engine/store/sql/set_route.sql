-- SPDX-License-Identifier: Apache-2.0
-- Purpose: sets where messages of a type go. Locks: the route's row; lanes without destination. Index: route_pkey.
-- Rows: few.
select outbox.set_route(?::text, ?::text)
