-- SPDX-License-Identifier: Apache-2.0
-- Purpose: the migrations that were applied. Locks: none. Index: schema_version_pkey. Rows: one a migration.
select v.version, v.name, to_jsonb(v) ->> 'checksum' -- a build from before the checksums made the table without
  from outbox.schema_version v
 order by v.version
