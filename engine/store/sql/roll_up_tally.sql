-- SPDX-License-Identifier: Apache-2.0
-- Purpose: sums up old tally rows. Locks: advisory 201914/5, the old rows. Index: tally_pkey. Rows: the old ones.
select outbox.roll_up_tally()
