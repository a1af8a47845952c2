-- SPDX-License-Identifier: Apache-2.0
-- What is not dispatched: pending, processing, dead letters.
select (select count(*) from outbox.pending), (select count(*) from outbox.processing),
       (select count(*) from outbox.dead_letter);
