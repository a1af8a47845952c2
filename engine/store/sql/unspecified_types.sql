-- SPDX-License-Identifier: Apache-2.0
-- Purpose: the rule for types without an active specification, and those that were staged all the same. Locks: none.
-- Index: specification_type_pkey. Rows: all lanes, few.
select s.unspecified,
       (select coalesce(jsonb_agg(jsonb_build_object('type', u.type, 'version', u.version)
                                  order by u.type, u.version), '[]') from outbox.unspecified_type u)::text
  from outbox.specification_setting s
