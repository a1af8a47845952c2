-- SPDX-License-Identifier: Apache-2.0
-- Purpose: may this role work, and is the store writable? Locks: none. Index: catalog. Rows: one.
select has_function_privilege('outbox.claim(integer, interval, integer[], integer[], timestamptz[])', 'execute')
