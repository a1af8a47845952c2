-- SPDX-License-Identifier: Apache-2.0
-- Nothing waits and nothing is under way; history stays.
truncate outbox.pending, outbox.processing, outbox.lease, outbox.attempt, outbox.tally;
