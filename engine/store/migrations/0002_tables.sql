-- SPDX-License-Identifier: Apache-2.0
-- One immutable message row, and one narrow table for each state of it. A column that means something in
-- one state only stands in that state's table, and a record stands in exactly one of them. The tables of the
-- specifications and of the gates stand with their functions.
--
-- The tables of the hot path have no CHECK constraints: PostgreSQL builds each anew for every statement, which was a
-- fifth of what stage() cost. The functions are the only way in, and they check.
--
-- SQLSTATEs: OB020 an edit of what is never changed.

create type outbox.message_kind as enum ('integration_event', 'journey_step_command', 'provider_side_effect');

create domain outbox.failure_cause as text check (value in (
    'rejected', 'undeliverable', 'timeout', 'unreachable', 'busy', 'target-error', 'lease-expired', 'no-reader'));

-- What was staged: never changed, pruned by whole partitions. Partitioned by id, which is time.
create table outbox.message (
    id             uuid not null,
    kind           outbox.message_kind not null,
    event_record   text,
    type           text not null,
    schema_version integer not null,
    occurred_at    timestamptz not null,
    staged_at      timestamptz not null,
    tenant         text,
    payload        json not null,
    headers        jsonb,
    ordering_key   text,
    position       bigint, -- among those of its key
    primary key (id)
) partition by range (id);

-- Where messages of a type go. The longest matching pattern wins: 'orders.placed', 'orders.*', '*'.
create table outbox.route (
    pattern     text primary key check (pattern ~ '^(\*|[^*]+|[^*]+\.\*)$'),
    destination text not null check (destination <> '')
);

-- One combination of destination, type and schema version. Few rows. Not unique on purpose: two first
-- writers of a new type each make a lane of their own instead of one waiting for the other to commit.
-- Without a destination: no route for the type yet; its records wait, and are seen waiting.
create table outbox.lane (
    lane           integer generated always as identity primary key,
    destination    text check (destination <> ''),
    type           text not null,
    schema_version integer not null,
    ordered        boolean not null default false, -- of records with an ordering key
    frees_key      boolean not null default false, -- a dead head lets the next one go instead of holding it
    refused        boolean not null default false  -- stage() refuses the type: it has no active specification
);
create index lane_by_type on outbox.lane (type, schema_version, ordered, lane);

-- Waits for its next attempt. For a record that was never tried, next_attempt_at tells since when it is due;
-- 'infinity' is parked behind the head of its key.
--
-- retry_until is when automatic retry ends whatever attempts are left: 'infinity' until the first failure sets it.
-- Each claim moves it on by as long as the record had waited after it was due, so time behind a gate, a full
-- destination or an absent worker does not count.
create table outbox.pending (
    id              uuid primary key,
    lane            integer not null,
    attempt         smallint not null default 0,
    next_attempt_at timestamptz not null,
    staged_at       timestamptz not null,
    retry_until     timestamptz not null default 'infinity'
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50000,
        autovacuum_vacuum_insert_threshold = -1, autovacuum_vacuum_cost_delay = 0);
create index pending_claim on outbox.pending (lane, next_attempt_at, id);
-- For the oldest tried record. Not partial: a predicate is set up anew for every INSERT, which costs more than the entry.
create index pending_tried on outbox.pending (attempt, staged_at);

-- Every keyed record that is not ended: pending, processing, or a dead letter that holds its key.
create table outbox.keyed (
    ordering_key text not null,
    position     bigint not null,
    id           uuid not null,
    primary key (ordering_key, position)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50000,
        autovacuum_vacuum_insert_threshold = -1, autovacuum_vacuum_cost_delay = 0);
create unique index keyed_by_id on outbox.keyed (id);
create sequence outbox.position;

-- A worker process that registered, and when it was last heard of.
create table outbox.worker (
    worker       integer generated always as identity primary key,
    name         text not null check (name <> ''),
    host         text not null,
    pid          integer not null,
    version      text not null,
    destinations text[] not null,
    login        text not null,
    started_at   timestamptz not null default clock_timestamp(),
    heartbeat_at timestamptz not null default clock_timestamp(),
    stopped_at   timestamptz
);

-- One claim: who owns its records until when. All records of a claim share owner, expiry and fence, so an
-- extension writes one row however many records are in flight.
create sequence outbox.fence;
create table outbox.lease (
    fence      bigint primary key,
    worker     integer not null,
    claimed_at timestamptz not null,
    expires_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_insert_threshold = -1, autovacuum_vacuum_cost_delay = 0);

-- Under the lease of that fence.
create table outbox.processing (
    fence       bigint not null,
    id          uuid not null,
    lane        integer not null,
    attempt     smallint not null check (attempt > 0),
    claimed_at  timestamptz not null,
    retry_until timestamptz not null default 'infinity',
    primary key (fence, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50000,
        autovacuum_vacuum_insert_threshold = -1, autovacuum_vacuum_cost_delay = 0);

-- Accepted by the target boundary. Partitioned like message.
create table outbox.dispatched (
    id            uuid not null,
    lane          integer not null,
    attempt       smallint not null,
    worker        integer not null,
    claimed_at    timestamptz not null,
    dispatched_at timestamptz not null,
    primary key (id)
) partition by range (id);

-- Automatic retry has ended.
create table outbox.dead_letter (
    id        uuid primary key,
    lane      integer not null,
    attempt   smallint not null,
    worker    integer not null,
    failed_at timestamptz not null,
    cause     outbox.failure_cause not null,
    reason    text not null
);

-- Failed attempts only; the happy path writes none.
create table outbox.attempt (
    id         uuid not null,
    number     smallint not null,
    worker     integer not null,
    fence      bigint not null,
    started_at timestamptz not null,
    ended_at   timestamptz not null,
    cause      outbox.failure_cause not null,
    summary    text not null
);
create index attempt_by_id on outbox.attempt (id, ended_at);

-- Append-only: who put which dead letter back, when, why, and what had failed.
create table outbox.replay (
    id     uuid not null,
    at     timestamptz not null,
    actor  text not null,
    reason text not null check (reason ~ '\S'),
    cause  outbox.failure_cause not null,
    failure text not null
);
create index replay_by_id on outbox.replay (id, at);

-- Append-only: who let the successors of which dead head go, and why.
create table outbox.skip (
    id     uuid not null,
    at     timestamptz not null,
    actor  text not null,
    reason text not null check (reason ~ '\S')
);
create index skip_by_id on outbox.skip (id, at);

-- What was done in each ten seconds by each worker, written in the same transaction as the outcomes
-- themselves, so the sums are exact. Old rows are summed up in the bucket '-infinity'.
create table outbox.tally (
    bucket     timestamptz not null,
    worker     integer not null,
    dispatched bigint not null default 0,
    retried    bigint not null default 0,
    dead       bigint not null default 0,
    refused    bigint not null default 0,
    primary key (bucket, worker)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_cost_delay = 0);

-- Which worker slots sleep: one bit a slot. A sequence, because its value is the same for every
-- transaction at once, whatever its isolation level.
create sequence outbox.sleepers minvalue 0 start 0;

-- Nobody edits what was staged, or what was audited; not even the owner by mistake.
create function outbox.refuse_edit() returns trigger language plpgsql as $$
begin
    raise exception 'a row of outbox.% is never changed', tg_argv[0]
        using errcode = 'OB020', hint = 'Stage a new message instead; history leaves by whole partitions.';
end
$$;
create trigger immutable before update on outbox.message for each row execute function outbox.refuse_edit('message');
create trigger immutable before update on outbox.attempt for each row execute function outbox.refuse_edit('attempt');
create trigger immutable before update or delete on outbox.replay
    for each row execute function outbox.refuse_edit('replay');
create trigger immutable before update or delete on outbox.skip
    for each row execute function outbox.refuse_edit('skip');

revoke all on all tables in schema outbox from public;
grant select on all tables in schema outbox to outbox_viewer;
grant select on outbox.lane, outbox.route, outbox.worker to outbox_worker;
