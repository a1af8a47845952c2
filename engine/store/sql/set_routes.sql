-- SPDX-License-Identifier: Apache-2.0
-- Purpose: sets where messages of these types go, all at once. Locks: the routes' rows; lanes without destination.
-- Index: route_pkey. Rows: few. Parameters: patterns, destinations.
select outbox.set_routes(?::text[], ?::text[])
