-- SPDX-License-Identifier: Apache-2.0
-- Purpose: applies delivery specifications, all or none, audited. Locks: outbox.specification against other appliers.
-- Index: specification_pkey, specification_type_pkey. Rows: a few for each specification. Parameters: JSON array.
select id, version, outcome from outbox.apply_specifications(?::jsonb)
