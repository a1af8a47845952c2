-- SPDX-License-Identifier: Apache-2.0
-- Purpose: the lanes that lead to these destinations. Locks: none. Index: none, few rows. Rows: one a lane.
select lane, destination, type, schema_version from outbox.lane where destination = any (?::text[]) order by lane
