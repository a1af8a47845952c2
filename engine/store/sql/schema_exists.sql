-- SPDX-License-Identifier: Apache-2.0
-- Purpose: is there an outbox schema with a table of versions? Locks: none. Index: catalog. Rows: one.
select to_regclass('outbox.schema_version') is not null
