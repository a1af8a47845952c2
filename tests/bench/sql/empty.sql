-- SPDX-License-Identifier: Apache-2.0
-- No record in any state; lanes and routes stay.
truncate outbox.message, outbox.pending, outbox.processing, outbox.lease, outbox.dispatched, outbox.dead_letter,
         outbox.attempt, outbox.tally;
