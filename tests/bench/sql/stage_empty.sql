-- SPDX-License-Identifier: Apache-2.0
truncate orders, plain_outbox;
truncate outbox.message, outbox.pending;
select 'truncate graphile_worker._private_jobs' where to_regclass('graphile_worker._private_jobs') is not null
\gexec
checkpoint;
