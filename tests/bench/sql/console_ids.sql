-- SPDX-License-Identifier: Apache-2.0
-- :count ids spread evenly over the :records records, one a line.
select id
  from (select id, row_number() over (order by id) as place from outbox.message) as placed
 where place % greatest(1, :records / :count) = 0
 limit :count;
