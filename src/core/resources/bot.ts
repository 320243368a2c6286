// Bots and their versions, as the public and as their owner sees them.

import { Type } from "typebox";
import type { Static, TSchema } from "typebox";

import { IDLE_REASONS, REFUSALS } from "#core/engine/types.ts";
import { Each, Nullable, OneOf } from "#core/protocol/schema-fight.ts";
import { BOT_STATUSES } from "#core/words/bot-status.ts";

import {
  Count,
  Id,
  Instant,
  knownBot,
  Label,
  Link,
  Percent,
  ratingFigures,
  record,
} from "./common.ts";
import { MatchSchema } from "./match.ts";

const version = {
  label: Label,
  notes: Type.String(),
  created: Instant,
  retired: Type.Boolean(),
  ...ratingFigures,
  ...record,
  win_rate: Nullable(
    Type.Number({ minimum: 0, maximum: 100, description: "percent; a draw is half a win" }),
  ),
};

export const VersionSchema = Type.Object(version);
export type Version = Static<typeof VersionSchema>;

/** Percentages by code. A missing code is zero. */
const Shares = (words: readonly string[]) =>
  Type.Unsafe<Record<string, number>>(Type.Partial(Each(words, Percent)));

/** How a version plays its turns, over its latest matches that have statistics. */
const VersionHealthSchema = Type.Object({
  matches: Count,
  turns: Type.Integer({ minimum: 0, description: "one per tick; percentages are of them" }),
  idle_pct: Percent,
  idle_pct_by_reason: Shares(IDLE_REASONS),
  refused_pct: Percent,
  refused_pct_by_reason: Shares(REFUSALS),
  reply_ms: Nullable(
    Type.Object({
      replies: Count,
      mean: Type.Number(),
      p50: Type.Number({ description: "upper bound of a bucket, at most max" }),
      p95: Type.Number({ description: "upper bound of a bucket, at most max" }),
      max: Type.Number(),
    }),
  ),
  near_limit_pct: Type.Number({
    minimum: 0,
    maximum: 100,
    description: "of replies: those that took 80 % of the tick or more; two decimals",
  }),
  lowest_budget_ms_left: Nullable(Type.Number()),
  disconnects: Count,
  disqualifications: Count,
});

export const BotVersionSchema = Type.Object({
  ...version,
  rank: Nullable(Type.Integer({ minimum: 1, description: "of the version on the leaderboard" })),
  health: Nullable(VersionHealthSchema),
});
export type BotVersion = Static<typeof BotVersionSchema>;

const shownVersions = <S extends TSchema>(schema: S) => ({
  versions: Type.Array(schema, {
    description: "those made or played last, oldest first; all by the list of versions",
  }),
  versions_total: Type.Integer({ minimum: 0, description: "how many the bot has in all" }),
});

const SeasonHistorySchema = Type.Object({
  season: Type.String(),
  rank: Type.Integer({ minimum: 1 }),
  version: Label,
  leaderboard_score: Type.Integer(),
  ...record,
});

const RatingPointSchema = Type.Object({
  match_id: Id,
  ended: Instant,
  version: Label,
  rating: Type.Integer({ description: "after the game, whole points" }),
  rating_deviation: Nullable(
    Type.Integer({ minimum: 0, description: "after the game; null for games of older servers" }),
  ),
  delta: Type.Integer({ description: "what the game changed" }),
  result: OneOf(["W", "L", "D"]),
  opponent: Type.String({ description: "name@version" }),
  opponent_display_name: Type.String({ description: "for people, with the version" }),
  map: Type.String(),
});

export const RatingHistorySchema = Type.Object({
  since: Nullable(Instant),
  games: Type.Integer({ minimum: 0, description: "rated games, those left out by sampling too" }),
  points: Type.Array(RatingPointSchema, { description: "oldest first" }),
});
export type RatingHistory = Static<typeof RatingHistorySchema>;

export const BotSchema = Type.Object({
  ...knownBot,
  status: OneOf(BOT_STATUSES, "only an active bot plays"),
  ladder_id: Type.String(),
  played_ladders: Type.Array(Type.String(), {
    description: "sorted, whatever ladder was asked for",
  }),
  current_version: Nullable(Label),
  online_version: Nullable(Label),
  qualifying_games: Count,
  ...shownVersions(BotVersionSchema),
  recent_matches: Type.Array(MatchSchema, { description: "newest first" }),
  season: Type.Optional(
    Type.String({ description: "id of the live season; only on a ladder with seasons" }),
  ),
  season_history: Type.Optional(
    Type.Array(SeasonHistorySchema, { description: "only on a ladder with seasons" }),
  ),
});
export type Bot = Static<typeof BotSchema>;

export const MyBotSchema = Type.Object({
  ...knownBot,
  ...shownVersions(VersionSchema),
});
export type MyBot = Static<typeof MyBotSchema>;

export const RegisteredBotSchema = Type.Object({
  name: Type.String(),
  token: Type.String({ description: "shown this once" }),
  bot_endpoint: Link("where the bot connects"),
  note: Type.String(),
});

export type RegisteredBot = Static<typeof RegisteredBotSchema>;

export const DeletedBotSchema = Type.Object({
  name: Type.String(),
  outcome: OneOf(["deleted", "retired"], "a bot that has played is retired, and its matches stay"),
});
