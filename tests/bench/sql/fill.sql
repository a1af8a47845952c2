-- SPDX-License-Identifier: Apache-2.0
-- Stages :records messages the way an application does, in transactions of ten thousand, and leaves the
-- tables as a quiet day would: vacuumed, analysed, on disk. Prints nothing.
\o /dev/null
set outbox.wake = 'off';
set synchronous_commit = off;
select format($$select count(outbox.stage('provider_side_effect', 'orders.placed', 1, %L)) from generate_series(1, %s)$$,
              :'payload', least(10000, :records - done))
  from generate_series(0, :records - 1, 10000) as done
\gexec
\ir vacuum.sql
