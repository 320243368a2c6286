// A person's account, as its owner sees it.

import { Type } from "typebox";
import type { Static } from "typebox";

import { EMAIL_PREFERENCES } from "#core/accounts/account.ts";
import { Each, Nullable, OneOf } from "#core/protocol/schema-fight.ts";
import { ACTOR_KINDS, AUDIT_KINDS, SUBJECT_KINDS } from "#core/words/audit.ts";
import { BOT_STATUSES } from "#core/words/bot-status.ts";

import { MyBotSchema } from "./bot.ts";
import { Avatar, Count, Id, Instant, Link, Path } from "./common.ts";
import { LadderSchema } from "./ladder-results.ts";

export const AccountBotSchema = Type.Object({
  ...MyBotSchema.properties,
  status: OneOf(BOT_STATUSES, "only an active bot plays"),
  status_reason: Nullable(Type.String({ description: "what the operator gave as the reason" })),
  played: Type.Boolean({ description: "a ranked match of it is stored, so it cannot be deleted" }),
});
export type AccountBot = Static<typeof AccountBotSchema>;

const KeySchema = Type.Object({
  id: Id,
  label: Type.String(),
  created: Instant,
  last_used: Nullable(Instant),
});

const ProgramSchema = Type.Object({
  client_id: Type.String(),
  name: Type.String({ description: "what the program calls itself" }),
  created: Instant,
  last_used: Nullable(Instant),
});

export const EmailPreferencesSchema = Each(EMAIL_PREFERENCES, Type.Boolean());

export const AccountSchema = Type.Object({
  id: Id,
  email: Nullable(Type.String({ description: "as the identity provider last said it" })),
  admin: Type.Boolean(),
  handle: Nullable(Type.String({ description: "null until chosen" })),
  suggested_handle: Nullable(
    Type.String({ description: "one that is free; null once there is a handle" }),
  ),
  created: Instant,
  max_bots: Count,
  bot_count: Type.Integer({ minimum: 0, description: "all bots but the retired" }),
  email_announcements: Type.Boolean(),
  email_preferences: EmailPreferencesSchema,
  bots: Type.Array(AccountBotSchema, { description: "oldest first" }),
  keys: Type.Array(KeySchema, {
    description: "agent keys, oldest first; never the keys themselves",
  }),
  mcp_url: Nullable(Link("the MCP endpoint")),
  mcp_clients: Type.Array(ProgramSchema, {
    description: "programs that were let in, oldest first",
  }),
});
export type Account = Static<typeof AccountSchema>;

export const StarredMatchesSchema = Type.Object({
  match_ids: Type.Array(Id, { description: "newest star first" }),
  max: Type.Integer({ minimum: 1, description: "how many an account may star" }),
});
export type StarredMatches = Static<typeof StarredMatchesSchema>;
export const StarSchema = Type.Object({ match_id: Id, starred: Type.Boolean() });

export const NewKeySchema = Type.Object({
  id: Id,
  label: Type.String(),
  created: Instant,
  key: Type.String({ description: "shown this once" }),
  note: Type.String(),
});

export const BotNameSchema = Type.Object({ name: Type.String() });
export const BotTokenSchema = Type.Object({
  name: Type.String(),
  token: Type.String({ description: "shown this once" }),
});
export const BotAvatarSchema = Type.Object({ name: Type.String(), avatar: Avatar });
export const ClaimedBotSchema = Type.Object({ name: Type.String(), owner: Type.String() });

export const RevokedSchema = Type.Object({ revoked: Type.Literal(true) });
export const RevokedProgramSchema = Type.Object({
  revoked: Type.Literal(true),
  oauth_revoked: Type.Boolean({
    description: "false if the identity provider could not be told; the ladder refuses it anyway",
  }),
});

/** What a program asks for, or where to go on if it was let in before. */
export const AuthorizationSchema = Type.Union([
  Type.Object({
    authorization_id: Type.String(),
    client: Type.Object({
      client_id: Type.String(),
      name: Type.String({ description: "what the program calls itself" }),
      uri: Nullable(Type.String()),
      logo_uri: Nullable(Type.String()),
    }),
    callback: Type.String({ description: "where the browser goes on" }),
    scopes: Type.Array(Type.String()),
  }),
  Type.Object({ redirect_url: Type.String() }),
]);
export type Authorization = Static<typeof AuthorizationSchema>;
export const RedirectionSchema = Type.Object({ redirect_url: Type.String() });

const MEMBERSHIPS = ["pending", "active", "revoked"] as const;

export const AccountLadderSchema = Type.Object({
  ...LadderSchema.properties,
  membership: Nullable(OneOf(MEMBERSHIPS, "on public always active")),
});
export type AccountLadder = Static<typeof AccountLadderSchema>;

export const LeftSchema = Type.Object({
  deleted: Id,
  deleted_bots: Type.Array(Type.String(), { description: "those that never played" }),
  retired_bots: Type.Array(Type.String(), { description: "those whose matches stay" }),
  identity: OneOf(["deleted", "kept"], "whether the identity provider forgot the person too"),
});

const named = {
  id: Nullable(Type.String()),
  name: Nullable(Type.String({ description: "as it was then" })),
};

const accountFields = {
  id: Type.String(),
  handle: Nullable(Type.String({ description: "as it was then" })),
};

export const AuditEntrySchema = Type.Object({
  id: Id,
  at: Instant,
  kind: OneOf(AUDIT_KINDS),
  actor: Type.Object({
    kind: OneOf(ACTOR_KINDS),
    ...named,
    account: Nullable(
      Type.Object(accountFields, {
        description: "the account that acted, directly or through an agent key",
      }),
    ),
  }),
  subject: Nullable(Type.Object({ kind: OneOf(SUBJECT_KINDS), ...named })),
  person: Nullable(Type.Object(accountFields, { description: "the account affected" })),
  reason: Nullable(Type.String({ description: "what an operator gave as the reason" })),
  detail: Nullable(Type.Unsafe<object>(Type.Object({}, { additionalProperties: true }))),
});
export type AuditView = Static<typeof AuditEntrySchema>;

export const AccountExportSchema = Type.Object({
  generated: Instant,
  account: AccountSchema,
  former_handles: Type.Array(Type.String(), { description: "still reserved, the newest first" }),
  memberships: Type.Array(
    Type.Object({
      ladder_id: Type.String(),
      membership: OneOf(MEMBERSHIPS),
      from: Instant,
      until: Nullable(Instant),
    }),
  ),
  awards: Type.Array(
    Type.Object({
      event_id: Type.String(),
      achievement_id: Type.String(),
      earned_at: Instant,
      revoked_at: Nullable(Instant),
    }),
  ),
  starred_matches: Type.Array(Id, { description: "newest star first" }),
  mails: Type.Array(
    Type.Object({
      category: Type.String(),
      state: Type.String(),
      created: Instant,
      finished: Nullable(Instant),
    }),
    { description: "letters that the account may refuse, newest first" },
  ),
  audit: Type.Array(AuditEntrySchema, { description: "by the account or about it, newest first" }),
  identity: Nullable(
    Type.Object({
      id: Type.String(),
      email: Nullable(Type.String()),
      providers: Type.Array(Type.String(), { description: "how the person signs in" }),
      created: Nullable(Instant),
      last_sign_in: Nullable(Instant),
    }),
  ),
  matches_urls: Type.Array(Path("of the matches of one bot")),
});
export type AccountExport = Static<typeof AccountExportSchema>;
