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

/** Only rated games by a single bot count, on the event's ladder and within its window. */
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

/** Returns an array schema with one item per achievement. */
const fiveOf = <S extends TSchema>(schema: S) =>
  Type.Array(schema, { minItems: ACHIEVEMENTS_PER_EVENT, maxItems: ACHIEVEMENTS_PER_EVENT });

const achievementProperties = {
  id: Type.String(),
  name: Type.String(),
  description: Type.String({ description: "How to earn the achievement." }),
  condition: ConditionSchema,
};

/** An event with its conditions, excluding flags and progress. */
export const EventDefinitionSchema = Type.Object({
  id: Type.String(),
  ladder_id: Type.String({ description: "Ladder whose games count." }),
  name: Type.String(),
  description: Type.String(),
  opens_at: InstantSchema,
  closes_at: InstantSchema,
  timezone: Type.String({
    description: "IANA name of the time zone for displayed times.",
  }),
  metadata: Nullable(MetadataSchema),
  image: Nullable(ImageSchema),
  submission_url: Nullable(Type.String({ pattern: "^https://", description: "normalized" })),
  submission_instructions: Type.String({ description: "Empty unless set." }),
  flag_mode: OneOf(FLAG_MODES),
  revision: Type.Integer({
    minimum: 0,
    description: "Incremented when the definition changes.",
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
      description: "The deciding match comes last.",
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
    { description: "Active bots of the account." },
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
  flags_configured: Type.Boolean({ description: "Whether all five flags are configured." }),
  flags_missing: Type.Array(Type.String(), { description: "Achievement ids." }),
  earning_unavailable: Nullable(OneOf(EARNING_OBSTACLES)),
  counts: Type.Object({
    members: CountSchema,
    participants: Type.Integer({
      minimum: 0,
      description: "Accounts with at least one counted game.",
    }),
    earned: CountSchema,
    revoked: CountSchema,
    requests: Type.Integer({
      minimum: 0,
      description: "Requests that are pending or being played.",
    }),
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

/** Text without characters that the store can't save, on one line or on several. */
const lineSchema = (maxCharacters: number, least = 1) =>
  Type.String({
    minLength: least,
    maxLength: maxCharacters,
    pattern: `^${least > 0 ? VISIBLE_CHARACTER_PATTERN : ""}[^\\u0000-\\u001f\\ud800-\\udfff]*$`,
  });
const paragraphSchema = (maxCharacters: number) =>
  Type.String({ maxLength: maxCharacters, pattern: "^[^\\u0000\\ud800-\\udfff]*$" });

/** URL parsers drop or trim these characters, so URLs that contain them are refused. */
const URL_PATTERN = "^[^\\s\\u0000-\\u001f\\ud800-\\udfff]+$";

export const SubmissionSchema = Type.Object(
  {
    submission_url: Nullable(
      Type.String({
        pattern: URL_PATTERN,
        maxLength: FIXED_LIMITS.event_url_max,
        description:
          "https URL without user info, stored in normalized form. The server never requests it.",
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

/** Parsed by `core/ladder/window.ts`. */
const InstantInput = Type.String({ description: "ISO 8601 with an offset." });
export const EventScheduleSchema = Type.Object(
  { opens_at: InstantInput, closes_at: InstantInput },
  NO_EXTRA_FIELDS,
);

const aboutMaxCharacters = FIXED_LIMITS.event_about_max;

const changeableProperties = {
  name: lineSchema(FIXED_LIMITS.event_name_max),
  description: paragraphSchema(FIXED_LIMITS.event_description_max),
  timezone: Type.String({
    maxLength: 64,
    description: "IANA time zone name, such as Europe/Berlin.",
  }),
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
  flag_mode: OneOf(FLAG_MODES, "Defaults to `official`: text provided by the operator."),
  conditions: Type.Array(
    Type.Object(
      {
        id: Type.String({ pattern: SLUG_PATTERN, description: "Slug, unique within the event." }),
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

/** Request body that creates an event. The configuration file uses the same schema. */
export const NewEventSchema = Type.Object(
  {
    id: Type.String({ pattern: SLUG_PATTERN, description: "Slug used in URLs." }),
    ladder_id: Type.String({ description: "Ladder whose games count." }),
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
  facts: Type.Array(EarnedAwardSchema, {
    description: "Awards earned in the stored matches.",
  }),
  missing_awards: Type.Array(EarnedAwardSchema),
  applied: Type.Boolean(),
});
export type Reconciliation = Static<typeof ReconciliationSchema>;

export const RevokedAwardSchema = Type.Object({ revoked: Type.Literal(true) });
export const RestoredAwardSchema = Type.Object({ restored: Type.Literal(true) });
export const DeletedEventSchema = Type.Object({ deleted: Type.String() });
