-- SPDX-License-Identifier: Apache-2.0
-- The application's own tables: what it sells, and which message went with it. A row in sent is there exactly
-- when its transaction committed.
create table orders (
    id bigint generated always as identity primary key,
    total numeric not null,
    placed_at timestamptz not null default now()
);
create table sent (
    message uuid primary key,
    type text not null
);
