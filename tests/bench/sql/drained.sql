-- SPDX-License-Identifier: Apache-2.0
-- What the youngest worker has done: records dispatched, and the seconds from its first claim to its last
-- outcome, by the database's clock.
select count(*), extract(epoch from max(dispatched_at) - min(claimed_at))
  from outbox.dispatched where worker = (select max(worker) from outbox.worker);
