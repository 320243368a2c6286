import { Type } from "typebox";
import type { Static } from "typebox";

import { EMAIL_PREFERENCES } from "#core/accounts/account.ts";
import { ACTOR_KINDS, AUDIT_KINDS, SUBJECT_KINDS } from "#core/ids/audit-kinds.ts";
import { BOT_STATUSES } from "#core/ids/bot-status.ts";
import { RecordOf, Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import { MyBotSchema } from "./bot.ts";
import {
  AvatarSchema,
  CountSchema,
  IdSchema,
  InstantSchema,
  UrlSchema,
  PathSchema,
} from "./common-schemas.ts";
import { LadderSchema } from "./ladder-results.ts";

export const AccountBotSchema = Type.Object({
  ...MyBotSchema.properties,
  status: OneOf(BOT_STATUSES, "Only an active bot can play."),
  status_reason: Nullable(Type.String({ description: "Reason given by the operator." })),
  played: Type.Boolean({
    description:
      "Whether a ranked match of the bot is stored, in which case the bot can't be deleted.",
  }),
});
export type AccountBot = Static<typeof AccountBotSchema>;

const KeySchema = Type.Object({
  id: IdSchema,
  label: Type.String(),
  created: InstantSchema,
  last_used: Nullable(InstantSchema),
});

const AppSchema = Type.Object({
  client_id: Type.String(),
  name: Type.String({ description: "Self-reported name of the app." }),
  created: InstantSchema,
  last_used: Nullable(InstantSchema),
});

export const EmailPreferencesSchema = RecordOf(EMAIL_PREFERENCES, Type.Boolean());

export const AccountSchema = Type.Object({
  id: IdSchema,
  email: Nullable(Type.String({ description: "As last reported by the identity provider." })),
  admin: Type.Boolean(),
  handle: Nullable(Type.String({ description: "Null until chosen." })),
  suggested_handle: Nullable(
    Type.String({ description: "An available handle; null once the account has one." }),
  ),
  created: InstantSchema,
  max_bots: CountSchema,
  bot_count: Type.Integer({ minimum: 0, description: "Number of bots, excluding retired ones." }),
  email_announcements: Type.Boolean(),
  email_preferences: EmailPreferencesSchema,
  bots: Type.Array(AccountBotSchema, { description: "Oldest first." }),
  keys: Type.Array(KeySchema, {
    description: "Agent keys without their secrets, oldest first.",
  }),
  mcp_url: Nullable(UrlSchema("URL of the MCP endpoint.")),
  mcp_clients: Type.Array(AppSchema, {
    description: "Authorized apps, oldest first.",
  }),
});
export type Account = Static<typeof AccountSchema>;

export const StarredMatchesSchema = Type.Object({
  match_ids: Type.Array(IdSchema, { description: "Most recently starred first." }),
  max: Type.Integer({ minimum: 1, description: "Maximum number of starred matches per account." }),
});
export type StarredMatches = Static<typeof StarredMatchesSchema>;
export const StarSchema = Type.Object({ match_id: IdSchema, starred: Type.Boolean() });

export const NewKeySchema = Type.Object({
  id: IdSchema,
  label: Type.String(),
  created: InstantSchema,
  key: Type.String({ description: "Shown only once." }),
  note: Type.String(),
});

export const BotNameSchema = Type.Object({ name: Type.String() });
export const BotTokenSchema = Type.Object({
  name: Type.String(),
  token: Type.String({ description: "Shown only once." }),
});
export const BotAvatarSchema = Type.Object({ name: Type.String(), avatar: AvatarSchema });
export const ClaimedBotSchema = Type.Object({ name: Type.String(), owner: Type.String() });

export const RevokedKeySchema = Type.Object({ revoked: Type.Literal(true) });
export const RevokedAppSchema = Type.Object({
  revoked: Type.Literal(true),
  oauth_revoked: Type.Boolean({
    description:
      "False if the identity provider could not be notified. The ladder refuses the app in either case.",
  }),
});

/** Permissions that an app requests, or where to continue if it's already authorized. */
export const AuthorizationSchema = Type.Union([
  Type.Object({
    authorization_id: Type.String(),
    client: Type.Object({
      client_id: Type.String(),
      name: Type.String({ description: "Self-reported name of the app." }),
      uri: Nullable(Type.String()),
      logo_uri: Nullable(Type.String()),
    }),
    callback: Type.String({ description: "URL to redirect the browser to." }),
    scopes: Type.Array(Type.String()),
  }),
  Type.Object({ redirect_url: Type.String() }),
]);
export type Authorization = Static<typeof AuthorizationSchema>;
export const RedirectionSchema = Type.Object({ redirect_url: Type.String() });

const MEMBERSHIPS = ["pending", "active", "revoked"] as const;

export const AccountLadderSchema = Type.Object({
  ...LadderSchema.properties,
  membership: Nullable(OneOf(MEMBERSHIPS, "Always active on public.")),
});
export type AccountLadder = Static<typeof AccountLadderSchema>;

export const AccountDeletionSchema = Type.Object({
  deleted: IdSchema,
  deleted_bots: Type.Array(Type.String(), { description: "Names of bots that never played." }),
  retired_bots: Type.Array(Type.String(), { description: "Names of bots whose matches are kept." }),
  identity: OneOf(["deleted", "kept"], "Whether the identity provider deleted the person too."),
});

const identityProperties = {
  id: Nullable(Type.String()),
  name: Nullable(Type.String({ description: "Name at the time of the entry." })),
};

const accountFields = {
  id: Type.String(),
  handle: Nullable(Type.String({ description: "Handle at the time of the entry." })),
};

export const AuditEntrySchema = Type.Object({
  id: IdSchema,
  at: InstantSchema,
  kind: OneOf(AUDIT_KINDS),
  actor: Type.Object({
    kind: OneOf(ACTOR_KINDS),
    ...identityProperties,
    account: Nullable(
      Type.Object(accountFields, {
        description: "Account that acted, directly or through an agent key.",
      }),
    ),
  }),
  subject: Nullable(Type.Object({ kind: OneOf(SUBJECT_KINDS), ...identityProperties })),
  person: Nullable(Type.Object(accountFields, { description: "Affected account." })),
  reason: Nullable(Type.String({ description: "Reason given by an operator." })),
  detail: Nullable(Type.Unsafe<object>(Type.Object({}, { additionalProperties: true }))),
});
export type AuditView = Static<typeof AuditEntrySchema>;

export const AccountExportSchema = Type.Object({
  generated: InstantSchema,
  account: AccountSchema,
  former_handles: Type.Array(Type.String(), {
    description: "Former handles that are still reserved, most recent first.",
  }),
  memberships: Type.Array(
    Type.Object({
      ladder_id: Type.String(),
      membership: OneOf(MEMBERSHIPS),
      from: InstantSchema,
      until: Nullable(InstantSchema),
    }),
  ),
  awards: Type.Array(
    Type.Object({
      event_id: Type.String(),
      achievement_id: Type.String(),
      earned_at: InstantSchema,
      revoked_at: Nullable(InstantSchema),
    }),
  ),
  starred_matches: Type.Array(IdSchema, { description: "Most recently starred first." }),
  mails: Type.Array(
    Type.Object({
      category: Type.String(),
      state: Type.String(),
      created: InstantSchema,
      finished: Nullable(InstantSchema),
    }),
    { description: "Optional emails for the account, newest first." },
  ),
  audit: Type.Array(AuditEntrySchema, {
    description: "Audit entries by or about the account, newest first.",
  }),
  identity: Nullable(
    Type.Object({
      id: Type.String(),
      email: Nullable(Type.String()),
      providers: Type.Array(Type.String(), { description: "Sign-in methods." }),
      created: Nullable(InstantSchema),
      last_sign_in: Nullable(InstantSchema),
    }),
  ),
  matches_urls: Type.Array(PathSchema("Outcomes of the bot's matches.")),
});
export type AccountExport = Static<typeof AccountExportSchema>;
