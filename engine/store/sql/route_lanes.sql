-- SPDX-License-Identifier: Apache-2.0
-- Purpose: gives lanes without destination the one that their type has a route to by now. Locks: those lanes' rows.
-- Index: none, few rows. Rows: none in normal life.
select outbox.route_lanes()
