import { Type } from "typebox";
import type { Static } from "typebox";

import { ATTACKS } from "#core/engine/types.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import {
  AvatarSchema,
  botIdentityProperties,
  CountSchema,
  IdSchema,
  InstantSchema,
  botProperties,
  LabelSchema,
  PercentSchema,
  ratingProperties,
  recordProperties,
} from "./common-schemas.ts";
import { LeaderboardRowSchema } from "./ladder.ts";
import { MatchSchema } from "./match.ts";
import { averageSchema, styleProperties } from "./style-schemas.ts";

export const SeasonIdSchema = Type.String({
  pattern: "^(?:[0-9]{4}-(?:0[1-9]|1[0-2])|preseason)$",
  description: "UTC month, or `preseason`.",
});

const ChampionSchema = Type.Object({
  name: Type.String({
    description: "Name when the season was archived. The statistics are from the same time.",
  }),
  display_name: Type.String(),
  version: LabelSchema,
  leaderboard_score: ratingProperties.leaderboard_score,
  avatar: AvatarSchema,
});

export const SeasonSchema = Type.Object({
  id: SeasonIdSchema,
  name: Type.String({ description: "Text for display." }),
  opens_at: InstantSchema,
  closes_at: InstantSchema,
  archived_at: Nullable(InstantSchema),
  state: OneOf(["live", "finalizing", "archived"]),
  champion: Nullable(ChampionSchema),
});
export type Season = Static<typeof SeasonSchema>;

const BotReferenceSchema = Type.Object({
  id: IdSchema,
  name: Type.String(),
  display_name: Type.String(),
});

const bot = { ...botIdentityProperties, created: InstantSchema, avatar: AvatarSchema };
const RatingMoveSchema = Type.Object({
  points: Type.Integer({ minimum: 0, description: "Whole rating points, unsigned." }),
  bot: BotReferenceSchema,
  match: MatchSchema,
});

export const HighlightsSchema = Type.Object({
  opener: Nullable(MatchSchema),
  finale: Nullable(MatchSchema),
  longest: Nullable(MatchSchema),
  quickest: Nullable(MatchSchema),
  biggest_swing: Nullable(RatingMoveSchema),
  biggest_upset: Nullable(RatingMoveSchema),
});
export type Highlights = Static<typeof HighlightsSchema>;

const MapSpecialistSchema = Type.Object({
  map: Type.String(),
  bot: BotReferenceSchema,
  games: CountSchema,
  win_rate: PercentSchema,
  usual_win_rate: PercentSchema,
});
const AttackSpecialistSchema = Type.Object({
  attack: OneOf(ATTACKS),
  bot: BotReferenceSchema,
  games: CountSchema,
  damage_per_game: averageSchema("Damage by this attack."),
  accuracy: PercentSchema,
});

export const RivalrySchema = Type.Object({
  bots: Type.Tuple([BotReferenceSchema, BotReferenceSchema]),
  games: CountSchema,
  wins: Type.Tuple([CountSchema, CountSchema], { description: "In the order of the two bots." }),
  draws: CountSchema,
});

const StyleSchema = Type.Object({ bot: BotReferenceSchema, ...styleProperties });

export const SeasonResultsSchema = Type.Object({
  season: SeasonSchema,
  standings: Type.Array(LeaderboardRowSchema, { description: "Best first." }),
  totals: Type.Object({
    games: CountSchema,
    draws: CountSchema,
    player_bots: CountSchema,
    stats_games: Type.Integer({
      minimum: 0,
      description: "Number of games used to derive the styles.",
    }),
  }),
  highlights: HighlightsSchema,
  specialists: Type.Object({
    maps: Type.Array(MapSpecialistSchema),
    attacks: Type.Array(AttackSpecialistSchema),
  }),
  rivalries: Type.Array(RivalrySchema),
  styles: Type.Array(StyleSchema, {
    description: "Styles of the bots in the standings, in the same order.",
  }),
  bots: Type.Array(Type.Object(botProperties), {
    description:
      "All bots that played, with current data. Bots in the standings come first, in the same order.",
  }),
});
export type SeasonResults = Static<typeof SeasonResultsSchema>;

const MatchupSchema = Type.Object({
  opponent: Type.Object(botProperties),
  ...recordProperties,
  games: CountSchema,
  win_rate: PercentSchema,
});

export const SeasonMatchupsSchema = Type.Object({
  bot: Type.Object(bot),
  best: Type.Array(MatchupSchema, { description: "Highest win rate first." }),
  toughest: Type.Array(MatchupSchema, { description: "Lowest win rate first." }),
  limited: Type.Boolean({ description: "Whether some qualifying opponents are omitted." }),
  total: Type.Integer({ minimum: 0, description: "Number of opponents." }),
  below_minimum: Type.Integer({
    minimum: 0,
    description: "Number of opponents with too few games to be listed.",
  }),
  hidden: Type.Integer({
    minimum: 0,
    description: "Number of qualifying opponents that are omitted.",
  }),
  minimum: Type.Integer({ minimum: 1, description: "Games required to be listed." }),
});
export type SeasonMatchups = Static<typeof SeasonMatchupsSchema>;
