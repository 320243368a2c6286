import { Type } from "typebox";
import type { Static } from "typebox";

import { MAP_NAMES } from "#core/engine/maps.ts";
import { SLUG_PATTERN } from "#core/events/event.ts";
import { HOUSE_KINDS } from "#core/ids/house-bots.ts";
import { LADDER_ACCESS_MODES } from "#core/ladder/ladder.ts";
import { FIXED_LIMITS, LIMIT_TABLE } from "#core/limits/limits.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import {
  CountSchema,
  IdSchema,
  InstantSchema,
  VISIBLE_CHARACTER_PATTERN,
} from "./common-schemas.ts";
import { AdminEventSchema } from "./event.ts";
import { LadderSchema } from "./ladder-results.ts";

const HandleSchema = Nullable(Type.String({ description: "Null until chosen." }));

const LadderBoundSchema = Nullable(
  Type.Integer({
    minimum: 0,
    description: "The ladder's own maximum unless settings override it; null to use the server's.",
  }),
);

export const AdminLadderSchema = Type.Object({
  ...LadderSchema.properties,
  house: Type.Array(OneOf(HOUSE_KINDS), { description: "Short names of the ladder's house bots." }),
  max_concurrent: LadderBoundSchema,
  owner_concurrency: LadderBoundSchema,
  password_set: Type.Boolean(),
  members: Type.Object({ pending: CountSchema, active: CountSchema, revoked: CountSchema }),
});
export type AdminLadder = Static<typeof AdminLadderSchema>;

const MemberSchema = Type.Object({
  account_id: IdSchema,
  handle: HandleSchema,
  membership: OneOf(["pending", "active", "revoked"]),
  since: InstantSchema,
  reason: Nullable(Type.String({ description: "Reason given by an operator." })),
});

const invitationLabel = Nullable(
  Type.String({ description: "team or person that the invitation is for" }),
);

const InvitationSchema = Type.Object({
  id: IdSchema,
  account: Nullable(Type.Object({ id: IdSchema, handle: HandleSchema })),
  created: InstantSchema,
  created_by: HandleSchema,
  expires_at: InstantSchema,
  used_at: Nullable(InstantSchema),
  used_by: HandleSchema,
  revoked_at: Nullable(InstantSchema),
  // Ladders before 0.55 omit this field.
  label: Type.Optional(invitationLabel),
});

const membersAndInvitations = {
  members: Type.Array(MemberSchema),
  invitations: Type.Array(InvitationSchema, { description: "Invitations, without their codes." }),
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
  id: IdSchema,
  code: Type.String({ description: "Shown only once." }),
  url: Type.String({ description: "Link to send to the person. The code follows the #." }),
  expires_at: InstantSchema,
  label: Type.Optional(invitationLabel),
});

const NO_EXTRA_FIELDS = { additionalProperties: false };

/** Excludes control characters, and characters that the store can't save. */
const LINE_PATTERN = "^[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]*$";
export const NAME_PATTERN = `^${VISIBLE_CHARACTER_PATTERN}${LINE_PATTERN.slice(1)}`;
const TEXT_PATTERN = "^[^\\u0000\\ud800-\\udfff]*$";

/** Per request. */
export const INVITATIONS_AT_ONCE = 100;

const newLabel = Type.String({
  minLength: 1,
  maxLength: FIXED_LIMITS.invitation_label_max,
  pattern: NAME_PATTERN,
  description: "team or person that the invitation is for; visible only to operators",
});
export const InvitationRequestSchema = Type.Object(
  {
    account: Type.Optional(
      Type.String({ description: "account id, or handle (case-insensitive)" }),
    ),
    label: Type.Optional(newLabel),
  },
  NO_EXTRA_FIELDS,
);

/** Expects either `count` or `labels`. */
export const InvitationBatchSchema = Type.Object(
  {
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: INVITATIONS_AT_ONCE })),
    labels: Type.Optional(
      Type.Array(newLabel, {
        minItems: 1,
        maxItems: INVITATIONS_AT_ONCE,
        description: "creates one invitation per label, in this order",
      }),
    ),
  },
  NO_EXTRA_FIELDS,
);

const settingsProperties = {
  name: Type.String({
    minLength: 1,
    maxLength: FIXED_LIMITS.ladder_name_max,
    pattern: NAME_PATTERN,
  }),
  description: Type.String({
    maxLength: FIXED_LIMITS.ladder_description_max,
    pattern: TEXT_PATTERN,
  }),
  visible: Type.Boolean({
    description: "Whether the ladder is listed publicly; defaults to true.",
  }),
  enabled: Type.Boolean({ description: "Whether matches are played; defaults to true." }),
  access: OneOf(LADDER_ACCESS_MODES, "How accounts join; defaults to `open`."),
};

const PasswordSchema = Type.String({
  pattern: TEXT_PATTERN,
  description: `${FIXED_LIMITS.ladder_password_min}-${FIXED_LIMITS.ladder_password_max} bytes in Unicode NFKC; only with access \`password\`.`,
});

const InstantInput = Nullable(
  Type.String({ description: "ISO 8601 with an offset; null for no bound." }),
);
const scheduleProperties = { opens_at: InstantInput, closes_at: InstantInput };

const MapsSchema = Type.Array(OneOf(MAP_NAMES), {
  minItems: 1,
  uniqueItems: true,
  description: "Defaults to all.",
});
const HouseBotsSchema = Type.Array(OneOf(HOUSE_KINDS), {
  uniqueItems: true,
  description: "Defaults to all.",
});
const playProperties = { maps: MapsSchema, house: HouseBotsSchema };

const concurrencySchema = (minimumCount: number, { most }: { most: number }) =>
  Nullable(
    Type.Integer({
      minimum: minimumCount,
      maximum: most,
      description: "Null to use the server's maximum.",
    }),
  );

const { name, ...optionalSettings } = settingsProperties;
const newLadderProperties = {
  id: Type.String({ pattern: SLUG_PATTERN, description: "Slug used in URLs." }),
  name,
  ...Type.Partial(Type.Object({ ...optionalSettings, ...scheduleProperties, ...playProperties }))
    .properties,
  max_concurrent: Type.Optional(concurrencySchema(0, LIMIT_TABLE.max_concurrent)),
  owner_concurrency: Type.Optional(concurrencySchema(1, LIMIT_TABLE.owner_concurrency)),
};

export const NewLadderSchema = Type.Object(
  { ...newLadderProperties, password: Type.Optional(PasswordSchema) },
  NO_EXTRA_FIELDS,
);

export const ConfiguredLadderSchema = Type.Object(
  {
    ...newLadderProperties,
    password_env: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
        description: "Environment variable that contains the password.",
      }),
    ),
  },
  NO_EXTRA_FIELDS,
);
export type ConfiguredLadder = Static<typeof ConfiguredLadderSchema>;

/** Fields shared by the request body and the configuration file. */
export type LadderBody = Omit<Static<typeof NewLadderSchema>, "password">;

export const LadderScheduleSchema = Type.Object(scheduleProperties, NO_EXTRA_FIELDS);
export const LadderSettingsSchema = Type.Partial(
  Type.Object({ ...settingsProperties, password: Nullable(PasswordSchema) }),
  NO_EXTRA_FIELDS,
);
export const LadderPlaySchema = Type.Partial(Type.Object(playProperties), NO_EXTRA_FIELDS);

export const DeletedLadderSchema = Type.Object({ deleted: Type.String() });
export const RevokedInvitationSchema = Type.Object({ revoked: Type.Literal(true) });
