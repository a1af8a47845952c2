-- SPDX-License-Identifier: Apache-2.0
\set total random(100, 99999)
begin;
insert into orders (customer, total) values ('A. Person', :total / 100.0);
commit;
