-- SPDX-License-Identifier: Apache-2.0
-- Purpose: marks the worker as asleep. Locks: advisory 201914/4, and 201914/2 for a moment. Index: pending_claim.
-- Rows: one a lane.
select quiet, (date_part('epoch', next_due_in) * 1000)::bigint from outbox.doze(?::integer, ?::integer[])
