// What operators see of bots, accounts and owners.

import { Type } from "typebox";
import type { Static } from "typebox";

import { ROLES } from "#core/accounts/account.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";
import { BOT_STATUSES } from "#core/words/bot-status.ts";

import { AuditEntrySchema } from "./account.ts";
import { AdminAnnouncementSchema } from "./announcement.ts";
import { Count, Id, Instant } from "./common.ts";
import { StatusSchema } from "./ladder.ts";

const Status = OneOf(BOT_STATUSES);
const Handle = Nullable(Type.String({ description: "null until chosen" }));

const ListedBotSchema = Type.Object({
  name: Type.String(),
  status: Status,
  online: Type.Boolean(),
});

export const AdminAccountSchema = Type.Object({
  id: Id,
  handle: Handle,
  created: Instant,
  admin: Type.Boolean(),
  configured: Type.Boolean({ description: "named as an admin in the server's configuration" }),
  banned: Nullable(Instant),
  max_bots: Count,
  bots: Type.Array(ListedBotSchema, { description: "oldest first" }),
  keys: Count,
  key_last_used: Nullable(Instant),
});
export type AdminAccount = Static<typeof AdminAccountSchema>;

export const AdminAccountsSchema = Type.Object({
  total: Type.Integer({ minimum: 0, description: "accounts in all" }),
  found: Type.Integer({ minimum: 0, description: "those that match" }),
  accounts: Type.Array(AdminAccountSchema, { description: "newest first" }),
});
export type AdminAccounts = Static<typeof AdminAccountsSchema>;

export const AdminSchema = Type.Object({ handle: Handle, configured: Type.Boolean() });

export const RoleSchema = Type.Object({
  handle: Handle,
  role: OneOf(ROLES),
  admin: Type.Boolean({ description: "configured admins are admins in any role" }),
});

export const BotStatusSchema = Type.Object({ name: Type.String(), status: Status });

export const RemovedAccountSchema = Type.Object({
  deleted: Id,
  handle: Handle,
  banned_bots: Type.Array(Type.String()),
});

export const NewOwnerSchema = Type.Object({
  name: Type.String(),
  max_bots: Count,
  owner_key: Type.String({ description: "shown this once" }),
});
export type NewOwner = Static<typeof NewOwnerSchema>;

export const OwnerSchema = Type.Object({
  name: Type.String(),
  max_bots: Count,
  created: Instant,
  bots: Type.Array(ListedBotSchema),
});
export type KeyOwner = Static<typeof OwnerSchema>;

const AttentionSchema = Type.Object(
  {
    mail_incidents: Type.Integer({ minimum: 0, description: "open incidents of email" }),
    emails_not_sent: Type.Integer({
      minimum: 0,
      description: "optional emails that failed or have an unknown outcome, in the last 24 hours",
    }),
    transactional_retrying: Type.Integer({
      minimum: 0,
      description: "emails about accounts that failed and wait for a retry",
    }),
    transactional_not_sent: Type.Integer({
      minimum: 0,
      description:
        "emails about accounts that were not sent since the start; 0 if the last failure was over 24 hours ago",
    }),
    emails_waiting: Type.Integer({ minimum: 0, description: "optional emails due now" }),
    suppressed_accounts: Count,
    approvals: Type.Array(
      Type.Object({ ladder_id: Type.String(), name: Type.String(), pending: Count }),
      { description: "ladders with memberships waiting for approval" },
    ),
    disk_free_bytes: Nullable(
      Type.Integer({
        minimum: 0,
        description: "on the disk of the data folder; null if the folder can't be read",
      }),
    ),
  },
  { description: "what may need an operator" },
);
export type Attention = Static<typeof AttentionSchema>;

export const OverviewSchema = Type.Object({
  caller: Type.Object({ id: Id, handle: Handle, configured: Type.Boolean() }),
  admins: Type.Array(AdminSchema),
  status: StatusSchema,
  attention: AttentionSchema,
  bots: Type.Array(
    Type.Object({
      id: Id,
      name: Type.String(),
      owner: Type.String(),
      status: OneOf(["suspended", "banned"]),
      reason: Nullable(Type.String()),
      since: Instant,
    }),
    { description: "that an operator dealt with, the latest first" },
  ),
  announcements: Type.Array(AdminAnnouncementSchema, { description: "the latest first" }),
  audit: Type.Array(AuditEntrySchema, { description: "the latest first" }),
});
export type Overview = Static<typeof OverviewSchema>;
