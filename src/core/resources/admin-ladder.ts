// Ladders as an operator sees and makes them.

import { Type } from "typebox";
import type { Static } from "typebox";

import { MAP_NAMES } from "#core/engine/maps.ts";
import { SLUG } from "#core/events/event.ts";
import { ACCESSES } from "#core/ladder/ladder.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";
import { HOUSE_KINDS } from "#core/words/house.ts";
import { FIXED, LIMIT_TABLE } from "#core/words/limits.ts";

import { Count, Id, Instant, SEEN } from "./common.ts";
import { AdminEventSchema } from "./event.ts";
import { LadderSchema } from "./ladder-results.ts";

const Handle = Nullable(Type.String({ description: "null until chosen" }));

const OwnBound = Nullable(
  Type.Integer({
    minimum: 0,
    description: "as the ladder was made, unless settings say otherwise; null for the server's",
  }),
);

export const AdminLadderSchema = Type.Object({
  ...LadderSchema.properties,
  house: Type.Array(OneOf(HOUSE_KINDS), { description: "house bots that play on it" }),
  max_concurrent: OwnBound,
  owner_concurrency: OwnBound,
  password_set: Type.Boolean(),
  members: Type.Object({ pending: Count, active: Count, revoked: Count }),
});
export type AdminLadder = Static<typeof AdminLadderSchema>;

const MemberSchema = Type.Object({
  account_id: Id,
  handle: Handle,
  membership: OneOf(["pending", "active", "revoked"]),
  since: Instant,
  reason: Nullable(Type.String({ description: "what an operator gave as the reason" })),
});

const invitationLabel = Nullable(
  Type.String({ description: "the team or person that the invitation is for" }),
);

const InvitationSchema = Type.Object({
  id: Id,
  account: Nullable(Type.Object({ id: Id, handle: Handle })),
  created: Instant,
  created_by: Handle,
  expires_at: Instant,
  used_at: Nullable(Instant),
  used_by: Handle,
  revoked_at: Nullable(Instant),
  // Ladders before 0.55 don't send it.
  label: Type.Optional(invitationLabel),
});

const membersAndInvitations = {
  members: Type.Array(MemberSchema),
  invitations: Type.Array(InvitationSchema, { description: "never their codes" }),
};

export const LadderDetailSchema = Type.Object({
  ladder: AdminLadderSchema,
  password_set: Type.Boolean(),
  events: Type.Array(AdminEventSchema),
  ...membersAndInvitations,
});
export type LadderDetail = Static<typeof LadderDetailSchema>;

export const MembersSchema = Type.Object(membersAndInvitations);
export type Members = Static<typeof MembersSchema>;

export const NewInvitationSchema = Type.Object({
  id: Id,
  code: Type.String({ description: "shown this once" }),
  url: Type.String({ description: "a link with the code behind #, to send to the person" }),
  expires_at: Instant,
  label: Type.Optional(invitationLabel),
});

/** Operators send no field that a route does not know. */
const CLOSED = { additionalProperties: false };

/** Neither control characters nor what the store cannot keep. */
const LINE = "^[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]*$";
/** With something to see in it. */
export const NAME = `^${SEEN}${LINE.slice(1)}`;
const TEXT = "^[^\\u0000\\ud800-\\udfff]*$";

/** Most invitations that one request makes. */
export const INVITATIONS_AT_ONCE = 100;

const newLabel = Type.String({
  minLength: 1,
  maxLength: FIXED.invitation_label_max,
  pattern: NAME,
  description: "the team or person that the invitation is for; only operators see it",
});
export const InvitationRequestSchema = Type.Object(
  {
    account: Type.Optional(
      Type.String({ description: "the account's id, or its handle in any letter case" }),
    ),
    label: Type.Optional(newLabel),
  },
  CLOSED,
);

/** One of the two fields. */
export const InvitationBatchSchema = Type.Object(
  {
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: INVITATIONS_AT_ONCE })),
    labels: Type.Optional(
      Type.Array(newLabel, {
        minItems: 1,
        maxItems: INVITATIONS_AT_ONCE,
        description: "makes one invitation for each, in this order",
      }),
    ),
  },
  CLOSED,
);

const settings = {
  name: Type.String({ minLength: 1, maxLength: FIXED.ladder_name_max, pattern: NAME }),
  description: Type.String({ maxLength: FIXED.ladder_description_max, pattern: TEXT }),
  visible: Type.Boolean({ description: "listed for everybody; true if absent" }),
  enabled: Type.Boolean({ description: "matches are played; true if absent" }),
  access: OneOf(ACCESSES, "how an account gets in; `open` if absent"),
};

const Password = Type.String({
  pattern: TEXT,
  description: `${FIXED.ladder_password_min}-${FIXED.ladder_password_max} bytes in Unicode NFKC; only with access \`password\``,
});

/** An instant as operators write it. */
const Written = Nullable(
  Type.String({ description: "ISO 8601 with an offset; null for no bound" }),
);
const schedule = { opens_at: Written, closes_at: Written };

const Maps = Type.Array(OneOf(MAP_NAMES), {
  minItems: 1,
  uniqueItems: true,
  description: "all if absent",
});
const House = Type.Array(OneOf(HOUSE_KINDS), { uniqueItems: true, description: "all if absent" });
const play = { maps: Maps, house: House };

const atOnce = (least: number, { most }: { most: number }) =>
  Nullable(Type.Integer({ minimum: least, maximum: most, description: "null for the server's" }));

const { name, ...optional } = settings;
const newLadder = {
  id: Type.String({ pattern: SLUG, description: "a slug; it is part of addresses" }),
  name,
  ...Type.Partial(Type.Object({ ...optional, ...schedule, ...play })).properties,
  max_concurrent: Type.Optional(atOnce(0, LIMIT_TABLE.max_concurrent)),
  owner_concurrency: Type.Optional(atOnce(1, LIMIT_TABLE.owner_concurrency)),
};

/** The body that makes a ladder. */
export const NewLadderSchema = Type.Object(
  { ...newLadder, password: Type.Optional(Password) },
  CLOSED,
);

/** An entry of the configuration file. */
export const ConfiguredLadderSchema = Type.Object(
  {
    ...newLadder,
    password_env: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
        description: "the variable of the environment that holds the password",
      }),
    ),
  },
  CLOSED,
);
export type ConfiguredLadder = Static<typeof ConfiguredLadderSchema>;

/** What the two have in common. */
export type LadderBody = Omit<Static<typeof NewLadderSchema>, "password">;

export const LadderScheduleSchema = Type.Object(schedule, CLOSED);
export const LadderSettingsSchema = Type.Partial(
  Type.Object({ ...settings, password: Nullable(Password) }),
  CLOSED,
);
export const LadderPlaySchema = Type.Partial(Type.Object(play), CLOSED);

export const DeletedLadderSchema = Type.Object({ deleted: Type.String() });
export const RevokedInvitationSchema = Type.Object({ revoked: Type.Literal(true) });
