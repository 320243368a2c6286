import type { ColumnTypes, Migration } from "#data/queries/database-backend.ts";

/** Baseline: bots, versions, matches, and the counts derived from them. */
export const SCHEMA_22: Migration = {
  number: 22,
  name: "baseline",
  statements: (types) => [
    ...botTables(types),
    ...matchTables(types),
    ...countTables(types),
    ...auditTables(types),
  ],
};

function botTables({ text, whole, heap }: ColumnTypes): string[] {
  return [
    `create table bots (
      id ${text} primary key,
      name ${text} not null,
      name_key ${text} not null unique,
      owner ${text} not null,
      owner_key ${text} not null,
      house ${whole} not null check (house in (0, 1)),
      status ${text} not null,
      created ${text} not null,
      avatar ${text}
    ) ${heap}`,
    "create index bots_by_owner on bots (owner_key)",
    `create table tokens (
      hash ${text} primary key,
      bot_id ${text} not null references bots (id) on delete cascade,
      stale ${whole} not null check (stale in (0, 1))
    ) ${heap}`,
    "create index tokens_by_bot on tokens (bot_id)",
    `create table versions (
      id ${text} primary key,
      bot_id ${text} not null references bots (id) on delete cascade,
      label ${text} not null,
      notes ${text} not null,
      created ${text} not null,
      retired ${whole} not null check (retired in (0, 1)),
      unique (bot_id, label),
      unique (bot_id, id)
    ) ${heap}`,
    "create index versions_by_age on versions (bot_id, created)",
  ];
}

function matchTables({ text, whole, real, bytes, keyed, heap }: ColumnTypes): string[] {
  return [
    `create table matches (
      id ${text} primary key,
      ladder_id ${text} not null,
      mode ${text} not null,
      map ${text} not null,
      seed ${whole} not null,
      started ${text} not null,
      ended ${text} not null,
      duration_ms ${real} not null,
      final_tick ${whole} not null,
      reason ${text} not null,
      winner_bot_id ${text},
      voided ${whole} not null check (voided in (0, 1)),
      rated ${whole} not null check (rated in (0, 1))
    ) ${keyed}`,
    "create index matches_by_end on matches (ladder_id, ended, id)",
    "create index matches_by_start on matches (started)",
    `create table seats (
      match_id ${text} not null references matches (id),
      seat ${whole} not null,
      bot_id ${text} not null,
      version_id ${text} not null,
      fighter ${text} not null,
      rating_before ${whole},
      rating_after ${whole},
      ladder_id ${text} not null,
      ended ${text} not null,
      primary key (match_id, seat),
      foreign key (bot_id, version_id) references versions (bot_id, id)
    ) ${keyed}`,
    // Unique because a bot has at most one seat in a match.
    "create unique index seats_by_bot on seats (bot_id, ladder_id, ended, match_id)",
    `create table match_documents (
      match_id ${text} primary key references matches (id),
      pairing ${text} not null,
      stats ${bytes}
    ) ${heap}`,
  ];
}

function countTables({ text, whole, keyed }: ColumnTypes): string[] {
  return [
    `create table pair_counts (
      ladder_id ${text} not null,
      first_version ${text} not null,
      second_version ${text} not null,
      map ${text} not null,
      wins ${whole} not null,
      draws ${whole} not null,
      losses ${whole} not null,
      primary key (ladder_id, first_version, second_version, map),
      check (first_version < second_version)
    ) ${keyed}`,
    `create table version_activity (
      ladder_id ${text} not null,
      version_id ${text} not null,
      bot_id ${text} not null,
      last_played ${text} not null,
      last_match_id ${text} not null,
      seat_balance ${whole} not null,
      primary key (ladder_id, version_id)
    ) ${keyed}`,
    `create table ladder_tallies (
      ladder_id ${text} primary key,
      games ${whole} not null,
      voided ${whole} not null
    ) ${keyed}`,
  ];
}

function auditTables({ text, heap }: ColumnTypes): string[] {
  return [
    `create table audit (
      id ${text} primary key,
      at ${text} not null,
      kind ${text} not null,
      subject ${text} not null,
      detail ${text} not null
    ) ${heap}`,
    "create index audit_by_time on audit (at, id)",
    "create index audit_by_kind on audit (kind, at, id)",
  ];
}
