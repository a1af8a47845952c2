-- SPDX-License-Identifier: Apache-2.0
-- Purpose: may this session replay: it has the right, and the server takes writes. Locks: none. Index: none. Rows: none.
select has_function_privilege('outbox.replay(uuid[], text)', 'execute') and not pg_is_in_recovery()
