-- SPDX-License-Identifier: Apache-2.0
vacuum (analyze) outbox.message, outbox.pending, outbox.processing, outbox.lease, outbox.dispatched;
checkpoint;
