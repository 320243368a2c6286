import type { ColumnTypes, Migration } from "#data/queries/database-backend.ts";

/** Adds accounts, their keys and apps, and former names. */
export const SCHEMA_29: Migration = {
  number: 29,
  name: "accounts",
  statements: (types) => [
    ...accountTables(types),
    ...credentialTables(types),
    ...formerNameTables(types),
    "create index audit_by_account on audit (actor_id, at) where actor_kind = 'account'",
    "create index audit_of_account on audit (subject_id, at) where subject_kind = 'account'",
  ],
};

function accountTables({ text, whole, heap, keyed }: ColumnTypes): string[] {
  return [
    `create table accounts (
      id ${text} primary key,
      issuer ${text} not null,
      subject ${text} not null,
      handle ${text},
      handle_key ${text} unique,
      role ${text} not null,
      banned_at ${text},
      ban_reason ${text},
      max_bots ${whole},
      email ${text},
      email_confirmed_at ${text},
      email_signs_in ${whole} not null check (email_signs_in in (0, 1)),
      mail ${text} not null,
      created ${text} not null,
      unique (issuer, subject),
      check ((handle is null) = (handle_key is null))
    ) ${heap}`,
    "create index accounts_by_age on accounts (created, id)",
    "create index accounts_by_email on accounts (email)",
    `create table sign_outs (
      issuer ${text} not null,
      subject ${text} not null,
      at ${whole} not null,
      primary key (issuer, subject)
    ) ${keyed}`,
  ];
}

function credentialTables({ text, whole, heap }: ColumnTypes): string[] {
  return [
    `create table agent_keys (
      id ${text} primary key,
      account_id ${text} not null references accounts (id) on delete cascade,
      hash ${text} not null unique,
      label ${text} not null,
      created ${text} not null,
      last_used ${text}
    ) ${heap}`,
    "create index agent_keys_by_account on agent_keys (account_id, created, id)",
    `create table programs (
      account_id ${text} not null references accounts (id) on delete cascade,
      client_id ${text} not null,
      name ${text} not null,
      created ${text} not null,
      last_used ${text},
      primary key (account_id, client_id)
    ) ${heap}`,
    `create table owners (
      name_key ${text} primary key,
      name ${text} not null,
      key_hash ${text} not null unique,
      max_bots ${whole} not null,
      created ${text} not null
    ) ${heap}`,
  ];
}

/**
 * A handle stays reserved after its account is deleted. A deleted bot's name is available
 * immediately.
 */
function formerNameTables({ text, heap }: ColumnTypes): string[] {
  return [
    `create table former_handles (
      handle_key ${text} primary key,
      handle ${text} not null,
      account_id ${text} not null,
      given_up ${text} not null,
      until ${text} not null
    ) ${heap}`,
    "create index former_handles_by_account on former_handles (account_id, given_up)",
    `create table former_names (
      name_key ${text} primary key,
      bot_id ${text} not null references bots (id) on delete cascade,
      given_up ${text} not null,
      until ${text} not null
    ) ${heap}`,
    "create index former_names_by_bot on former_names (bot_id, given_up)",
  ];
}
