-- SPDX-License-Identifier: Apache-2.0
-- Purpose: settings of an engine session, and who and what it is. Locks: none. Index: none. Rows: one.
select session_user::text,
       pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean,
       set_config('statement_timeout', ?, false), set_config('lock_timeout', ?, false),
       set_config('default_transaction_isolation', 'read committed', false),
       set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO, YMD', false),
       set_config('IntervalStyle', 'postgres', false), set_config('bytea_output', 'hex', false)
