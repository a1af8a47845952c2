-- SPDX-License-Identifier: Apache-2.0
-- Purpose: the number of the transaction under way, by which its end can be asked for. Locks: none. Index: none.
-- Rows: one.
select pg_catalog.pg_current_xact_id()::text
