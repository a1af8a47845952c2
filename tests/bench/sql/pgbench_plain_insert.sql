-- SPDX-License-Identifier: Apache-2.0
\set total random(100, 99999)
begin;
insert into orders (customer, total) values ('A. Person', :total / 100.0);
insert into plain_outbox (kind, type, schema_version, payload) values ('provider_side_effect', 'orders.placed', 1, :payload::json);
commit;
