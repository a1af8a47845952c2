-- SPDX-License-Identifier: Apache-2.0
-- Purpose: takes away the marks of workers that died asleep. Locks: advisory 201914/4. Index: none, few rows.
-- Rows: one a worker.
select outbox.sweep_sleepers()
