-- SPDX-License-Identifier: Apache-2.0
-- Purpose: a worker process has ended in good order. Locks: its own row. Index: worker_pkey. Rows: one.
select outbox.unregister_worker(?::integer)
