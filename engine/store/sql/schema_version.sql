-- SPDX-License-Identifier: Apache-2.0
-- Purpose: the schema's version. Locks: none. Index: schema_version_pkey. Rows: one.
select max(version) from outbox.schema_version
