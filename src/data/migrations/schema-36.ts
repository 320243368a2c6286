import { canonicalizeEmails } from "#data/identity/canonicalize-emails.ts";
import type { ColumnTypes, Migration } from "#data/queries/database-backend.ts";

/** Schema changes of release 0.54.0. */
export const SCHEMA_36: Migration = {
  number: 36,
  name: "release 0.54.0",
  statements: (types) => [
    ...refreshTokenParent(types),
    ...auditAccounts(types),
    ...dailyCreations(types),
    ...emailChanges(types),
    ...signUps(types),
    ...placementMatches(types),
    ...pinnedReplays(types),
  ],
  convert: canonicalizeEmails,
};

/** Number of the last refresh token that a client presented, or -1 before the first refresh. */
const refreshTokenParent = ({ whole }: ColumnTypes) => [
  `alter table identity_sessions add column parent ${whole} not null default -1`,
  "update identity_sessions set parent = counter - 1",
];

const auditAccounts = ({ text }: ColumnTypes): string[] => [
  ...["actor_account_id", "actor_account_name", "person_id", "person_name"].map(
    (column) => `alter table audit add column ${column} ${text}`,
  ),
  `update audit set
    actor_account_id = (select account_id from agent_keys where id = audit.actor_id),
    actor_account_name = (select accounts.handle from agent_keys
      join accounts on accounts.id = agent_keys.account_id where agent_keys.id = audit.actor_id)
    where actor_kind = 'agent_key'`,
  "create index audit_of_person on audit (person_id, at) where person_id is not null",
];

/** How much an account created on its most recent day, including deleted objects. */
const dailyCreations = ({ text, whole, keyed }: ColumnTypes) => [
  `create table daily_creations (
    account_id ${text} not null references accounts (id) on delete cascade,
    kind ${text} not null,
    day ${text} not null,
    created ${whole} not null,
    primary key (account_id, kind)
  ) ${keyed}`,
];

/**
 * Adds consecutive refusals, and the accounts that are subscribed when an announcement is drafted.
 * Existing drafts get the current subscribers.
 */
const emailChanges = ({ text, whole, heap }: ColumnTypes): string[] => [
  `alter table mail_refusals add column in_row ${whole} not null default 0`,
  `alter table announcements add column suppressed ${whole} not null default 0`,
  `create table announcement_recipients (
    announcement_id ${text} not null references announcements (id) on delete cascade,
    account_id ${text} not null references accounts (id) on delete cascade,
    primary key (announcement_id, account_id)
  ) ${heap}`,
  `create index announcement_recipients_by_account on announcement_recipients (account_id)`,
  `insert into announcement_recipients (announcement_id, account_id)
    select n.id, a.id from announcements as n, accounts as a
    where n.state = 'draft' and n.email_title is not null and a.created <= n.created
      and a.banned_at is null and a.email is not null and a.email_confirmed_at is not null
      and a.mail not like '%"announcements":false%'`,
];

/**
 * Each pending sign-up now stores its password with its token. Existing passwords of unconfirmed
 * addresses are dropped, because an attacker may have chosen them. Those users choose a password
 * when they confirm.
 */
const signUps = ({ text, whole, keyed }: ColumnTypes): string[] => [
  `alter table identity_tokens add column sign_up ${text}`,
  `alter table identity_flows add column sign_up ${text}`,
  `alter table identity_flows add column token_hash ${text}`,
  `create table identity_wrong_codes (
    address_hash ${text} primary key,
    wrong ${whole} not null,
    since ${text} not null
  ) ${keyed}`,
  `update identity_users set password_hash = null, user_data = '{}'
    where email is not null and email_confirmed_at is null`,
];

/**
 * Number of rated games that the version has played in its competition so far. Backfilled for
 * existing matches.
 */
const placementMatches = ({ whole }: ColumnTypes): string[] => [
  `alter table seats add column rated_games ${whole}`,
  `update seats set rated_games = counted.games
    from (select match_id, seat, row_number() over
        (partition by version_id, ladder_id, season order by ended, match_id) as games
      from seats where rating_after is not null) as counted
    where counted.match_id = seats.match_id and counted.seat = seats.seat`,
];

/**
 * Replays retained in addition to those of each bot's newest matches. `keeper` is an account or a
 * reason.
 */
const pinnedReplays = ({ text, keyed }: ColumnTypes): string[] => [
  `create table pinned_replays (
    match_id ${text} not null references matches (id) on delete cascade,
    keeper ${text} not null,
    account_id ${text} references accounts (id) on delete cascade,
    at ${text} not null,
    primary key (match_id, keeper)
  ) ${keyed}`,
  "create index pinned_replays_of on pinned_replays (keeper, at, match_id)",
  "create index pinned_replays_of_account on pinned_replays (account_id)",
];
