-- SPDX-License-Identifier: Apache-2.0
begin isolation level repeatable read;
select count(*) from outbox.lane;
