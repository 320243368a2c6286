// Seasons of public: their windows and results, and the matchups of one bot.

import { Type } from "typebox";
import type { Static } from "typebox";

import { ATTACKS } from "#core/engine/types.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import {
  Avatar,
  botIdentity,
  Count,
  Id,
  Instant,
  knownBot,
  Label,
  Percent,
  ratingFigures,
  record,
} from "./common.ts";
import { LeaderboardRowSchema } from "./ladder.ts";
import { MatchSchema } from "./match.ts";
import { Average, styleFigures } from "./style.ts";

export const SeasonId = Type.String({
  pattern: "^(?:[0-9]{4}-(?:0[1-9]|1[0-2])|preseason)$",
  description: "a UTC month, or `preseason`",
});

const ChampionSchema = Type.Object({
  name: Type.String({ description: "as it was when the season was archived, like the figures" }),
  display_name: Type.String(),
  version: Label,
  leaderboard_score: ratingFigures.leaderboard_score,
  avatar: Avatar,
});

export const SeasonSchema = Type.Object({
  id: SeasonId,
  name: Type.String({ description: "for people" }),
  opens_at: Instant,
  closes_at: Instant,
  archived_at: Nullable(Instant),
  state: OneOf(["live", "finalizing", "archived"]),
  champion: Nullable(ChampionSchema),
});
export type Season = Static<typeof SeasonSchema>;

/** A reference to a bot that a figure is about; the list `bots` has the rest. */
const MentionSchema = Type.Object({
  id: Id,
  name: Type.String(),
  display_name: Type.String(),
});

const bot = { ...botIdentity, created: Instant, avatar: Avatar };
const MoveSchema = Type.Object({
  points: Type.Integer({ minimum: 0, description: "whole rating points, without a sign" }),
  bot: MentionSchema,
  match: MatchSchema,
});

export const HighlightsSchema = Type.Object({
  opener: Nullable(MatchSchema),
  finale: Nullable(MatchSchema),
  longest: Nullable(MatchSchema),
  quickest: Nullable(MatchSchema),
  biggest_swing: Nullable(MoveSchema),
  biggest_upset: Nullable(MoveSchema),
});
export type Highlights = Static<typeof HighlightsSchema>;

const MapSpecialistSchema = Type.Object({
  map: Type.String(),
  bot: MentionSchema,
  games: Count,
  win_rate: Percent,
  usual_win_rate: Percent,
});
const AttackSpecialistSchema = Type.Object({
  attack: OneOf(ATTACKS),
  bot: MentionSchema,
  games: Count,
  damage_per_game: Average("points of damage by this attack"),
  accuracy: Percent,
});

export const RivalrySchema = Type.Object({
  bots: Type.Tuple([MentionSchema, MentionSchema]),
  games: Count,
  wins: Type.Tuple([Count, Count], { description: "in the order of the bots" }),
  draws: Count,
});

const StyleSchema = Type.Object({ bot: MentionSchema, ...styleFigures });

export const SeasonResultsSchema = Type.Object({
  season: SeasonSchema,
  standings: Type.Array(LeaderboardRowSchema, { description: "best first" }),
  totals: Type.Object({
    games: Count,
    draws: Count,
    player_bots: Count,
    stats_games: Type.Integer({ minimum: 0, description: "games that styles were read from" }),
  }),
  highlights: HighlightsSchema,
  specialists: Type.Object({
    maps: Type.Array(MapSpecialistSchema),
    attacks: Type.Array(AttackSpecialistSchema),
  }),
  rivalries: Type.Array(RivalrySchema),
  styles: Type.Array(StyleSchema, { description: "of the bots in the standings, in that order" }),
  bots: Type.Array(Type.Object(knownBot), {
    description: "all that played, as they are now; those of the standings first, in that order",
  }),
});
export type SeasonResults = Static<typeof SeasonResultsSchema>;

const MatchupSchema = Type.Object({
  opponent: Type.Object(knownBot),
  ...record,
  games: Count,
  win_rate: Percent,
});

export const SeasonMatchupsSchema = Type.Object({
  bot: Type.Object(bot),
  best: Type.Array(MatchupSchema, { description: "highest win rate first" }),
  toughest: Type.Array(MatchupSchema, { description: "lowest win rate first" }),
  limited: Type.Boolean({ description: "some that qualify are not shown" }),
  total: Type.Integer({ minimum: 0, description: "opponents met" }),
  below_minimum: Type.Integer({ minimum: 0, description: "met too seldom to be shown" }),
  hidden: Type.Integer({ minimum: 0, description: "met often enough, and not shown" }),
  minimum: Type.Integer({ minimum: 1, description: "games that it takes to be shown" }),
});
export type SeasonMatchups = Static<typeof SeasonMatchupsSchema>;
