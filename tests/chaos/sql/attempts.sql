-- SPDX-License-Identifier: Apache-2.0
-- Every failed attempt with the process that made it: id, cause, pid, start and end in milliseconds.
select a.id, a.cause, w.pid, floor(extract(epoch from a.started_at) * 1000)::bigint,
       ceil(extract(epoch from a.ended_at) * 1000)::bigint
  from outbox.attempt a join outbox.worker w using (worker);
