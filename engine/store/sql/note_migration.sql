-- SPDX-License-Identifier: Apache-2.0
-- Purpose: remembers an applied migration. Locks: its own row. Index: schema_version_pkey. Rows: one.
insert into outbox.schema_version (version, name, checksum) values (?, ?, ?)
