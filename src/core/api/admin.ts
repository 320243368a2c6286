import { Type } from "typebox";
import type { Static } from "typebox";

import { ROLES } from "#core/accounts/account.ts";
import { BOT_STATUSES } from "#core/ids/bot-status.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import { AuditEntrySchema } from "./account.ts";
import { AdminAnnouncementSchema } from "./announcement.ts";
import { CountSchema, IdSchema, InstantSchema } from "./common-schemas.ts";
import { StatusSchema } from "./ladder.ts";

const BotStatusField = OneOf(BOT_STATUSES);
const HandleSchema = Nullable(Type.String({ description: "Null until chosen." }));

const ListedBotSchema = Type.Object({
  name: Type.String(),
  status: BotStatusField,
  online: Type.Boolean(),
});

export const AdminAccountSchema = Type.Object({
  id: IdSchema,
  handle: HandleSchema,
  created: InstantSchema,
  admin: Type.Boolean(),
  configured: Type.Boolean({
    description: "Whether the server configuration lists the account as an admin.",
  }),
  banned: Nullable(InstantSchema),
  max_bots: CountSchema,
  bots: Type.Array(ListedBotSchema, { description: "Oldest first." }),
  keys: CountSchema,
  key_last_used: Nullable(InstantSchema),
});
export type AdminAccount = Static<typeof AdminAccountSchema>;

export const AdminAccountsSchema = Type.Object({
  total: Type.Integer({ minimum: 0, description: "Number of accounts." }),
  found: Type.Integer({ minimum: 0, description: "Number of matching accounts." }),
  accounts: Type.Array(AdminAccountSchema, { description: "Newest first." }),
});
export type AdminAccounts = Static<typeof AdminAccountsSchema>;

export const AdminSchema = Type.Object({ handle: HandleSchema, configured: Type.Boolean() });

export const RoleSchema = Type.Object({
  handle: HandleSchema,
  role: OneOf(ROLES),
  admin: Type.Boolean({ description: "True for configured admins in any role." }),
});

export const BotStatusSchema = Type.Object({ name: Type.String(), status: BotStatusField });

export const RemovedAccountSchema = Type.Object({
  deleted: IdSchema,
  handle: HandleSchema,
  banned_bots: Type.Array(Type.String()),
});

export const NewOwnerSchema = Type.Object({
  name: Type.String(),
  max_bots: CountSchema,
  owner_key: Type.String({ description: "Shown only once." }),
});
export type NewOwner = Static<typeof NewOwnerSchema>;

export const KeyOwnerSchema = Type.Object({
  name: Type.String(),
  max_bots: CountSchema,
  created: InstantSchema,
  bots: Type.Array(ListedBotSchema),
});
export type KeyOwner = Static<typeof KeyOwnerSchema>;

const AttentionSchema = Type.Object(
  {
    mail_incidents: Type.Integer({ minimum: 0, description: "Open email incidents." }),
    emails_not_sent: Type.Integer({
      minimum: 0,
      description: "Optional emails in the last 24 hours that failed or have an unknown outcome.",
    }),
    transactional_retrying: Type.Integer({
      minimum: 0,
      description: "Transactional emails that failed and will be retried.",
    }),
    transactional_not_sent: Type.Integer({
      minimum: 0,
      description:
        "Transactional emails not sent since the server started; 0 if the last failure was more than 24 hours ago.",
    }),
    emails_waiting: Type.Integer({ minimum: 0, description: "Optional emails due now." }),
    suppressed_accounts: CountSchema,
    approvals: Type.Array(
      Type.Object({ ladder_id: Type.String(), name: Type.String(), pending: CountSchema }),
      { description: "Ladders with memberships waiting for approval." },
    ),
    disk_free_bytes: Nullable(
      Type.Integer({
        minimum: 0,
        description:
          "Free bytes on the disk that contains the data folder; null if the folder can't be read.",
      }),
    ),
  },
  { description: "Items that may need an operator's attention." },
);
export type Attention = Static<typeof AttentionSchema>;

export const OverviewSchema = Type.Object({
  caller: Type.Object({ id: IdSchema, handle: HandleSchema, configured: Type.Boolean() }),
  admins: Type.Array(AdminSchema),
  status: StatusSchema,
  attention: AttentionSchema,
  bots: Type.Array(
    Type.Object({
      id: IdSchema,
      name: Type.String(),
      owner: Type.String(),
      status: OneOf(["suspended", "banned"]),
      reason: Nullable(Type.String()),
      since: InstantSchema,
    }),
    { description: "Moderated bots, most recently moderated first." },
  ),
  announcements: Type.Array(AdminAnnouncementSchema, { description: "Newest first." }),
  audit: Type.Array(AuditEntrySchema, { description: "Newest first." }),
});
export type AdminOverview = Static<typeof OverviewSchema>;
