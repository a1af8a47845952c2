-- SPDX-License-Identifier: Apache-2.0
-- pgbench: one business transaction. Half of the messages go to the broker and half to the HTTP endpoint; one
-- transaction in ten is rolled back after it has staged.
\set total random(100, 99999)
\set half random(1, 2)
\set fate random(1, 10)
\set broker :half = 1
\set undo :fate = 1
begin;
insert into orders (total) values (:total / 100.0);
\if :broker
select outbox.stage('provider_side_effect', 'orders.placed', 1, '{"order":"88121","note":"ring twice"}'::text)::text as message \gset
insert into sent (message, type) values (:message::text::uuid, 'orders.placed');
\else
select outbox.stage('provider_side_effect', 'payments.charged', 1, '{"order":"88121","amount":"129.90"}'::text)::text as message \gset
insert into sent (message, type) values (:message::text::uuid, 'payments.charged');
\endif
\if :undo
rollback;
\else
commit;
\endif
