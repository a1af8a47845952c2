-- SPDX-License-Identifier: Apache-2.0
-- Purpose: gives the migration lock back. Locks: releases advisory 201914/1. Index: none. Rows: one.
select pg_advisory_unlock(201914, 1)
