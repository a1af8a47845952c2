-- SPDX-License-Identifier: Apache-2.0
-- Purpose: takes the worker's mark away. Locks: advisory 201914/4. Index: none. Rows: none.
select outbox.awake(?::integer)
