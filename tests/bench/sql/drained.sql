-- SPDX-License-Identifier: Apache-2.0
-- What a worker has done: records dispatched since :'since', and the seconds from the first claim to the last
-- outcome, by the database's clock.
select count(*), extract(epoch from max(dispatched_at) - min(claimed_at))
  from outbox.dispatched where dispatched_at >= :'since';
