import { Type } from "typebox";
import type { Static } from "typebox";

import { LADDER_ACCESS_MODES, WINDOW_PHASES } from "#core/ladder/ladder.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import { AvatarSchema, CountSchema, InstantSchema, PathSchema } from "./common-schemas.ts";
import { LeaderboardRowSchema } from "./ladder.ts";
import { HighlightsSchema, RivalrySchema } from "./season.ts";

const nameProperties = { id: Type.String(), name: Type.String() };

export const LadderSchema = Type.Object({
  ...nameProperties,
  description: Type.String(),
  access: OneOf(LADDER_ACCESS_MODES, "How accounts join."),
  leaderboard_url: PathSchema("URL of the standings as data."),
  results_url: PathSchema("URL of the results as data."),
  enabled: Type.Boolean({ description: "Whether matches are played." }),
  visible: Type.Boolean({ description: "Whether the ladder is listed publicly." }),
  phase: OneOf(WINDOW_PHASES),
  opens_at: Nullable(InstantSchema),
  closes_at: Nullable(InstantSchema),
  maps: Type.Array(Type.String(), {
    description: "Maps of the ladder, in tie-break order.",
  }),
  events: Type.Array(Type.Object(nameProperties), { description: "Events on the ladder." }),
});
export type Ladder = Static<typeof LadderSchema>;

const EarnedCountSchema = Type.Object({
  ...nameProperties,
  achievements: Type.Array(Type.Object({ ...nameProperties, earned: CountSchema })),
});

export const LadderResultsSchema = Type.Object({
  ladder: LadderSchema,
  events: Type.Array(EarnedCountSchema, {
    description: "How often each achievement was earned.",
  }),
  standings: Type.Array(
    Type.Object(
      { ...LeaderboardRowSchema.properties, avatar: AvatarSchema },
      { description: "a row" },
    ),
    { description: "Best first." },
  ),
  totals: Type.Object({
    games: Type.Integer({ minimum: 0, description: "Number of matches, excluding void ones." }),
    rated: CountSchema,
    voided: CountSchema,
    draws: CountSchema,
    player_bots: Type.Integer({ minimum: 0, description: "Player bots that played a rated game." }),
    contestants: Type.Integer({
      minimum: 0,
      description: "Bots that played a rated game, including house bots.",
    }),
    player_wins: Type.Integer({ minimum: 0, description: "Rated games won by player bots." }),
    house_wins: Type.Integer({ minimum: 0, description: "Rated games won by house bots." }),
  }),
  maps: Type.Array(Type.Object({ map: Type.String(), games: CountSchema }), {
    description: "Rated games by map, most played first.",
  }),
  highlights: HighlightsSchema,
  rivalries: Type.Array(RivalrySchema, { description: "Games between two player bots." }),
  archive: Nullable(
    Type.Object({
      url: PathSchema("Complete archive of a ladder that is over, as one file."),
      bytes: CountSchema,
    }),
  ),
});
export type LadderResults = Static<typeof LadderResultsSchema>;
