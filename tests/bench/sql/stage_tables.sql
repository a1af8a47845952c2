-- SPDX-License-Identifier: Apache-2.0
-- The application's own table, and the outbox table that an application without an engine would write:
-- one table with a state, and the index that its dispatcher needs.
create table if not exists orders (
    id bigint generated always as identity primary key,
    customer text not null,
    total numeric not null,
    placed_at timestamptz not null default now()
);
create table if not exists plain_outbox (
    id uuid primary key default gen_random_uuid(),
    kind text not null,
    type text not null,
    schema_version integer not null,
    payload json not null,
    state text not null default 'pending',
    attempt integer not null default 0,
    next_attempt_at timestamptz not null default now()
);
create index if not exists plain_outbox_claim on plain_outbox (next_attempt_at) where state = 'pending';
