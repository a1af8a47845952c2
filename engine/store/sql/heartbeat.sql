-- SPDX-License-Identifier: Apache-2.0
-- Purpose: still here; false when the store does not know the worker. Locks: its own row. Index: worker_pkey.
-- Rows: one.
select outbox.heartbeat(?::integer)
