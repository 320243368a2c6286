// Events: windows on a ladder, with achievements to earn; for the public, accounts and operators.

import { Type } from "typebox";
import type { Static, TSchema } from "typebox";

import { MAP_NAMES } from "#core/engine/maps.ts";
import {
  ACHIEVEMENTS_PER_EVENT,
  EVENT_KINDS,
  FLAG_MODES,
  SLUG_PATTERN,
} from "#core/events/event.ts";
import { EARNING_OBSTACLES } from "#core/events/readiness.ts";
import { HOUSE_KINDS } from "#core/ids/house-bots.ts";
import { WINDOW_PHASES } from "#core/ladder/ladder.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import {
  CountSchema,
  IdSchema,
  InstantSchema,
  LabelSchema,
  PathSchema,
  VISIBLE_CHARACTER_PATTERN,
} from "./common-schemas.ts";

const MetadataSchema = Type.Object({
  kind: OneOf(EVENT_KINDS),
  purpose: Type.String(),
  audience: Type.String(),
  format: Type.String(),
  preparation: Type.String(),
});

const ImageSchema = Type.Object({
  url: PathSchema("The image."),
  alt: Type.String(),
  width: CountSchema,
  height: CountSchema,
});

const PositiveCount = Type.Integer({ minimum: 1, maximum: FIXED_LIMITS.condition_most });
const MapCountSchema = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: MAP_NAMES.length,
    description: "Number of different maps required.",
  }),
);
const OpponentSchema = OneOf(HOUSE_KINDS, "Short name of a house bot.");
const NO_EXTRA_FIELDS = { additionalProperties: false };

/** Only rated games of one bot count, within the event's window and on its ladder. */
const ConditionSchema = Type.Union([
  Type.Object({ kind: Type.Literal("games"), count: PositiveCount }, NO_EXTRA_FIELDS),
  Type.Object(
    { kind: Type.Literal("wins"), count: PositiveCount, maps: MapCountSchema },
    NO_EXTRA_FIELDS,
  ),
  Type.Object(
    {
      kind: Type.Literal("defeat"),
      opponent: OpponentSchema,
      wins: PositiveCount,
      maps: MapCountSchema,
    },
    NO_EXTRA_FIELDS,
  ),
  Type.Object(
    { kind: Type.Literal("streak"), wins: PositiveCount },
    { ...NO_EXTRA_FIELDS, description: "Consecutive wins." },
  ),
  Type.Object(
    { kind: Type.Literal("clean"), games: PositiveCount },
    { ...NO_EXTRA_FIELDS, description: "Consecutive games without a refused or idle turn." },
  ),
  Type.Object(
    { kind: Type.Literal("score"), least: PositiveCount },
    {
      ...NO_EXTRA_FIELDS,
      description: "Leaderboard score of a ranked version right after its own game.",
    },
  ),
]);

/** The number of achievements of every event. */
const fiveOf = <S extends TSchema>(schema: S) =>
  Type.Array(schema, { minItems: ACHIEVEMENTS_PER_EVENT, maxItems: ACHIEVEMENTS_PER_EVENT });

const achievementProperties = {
  id: Type.String(),
  name: Type.String(),
  description: Type.String({ description: "Condition of the achievement." }),
  condition: ConditionSchema,
};

/** An event with its five conditions, without flags or progress. */
export const EventDefinitionSchema = Type.Object({
  id: Type.String(),
  ladder_id: Type.String({ description: "Ladder on which games count." }),
  name: Type.String(),
  description: Type.String(),
  opens_at: InstantSchema,
  closes_at: InstantSchema,
  timezone: Type.String({
    description: "IANA name of the time zone in which times are displayed.",
  }),
  metadata: Nullable(MetadataSchema),
  image: Nullable(ImageSchema),
  submission_url: Nullable(Type.String({ pattern: "^https://", description: "normalized" })),
  submission_instructions: Type.String({ description: "Empty unless set." }),
  flag_mode: OneOf(FLAG_MODES),
  revision: Type.Integer({
    minimum: 0,
    description: "Incremented by every change of the definition.",
  }),
  enabled: Type.Boolean(),
  phase: OneOf(WINDOW_PHASES),
  ready: Type.Boolean({ description: "Whether all requirements are met." }),
  unavailable_opponents: Type.Array(OpponentSchema),
  approved_opponents: Type.Array(OpponentSchema),
  conditions: fiveOf(Type.Object(achievementProperties)),
});
export type EventView = Static<typeof EventDefinitionSchema>;

const MembershipSchema = Nullable(OneOf(["pending", "active", "revoked"]));

const AchievementCardSchema = Type.Object({
  ...achievementProperties,
  progress: Type.Object({
    current: Type.Integer({ minimum: 0, description: "Capped at the target." }),
    target: Type.Integer(),
    bot: Nullable(Type.String({ description: "Name of the most advanced bot." })),
  }),
  earned_at: Nullable(InstantSchema),
  revoked_at: Nullable(InstantSchema),
  reason: Nullable(Type.String({ description: "Why it was revoked." })),
  evidence: Type.Array(
    Type.Object({ match_id: IdSchema, watch_url: PathSchema("Outcome of the match.") }),
    {
      maxItems: 10,
      description: "The deciding match last.",
    },
  ),
  flag_available: Type.Boolean(),
});
export type AchievementView = Static<typeof AchievementCardSchema>;

const OpponentRequestSchema = Type.Object({
  id: IdSchema,
  bot_id: IdSchema,
  bot: Type.String(),
  opponent: OpponentSchema,
  created: InstantSchema,
  state: OneOf(["pending", "playing"]),
  match_id: Nullable(IdSchema),
});

const LastRequestSchema = Type.Object({
  bot_id: IdSchema,
  bot: Type.String(),
  opponent: OpponentSchema,
  started: InstantSchema,
  match_id: IdSchema,
  result: OneOf(["W", "L", "D"], "Result of the account's bot."),
});

export const EventProgressSchema = Type.Object({
  event: EventDefinitionSchema,
  membership: MembershipSchema,
  bots: Type.Array(
    Type.Object({
      id: IdSchema,
      name: Type.String(),
      display_name: Type.String(),
      online: Type.Boolean(),
      state: OneOf(["waiting", "playing", "idle"]),
    }),
    { description: "The account's active bots." },
  ),
  request: Nullable(OpponentRequestSchema),
  last_request: Nullable(LastRequestSchema),
  next_request_at: Nullable(InstantSchema),
  achievements: fiveOf(AchievementCardSchema),
});
export type EventProgress = Static<typeof EventProgressSchema>;

export const RevealedSchema = Type.Object({
  event_id: Type.String(),
  achievement_id: Type.String(),
  flag: Type.String(),
  earned_at: InstantSchema,
});

export const AdminEventSchema = Type.Object({
  ...EventDefinitionSchema.properties,
  image_upload_available: Type.Boolean(),
  flags_configured: Type.Boolean({ description: "All five." }),
  flags_missing: Type.Array(Type.String(), { description: "Ids of achievements." }),
  earning_unavailable: Nullable(OneOf(EARNING_OBSTACLES)),
  counts: Type.Object({
    members: CountSchema,
    participants: Type.Integer({ minimum: 0, description: "Accounts with a counted game." }),
    earned: CountSchema,
    revoked: CountSchema,
    requests: Type.Integer({ minimum: 0, description: "Requests that are pending or playing." }),
  }),
  approved_versions: Type.Partial(Type.Record(OneOf(HOUSE_KINDS), LabelSchema)),
});
export type AdminEvent = Static<typeof AdminEventSchema>;

export const AdminEventProgressSchema = Type.Object({
  account: Type.Object({ id: IdSchema, handle: Nullable(Type.String()) }),
  ...EventProgressSchema.properties,
});

const EarnedAwardSchema = Type.Object({
  account_id: IdSchema,
  handle: Nullable(Type.String()),
  achievement_id: Type.String(),
  earned_at: InstantSchema,
  evidence: Type.Array(IdSchema, { description: "matches" }),
});

/** Text of one line, and of several, without characters that the store can't keep. */
const lineSchema = (maxCharacters: number, least = 1) =>
  Type.String({
    minLength: least,
    maxLength: maxCharacters,
    pattern: `^${least > 0 ? VISIBLE_CHARACTER_PATTERN : ""}[^\\u0000-\\u001f\\ud800-\\udfff]*$`,
  });
const paragraphSchema = (maxCharacters: number) =>
  Type.String({ maxLength: maxCharacters, pattern: "^[^\\u0000\\ud800-\\udfff]*$" });

/** URL parsers drop or trim these characters, so a URL that contains one is refused. */
const URL_PATTERN = "^[^\\s\\u0000-\\u001f\\ud800-\\udfff]+$";

export const SubmissionSchema = Type.Object(
  {
    submission_url: Nullable(
      Type.String({
        pattern: URL_PATTERN,
        maxLength: FIXED_LIMITS.event_url_max,
        description:
          "An https URL without user info, stored in normalized form; the server never requests it.",
      }),
    ),
    submission_instructions: paragraphSchema(FIXED_LIMITS.event_instructions_max),
  },
  NO_EXTRA_FIELDS,
);

const ApprovedSchema = Type.Partial(Type.Record(OneOf(HOUSE_KINDS), LabelSchema), {
  ...NO_EXTRA_FIELDS,
  description: "Approved version labels of house bots, by short name.",
});
export const OpponentsSchema = Type.Object({ approved: ApprovedSchema }, NO_EXTRA_FIELDS);

/** An instant as operators write it; parsed by `core/ladder/window.ts`. */
const InstantInput = Type.String({ description: "ISO 8601 with an offset." });
export const EventScheduleSchema = Type.Object(
  { opens_at: InstantInput, closes_at: InstantInput },
  NO_EXTRA_FIELDS,
);

const aboutMaxCharacters = FIXED_LIMITS.event_about_max;

/** Fields of an event that an operator can change individually. */
const changeableProperties = {
  name: lineSchema(FIXED_LIMITS.event_name_max),
  description: paragraphSchema(FIXED_LIMITS.event_description_max),
  timezone: Type.String({ maxLength: 64, description: "IANA name, such as Europe/Berlin." }),
  metadata: Nullable(
    Type.Object(
      {
        kind: OneOf(EVENT_KINDS),
        purpose: lineSchema(aboutMaxCharacters, 0),
        audience: lineSchema(aboutMaxCharacters, 0),
        format: lineSchema(aboutMaxCharacters, 0),
        preparation: lineSchema(aboutMaxCharacters, 0),
      },
      NO_EXTRA_FIELDS,
    ),
  ),
  flag_mode: OneOf(FLAG_MODES, "Defaults to `official`: texts provided by the operator."),
  conditions: Type.Array(
    Type.Object(
      {
        id: Type.String({ pattern: SLUG_PATTERN, description: "Slug, unique in the event." }),
        name: lineSchema(FIXED_LIMITS.event_name_max),
        description: lineSchema(aboutMaxCharacters),
        condition: ConditionSchema,
      },
      NO_EXTRA_FIELDS,
    ),
    { minItems: ACHIEVEMENTS_PER_EVENT, maxItems: ACHIEVEMENTS_PER_EVENT },
  ),
};
export const EventChangeSchema = Type.Partial(Type.Object(changeableProperties), NO_EXTRA_FIELDS);
export type EventChange = Static<typeof EventChangeSchema>;

const { description, timezone, metadata, flag_mode, ...requiredProperties } = changeableProperties;

/** Request body that creates an event, and an entry of the configuration file. */
export const NewEventSchema = Type.Object(
  {
    id: Type.String({ pattern: SLUG_PATTERN, description: "Slug, part of URLs." }),
    ladder_id: Type.String({ description: "Ladder on which games count." }),
    ...EventScheduleSchema.properties,
    ...requiredProperties,
    ...Type.Partial(Type.Object({ description, timezone, metadata, flag_mode })).properties,
    ...Type.Partial(SubmissionSchema).properties,
    approved: Type.Optional(ApprovedSchema),
  },
  NO_EXTRA_FIELDS,
);
export type NewEvent = Static<typeof NewEventSchema>;

export const ReconciliationSchema = Type.Object({
  facts: Type.Array(EarnedAwardSchema, { description: "Awards earned by the stored matches." }),
  missing_awards: Type.Array(EarnedAwardSchema),
  applied: Type.Boolean(),
});
export type Reconciliation = Static<typeof ReconciliationSchema>;

/** Responses after changing an award or deleting an event. */
export const RevokedAwardSchema = Type.Object({ revoked: Type.Literal(true) });
export const RestoredAwardSchema = Type.Object({ restored: Type.Literal(true) });
export const DeletedEventSchema = Type.Object({ deleted: Type.String() });
