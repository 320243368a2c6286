// Events: windows on a ladder, with achievements to earn; as everybody, an account and an operator
// see them.

import { Type } from "typebox";
import type { Static, TSchema } from "typebox";

import { MAP_NAMES } from "#core/engine/maps.ts";
import { ACHIEVEMENTS, EVENT_KINDS, FLAG_MODES, SLUG } from "#core/events/event.ts";
import { EARNING_OBSTACLES } from "#core/events/readiness.ts";
import { PHASES } from "#core/ladder/ladder.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";
import { HOUSE_KINDS } from "#core/words/house.ts";
import { FIXED } from "#core/words/limits.ts";

import { Count, Id, Instant, Label, Path, SEEN } from "./common.ts";

const MetadataSchema = Type.Object({
  kind: OneOf(EVENT_KINDS),
  purpose: Type.String(),
  audience: Type.String(),
  format: Type.String(),
  preparation: Type.String(),
});

const ImageSchema = Type.Object({
  url: Path("the picture"),
  alt: Type.String(),
  width: Count,
  height: Count,
});

const Many = Type.Integer({ minimum: 1, maximum: FIXED.condition_most });
const Maps = Type.Optional(
  Type.Integer({ minimum: 1, maximum: MAP_NAMES.length, description: "on how many maps" }),
);
const Opponent = OneOf(HOUSE_KINDS, "short name of a house bot");
const CLOSED = { additionalProperties: false };

/** Only rated games of one bot count, within the event's window and on its ladder. */
const ConditionSchema = Type.Union([
  Type.Object({ kind: Type.Literal("games"), count: Many }, CLOSED),
  Type.Object({ kind: Type.Literal("wins"), count: Many, maps: Maps }, CLOSED),
  Type.Object({ kind: Type.Literal("defeat"), opponent: Opponent, wins: Many, maps: Maps }, CLOSED),
  Type.Object(
    { kind: Type.Literal("streak"), wins: Many },
    { ...CLOSED, description: "wins in a row" },
  ),
  Type.Object(
    { kind: Type.Literal("clean"), games: Many },
    { ...CLOSED, description: "games in a row without a refused or idle turn" },
  ),
  Type.Object(
    { kind: Type.Literal("score"), least: Many },
    {
      ...CLOSED,
      description: "the leaderboard score of a ranked version right after its own game",
    },
  ),
]);

/** As many as each event has achievements. */
const five = <S extends TSchema>(schema: S) =>
  Type.Array(schema, { minItems: ACHIEVEMENTS, maxItems: ACHIEVEMENTS });

const achievement = {
  id: Type.String(),
  name: Type.String(),
  description: Type.String({ description: "what earns it" }),
  condition: ConditionSchema,
};

/** An event with its five conditions, without any flag or anybody's progress. */
export const EventDefinitionSchema = Type.Object({
  id: Type.String(),
  ladder_id: Type.String({ description: "the ladder on which games count" }),
  name: Type.String(),
  description: Type.String(),
  opens_at: Instant,
  closes_at: Instant,
  timezone: Type.String({ description: "IANA name, in which people are shown the times" }),
  metadata: Nullable(MetadataSchema),
  image: Nullable(ImageSchema),
  submission_url: Nullable(Type.String({ pattern: "^https://", description: "normalized" })),
  submission_instructions: Type.String({ description: "empty unless set" }),
  flag_mode: OneOf(FLAG_MODES),
  revision: Type.Integer({ minimum: 0, description: "counts every change of the definition" }),
  enabled: Type.Boolean(),
  phase: OneOf(PHASES),
  ready: Type.Boolean({ description: "everything that it needs is there" }),
  unavailable_opponents: Type.Array(Opponent),
  approved_opponents: Type.Array(Opponent),
  conditions: five(Type.Object(achievement)),
});
export type EventView = Static<typeof EventDefinitionSchema>;

const MEMBERSHIP = Nullable(OneOf(["pending", "active", "revoked"]));

const CardSchema = Type.Object({
  ...achievement,
  progress: Type.Object({
    current: Type.Integer({ minimum: 0, description: "at most the target" }),
    target: Type.Integer(),
    bot: Nullable(Type.String({ description: "name of the bot that is furthest" })),
  }),
  earned_at: Nullable(Instant),
  revoked_at: Nullable(Instant),
  reason: Nullable(Type.String({ description: "why it was revoked" })),
  evidence: Type.Array(Type.Object({ match_id: Id, watch_url: Path("of the match") }), {
    maxItems: 10,
    description: "the deciding match last",
  }),
  flag_available: Type.Boolean(),
});
export type Card = Static<typeof CardSchema>;

const OpponentRequestSchema = Type.Object({
  id: Id,
  bot_id: Id,
  bot: Type.String(),
  opponent: Opponent,
  created: Instant,
  state: OneOf(["pending", "playing"]),
  match_id: Nullable(Id),
});

const LastRequestSchema = Type.Object({
  bot_id: Id,
  bot: Type.String(),
  opponent: Opponent,
  started: Instant,
  match_id: Id,
  result: OneOf(["W", "L", "D"], "won, lost or drawn by the account's bot"),
});

export const EventProgressSchema = Type.Object({
  event: EventDefinitionSchema,
  membership: MEMBERSHIP,
  bots: Type.Array(
    Type.Object({
      id: Id,
      name: Type.String(),
      display_name: Type.String(),
      online: Type.Boolean(),
      state: OneOf(["waiting", "playing", "idle"]),
    }),
    { description: "the account's active bots" },
  ),
  request: Nullable(OpponentRequestSchema),
  last_request: Nullable(LastRequestSchema),
  next_request_at: Nullable(Instant),
  achievements: five(CardSchema),
});
export type EventProgress = Static<typeof EventProgressSchema>;

export const RevealedSchema = Type.Object({
  event_id: Type.String(),
  achievement_id: Type.String(),
  flag: Type.String(),
  earned_at: Instant,
});

export const AdminEventSchema = Type.Object({
  ...EventDefinitionSchema.properties,
  image_upload_available: Type.Boolean(),
  flags_configured: Type.Boolean({ description: "all five" }),
  flags_missing: Type.Array(Type.String(), { description: "ids of achievements" }),
  earning_unavailable: Nullable(OneOf(EARNING_OBSTACLES)),
  counts: Type.Object({
    members: Count,
    participants: Type.Integer({ minimum: 0, description: "accounts with a counted game" }),
    earned: Count,
    revoked: Count,
    requests: Type.Integer({ minimum: 0, description: "pending or playing" }),
  }),
  approved_versions: Type.Partial(Type.Record(OneOf(HOUSE_KINDS), Label)),
});
export type AdminEvent = Static<typeof AdminEventSchema>;

export const AdminEventProgressSchema = Type.Object({
  account: Type.Object({ id: Id, handle: Nullable(Type.String()) }),
  ...EventProgressSchema.properties,
});

const FactSchema = Type.Object({
  account_id: Id,
  handle: Nullable(Type.String()),
  achievement_id: Type.String(),
  earned_at: Instant,
  evidence: Type.Array(Id, { description: "matches" }),
});

/** Text of one line, and of several: none that the store could not keep. */
const line = (most: number, least = 1) =>
  Type.String({
    minLength: least,
    maxLength: most,
    pattern: `^${least > 0 ? SEEN : ""}[^\\u0000-\\u001f\\ud800-\\udfff]*$`,
  });
const paragraphs = (most: number) =>
  Type.String({ maxLength: most, pattern: "^[^\\u0000\\ud800-\\udfff]*$" });

/** URL parsers drop or trim these characters, so a URL that contains one is refused. */
const NO_BLANKS = "^[^\\s\\u0000-\\u001f\\ud800-\\udfff]+$";

export const SubmissionSchema = Type.Object(
  {
    submission_url: Nullable(
      Type.String({
        pattern: NO_BLANKS,
        maxLength: FIXED.event_url_max,
        description:
          "an https URL without user info, stored in normalized form; the server never requests it",
      }),
    ),
    submission_instructions: paragraphs(FIXED.event_instructions_max),
  },
  CLOSED,
);

const ApprovedSchema = Type.Partial(Type.Record(OneOf(HOUSE_KINDS), Label), {
  ...CLOSED,
  description: "approved version labels of house bots, by short name",
});
export const OpponentsSchema = Type.Object({ approved: ApprovedSchema }, CLOSED);

/** An instant as operators write it; `core/ladder/window.ts` reads it. */
const Written = Type.String({ description: "ISO 8601 with an offset" });
export const EventScheduleSchema = Type.Object({ opens_at: Written, closes_at: Written }, CLOSED);

const about = FIXED.event_about_max;

/** What an operator can change of an event by itself. */
const changeable = {
  name: line(FIXED.event_name_max),
  description: paragraphs(FIXED.event_description_max),
  timezone: Type.String({ maxLength: 64, description: "IANA name, such as Europe/Berlin" }),
  metadata: Nullable(
    Type.Object(
      {
        kind: OneOf(EVENT_KINDS),
        purpose: line(about, 0),
        audience: line(about, 0),
        format: line(about, 0),
        preparation: line(about, 0),
      },
      CLOSED,
    ),
  ),
  flag_mode: OneOf(FLAG_MODES, "`official` if absent: the operator's own texts"),
  conditions: Type.Array(
    Type.Object(
      {
        id: Type.String({ pattern: SLUG, description: "a slug, unique in the event" }),
        name: line(FIXED.event_name_max),
        description: line(about),
        condition: ConditionSchema,
      },
      CLOSED,
    ),
    { minItems: ACHIEVEMENTS, maxItems: ACHIEVEMENTS },
  ),
};
export const EventChangeSchema = Type.Partial(Type.Object(changeable), CLOSED);
export type EventChange = Static<typeof EventChangeSchema>;

const { description, timezone, metadata, flag_mode, ...needed } = changeable;

/** The body that makes an event, and an entry of the configuration file. */
export const NewEventSchema = Type.Object(
  {
    id: Type.String({ pattern: SLUG, description: "a slug; it is part of addresses" }),
    ladder_id: Type.String({ description: "the ladder on which games count" }),
    ...EventScheduleSchema.properties,
    ...needed,
    ...Type.Partial(Type.Object({ description, timezone, metadata, flag_mode })).properties,
    ...Type.Partial(SubmissionSchema).properties,
    approved: Type.Optional(ApprovedSchema),
  },
  CLOSED,
);
export type NewEvent = Static<typeof NewEventSchema>;

export const ReconciliationSchema = Type.Object({
  facts: Type.Array(FactSchema, { description: "what the stored matches earn" }),
  missing_awards: Type.Array(FactSchema),
  applied: Type.Boolean(),
});
export type Reconciliation = Static<typeof ReconciliationSchema>;

/** Answers to an operator who has dealt with an award, or deleted an event. */
export const RevokedAwardSchema = Type.Object({ revoked: Type.Literal(true) });
export const RestoredAwardSchema = Type.Object({ restored: Type.Literal(true) });
export const DeletedEventSchema = Type.Object({ deleted: Type.String() });
