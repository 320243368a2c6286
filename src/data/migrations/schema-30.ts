import type { ColumnTypes, Migration } from "#data/queries/database-backend.ts";

/** Adds custom ladders with members, and events with awards. */
export const SCHEMA_30: Migration = {
  number: 30,
  name: "ladders and events",
  statements: (types) => [...ladderTables(types), ...memberTables(types), ...eventTables(types)],
};

/** The public ladder has no row, because its definition is the same on every server. */
function ladderTables({ text, whole, heap }: ColumnTypes): string[] {
  return [
    `create table ladders (
      id ${text} primary key,
      name ${text} not null,
      description ${text} not null,
      access ${text} not null,
      password_hash ${text},
      visible ${whole} not null check (visible in (0, 1)),
      enabled ${whole} not null check (enabled in (0, 1)),
      opens_at ${text},
      closes_at ${text},
      maps ${text} not null,
      house ${text} not null,
      max_concurrent ${whole},
      owner_concurrency ${whole},
      created ${text} not null,
      finished_at ${text},
      archive ${text},
      check (password_hash is null or access = 'password')
    ) ${heap}`,
  ];
}

/**
 * Memberships are intervals. Closed intervals are kept. An account has at most one open interval
 * per ladder.
 */
function memberTables({ text, heap }: ColumnTypes): string[] {
  return [
    `create table ladder_members (
      id ${text} primary key,
      ladder_id ${text} not null,
      account_id ${text} not null references accounts (id) on delete cascade,
      state ${text} not null,
      since ${text} not null,
      until ${text},
      reason ${text}
    ) ${heap}`,
    `create unique index ladder_members_now on ladder_members (ladder_id, account_id)
      where until is null`,
    "create index ladder_members_by_account on ladder_members (account_id, ladder_id, since)",
    `create table invitations (
      id ${text} primary key,
      ladder_id ${text} not null references ladders (id) on delete cascade,
      hash ${text} not null unique,
      account_id ${text} references accounts (id) on delete cascade,
      created ${text} not null,
      created_by ${text},
      expires_at ${text} not null,
      used_at ${text},
      used_by ${text},
      revoked_at ${text}
    ) ${heap}`,
    "create index invitations_by_ladder on invitations (ladder_id, created)",
    "create index invitations_by_account on invitations (account_id)",
  ];
}

function eventTables({ text, whole, heap }: ColumnTypes): string[] {
  return [
    `create table events (
      id ${text} primary key,
      ladder_id ${text} not null,
      name ${text} not null,
      description ${text} not null,
      opens_at ${text} not null,
      closes_at ${text} not null,
      timezone ${text} not null,
      metadata ${text},
      image ${text},
      submission_url ${text},
      submission_instructions ${text} not null,
      flag_mode ${text} not null,
      revision ${whole} not null,
      enabled ${whole} not null check (enabled in (0, 1)),
      achievements ${text} not null,
      approved ${text} not null,
      created ${text} not null,
      settled_at ${text}
    ) ${heap}`,
    "create index events_by_ladder on events (ladder_id)",
    `create table awards (
      event_id ${text} not null references events (id),
      account_id ${text} not null references accounts (id) on delete cascade,
      achievement_id ${text} not null,
      bot_id ${text} not null,
      earned_at ${text} not null,
      evidence ${text} not null,
      awarded_at ${text} not null,
      revoked_at ${text},
      revoked_reason ${text},
      primary key (event_id, account_id, achievement_id)
    ) ${heap}`,
    "create index awards_by_account on awards (account_id)",
    `create table opponent_requests (
      id ${text} primary key,
      event_id ${text} not null,
      ladder_id ${text} not null,
      account_id ${text} not null references accounts (id) on delete cascade,
      bot_id ${text} not null references bots (id) on delete cascade,
      opponent ${text} not null,
      created ${text} not null,
      state ${text} not null,
      started ${text},
      match_id ${text}
    ) ${heap}`,
    `create unique index opponent_requests_pending on opponent_requests (event_id, account_id)
      where state = 'pending'`,
    `create index opponent_requests_by_account
      on opponent_requests (account_id, event_id, created)`,
    "create index opponent_requests_by_bot on opponent_requests (bot_id)",
  ];
}
