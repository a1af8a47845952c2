-- SPDX-License-Identifier: Apache-2.0
-- Purpose: puts dead letters back to pending, audited. Locks: the rows of the records asked for.
-- Index: dead_letter_pkey, message_pkey. Rows: one for each id. Parameters: ids, reason.
select id::text, replayed, why from outbox.replay(?::uuid[], ?::text)
