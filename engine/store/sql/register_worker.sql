-- SPDX-License-Identifier: Apache-2.0
-- Purpose: a worker process says who it is and gets its number. Locks: its own row. Index: none. Rows: one.
select outbox.register_worker(?::text, ?::text, ?::integer, ?::text, ?::text[])
