-- SPDX-License-Identifier: Apache-2.0
-- Purpose: records under way without a lease, leases without records, leases that ran out and nobody returned.
-- Locks: none. Index: lease_pkey, processing_pkey. Rows: all leases and all of processing, few.
select (select count(*) from outbox.processing p
         where not exists (select from outbox.lease l where l.fence = p.fence)) as without_lease,
       (select string_agg(id::text, ' ') from (
            select p.id from outbox.processing p
             where not exists (select from outbox.lease l where l.fence = p.fence) limit 5) as few) as samples,
       (select count(*) from outbox.lease l
         where not exists (select from outbox.processing p where p.fence = l.fence)) as without_records,
       (select count(*) from outbox.lease l where l.expires_at < clock_timestamp() - interval '1 minute') as expired,
       (select count(*) from outbox.lease) as leases
