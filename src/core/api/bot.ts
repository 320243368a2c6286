import { Type } from "typebox";
import type { Static, TSchema } from "typebox";

import { IDLE_REASONS, REFUSALS } from "#core/engine/types.ts";
import { BOT_STATUSES } from "#core/ids/bot-status.ts";
import { RecordOf, Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import {
  CountSchema,
  IdSchema,
  InstantSchema,
  botProperties,
  LabelSchema,
  UrlSchema,
  PercentSchema,
  ratingProperties,
  recordProperties,
} from "./common-schemas.ts";
import { MatchSchema } from "./match.ts";

const version = {
  label: LabelSchema,
  notes: Type.String(),
  created: InstantSchema,
  retired: Type.Boolean(),
  ...ratingProperties,
  ...recordProperties,
  win_rate: Nullable(
    Type.Number({
      minimum: 0,
      maximum: 100,
      description: "In percent. A draw counts as half a win.",
    }),
  ),
};

export const VersionSchema = Type.Object(version);
export type Version = Static<typeof VersionSchema>;

/** Percentages by code. A missing code means zero. */
const percentagesByCode = (codes: readonly string[]) =>
  Type.Unsafe<Record<string, number>>(Type.Partial(RecordOf(codes, PercentSchema)));

/** Turn statistics of a version over its latest matches with statistics. */
const VersionHealthSchema = Type.Object({
  matches: CountSchema,
  turns: Type.Integer({
    minimum: 0,
    description: "Number of turns, one per tick. Percentages are relative to this number.",
  }),
  idle_pct: PercentSchema,
  idle_pct_by_reason: percentagesByCode(IDLE_REASONS),
  refused_pct: PercentSchema,
  refused_pct_by_reason: percentagesByCode(REFUSALS),
  reply_ms: Nullable(
    Type.Object({
      replies: CountSchema,
      mean: Type.Number(),
      p50: Type.Number({ description: "Upper bound of its histogram bucket, capped at max." }),
      p95: Type.Number({ description: "Upper bound of its histogram bucket, capped at max." }),
      max: Type.Number(),
    }),
  ),
  near_limit_pct: Type.Number({
    minimum: 0,
    maximum: 100,
    description: "Percentage of replies that took at least 80% of the tick, to two decimal places.",
  }),
  lowest_budget_ms_left: Nullable(Type.Number()),
  disconnects: CountSchema,
  disqualifications: CountSchema,
});

export const BotVersionSchema = Type.Object({
  ...version,
  rank: Nullable(Type.Integer({ minimum: 1, description: "Leaderboard rank of the version." })),
  health: Nullable(VersionHealthSchema),
});
export type BotVersion = Static<typeof BotVersionSchema>;

const versionListProperties = <S extends TSchema>(schema: S) => ({
  versions: Type.Array(schema, {
    description:
      "Most recently created or played versions, oldest first. The version list contains all versions.",
  }),
  versions_total: Type.Integer({ minimum: 0, description: "Number of versions of the bot." }),
});

const SeasonHistorySchema = Type.Object({
  season: Type.String(),
  rank: Type.Integer({ minimum: 1 }),
  version: LabelSchema,
  leaderboard_score: Type.Integer(),
  ...recordProperties,
});

const RatingPointSchema = Type.Object({
  match_id: IdSchema,
  ended: InstantSchema,
  version: LabelSchema,
  rating: Type.Integer({ description: "Rating after the game, in whole points." }),
  rating_deviation: Nullable(
    Type.Integer({
      minimum: 0,
      description: "Score after the game; null for games recorded by older servers.",
    }),
  ),
  delta: Type.Integer({ description: "Rating change in the game." }),
  result: OneOf(["W", "L", "D"]),
  opponent: Type.String({ description: "name@version" }),
  opponent_display_name: Type.String({ description: "Text for display, including the version." }),
  map: Type.String(),
});

export const RatingHistorySchema = Type.Object({
  since: Nullable(InstantSchema),
  games: Type.Integer({
    minimum: 0,
    description: "Number of rated games, including those omitted by sampling.",
  }),
  points: Type.Array(RatingPointSchema, { description: "Oldest first." }),
});
export type RatingHistory = Static<typeof RatingHistorySchema>;

export const BotSchema = Type.Object({
  ...botProperties,
  status: OneOf(BOT_STATUSES, "Only an active bot can play."),
  ladder_id: Type.String(),
  played_ladders: Type.Array(Type.String(), {
    description: "Sorted. Doesn't depend on the requested ladder.",
  }),
  current_version: Nullable(LabelSchema),
  online_version: Nullable(LabelSchema),
  qualifying_games: CountSchema,
  ...versionListProperties(BotVersionSchema),
  recent_matches: Type.Array(MatchSchema, { description: "Newest first." }),
  season: Type.Optional(
    Type.String({ description: "Id of the live season. Present only on ladders with seasons." }),
  ),
  season_history: Type.Optional(
    Type.Array(SeasonHistorySchema, { description: "Present only on ladders with seasons." }),
  ),
});
export type Bot = Static<typeof BotSchema>;

export const MyBotSchema = Type.Object({
  ...botProperties,
  ...versionListProperties(VersionSchema),
});
export type MyBot = Static<typeof MyBotSchema>;

export const RegisteredBotSchema = Type.Object({
  name: Type.String(),
  token: Type.String({ description: "Shown only once." }),
  bot_endpoint: UrlSchema("URL of the bot socket."),
  note: Type.String(),
});

export type RegisteredBot = Static<typeof RegisteredBotSchema>;

export const DeletedBotSchema = Type.Object({
  name: Type.String(),
  outcome: OneOf(
    ["deleted", "retired"],
    "A bot that has played is retired instead of deleted, and its matches are kept.",
  ),
});
