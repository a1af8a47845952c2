-- SPDX-License-Identifier: Apache-2.0
-- Purpose: states whether types without an active specification may be staged. Locks: the row of the setting.
-- Index: none, one row. Rows: one. Parameters: refuse or accept.
select outbox.set_unspecified(?::text)
