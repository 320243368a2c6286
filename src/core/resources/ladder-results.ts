// Ladders, and what was played on one.

import { Type } from "typebox";
import type { Static } from "typebox";

import { ACCESSES, PHASES } from "#core/ladder/ladder.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import { Avatar, Count, Instant, Path } from "./common.ts";
import { LeaderboardRowSchema } from "./ladder.ts";
import { HighlightsSchema, RivalrySchema } from "./season.ts";

const named = { id: Type.String(), name: Type.String() };

export const LadderSchema = Type.Object({
  ...named,
  description: Type.String(),
  access: OneOf(ACCESSES, "how an account gets in"),
  leaderboard_url: Path("its standings, as data"),
  results_url: Path("its results, as data"),
  enabled: Type.Boolean({ description: "matches are played" }),
  visible: Type.Boolean({ description: "listed for everybody" }),
  phase: OneOf(PHASES),
  opens_at: Nullable(Instant),
  closes_at: Nullable(Instant),
  maps: Type.Array(Type.String(), { description: "played on it, in the order for ties" }),
  events: Type.Array(Type.Object(named), { description: "played on it" }),
});
export type Ladder = Static<typeof LadderSchema>;

const EarnedSchema = Type.Object({
  ...named,
  achievements: Type.Array(Type.Object({ ...named, earned: Count })),
});

export const LadderResultsSchema = Type.Object({
  ladder: LadderSchema,
  events: Type.Array(EarnedSchema, { description: "how often each achievement was earned" }),
  standings: Type.Array(
    Type.Object({ ...LeaderboardRowSchema.properties, avatar: Avatar }, { description: "a row" }),
    { description: "best first" },
  ),
  totals: Type.Object({
    games: Type.Integer({ minimum: 0, description: "without the void ones" }),
    rated: Count,
    voided: Count,
    draws: Count,
    player_bots: Type.Integer({ minimum: 0, description: "that played a rated game" }),
    contestants: Type.Integer({ minimum: 0, description: "the same with house bots" }),
    player_wins: Type.Integer({ minimum: 0, description: "rated games won by player bots" }),
    house_wins: Type.Integer({ minimum: 0, description: "rated games won by house bots" }),
  }),
  maps: Type.Array(Type.Object({ map: Type.String(), games: Count }), {
    description: "rated games, the most played map first",
  }),
  highlights: HighlightsSchema,
  rivalries: Type.Array(RivalrySchema, { description: "between player bots" }),
  archive: Nullable(
    Type.Object({ url: Path("everything of a ladder that is over, in one file"), bytes: Count }),
  ),
});
export type LadderResults = Static<typeof LadderResultsSchema>;
