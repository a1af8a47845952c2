-- SPDX-License-Identifier: Apache-2.0
-- Purpose: whether that transaction committed, aborted or goes on. Locks: none. Index: none. Rows: one.
-- Parameters: the number of the transaction.
select pg_catalog.pg_xact_status(?::xid8)
