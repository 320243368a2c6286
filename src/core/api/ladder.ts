import { Type } from "typebox";
import type { Static } from "typebox";

import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import {
  AvatarSchema,
  botIdentityProperties,
  CountSchema,
  IdSchema,
  InstantSchema,
  LabelSchema,
  ratingProperties,
  recordProperties,
} from "./common-schemas.ts";

export const LeaderboardRowSchema = Type.Object({
  rank: Type.Integer({ minimum: 1 }),
  ...botIdentityProperties,
  version: LabelSchema,
  ...ratingProperties,
  ...recordProperties,
  moved: Nullable(
    Type.Integer({
      description: "Rank now minus rank at the last midnight UTC; null if unranked then.",
    }),
  ),
});
export type LeaderboardRow = Static<typeof LeaderboardRowSchema>;

export const LobbyStateSchema = OneOf(["waiting", "playing", "idle"]);

export const LobbyEntrySchema = Type.Object({
  id: IdSchema,
  ...botIdentityProperties,
  created: InstantSchema,
  avatar: AvatarSchema,
  version: Nullable(Type.String({ description: "Null until the bot queues." })),
  rating: Nullable(ratingProperties.rating),
  rating_deviation: Nullable(ratingProperties.rating_deviation),
  leaderboard_score: Nullable(ratingProperties.leaderboard_score),
  games: Nullable(Type.Integer({ minimum: 0, description: "Rated games of this version." })),
  difficulty: Nullable(
    OneOf(["Easy", "Medium", "Hard", "Very hard"], "Difficulty; house bots only."),
  ),
  state: LobbyStateSchema,
});
export type LobbyEntry = Static<typeof LobbyEntrySchema>;

const OnlineBotSchema = Type.Object({
  id: IdSchema,
  name: Type.String(),
  display_name: Type.String(),
  online: Type.Boolean({
    description: "False while the bot's match continues without a connection.",
  }),
  version: Nullable(LabelSchema),
  ladder_id: Nullable(Type.String()),
  state: LobbyStateSchema,
  match_id: Nullable(IdSchema),
});

const RunningMatchSchema = Type.Object({
  id: IdSchema,
  ladder_id: Type.String(),
  map: Type.String(),
  tick: CountSchema,
  started: InstantSchema,
  bots: Type.Array(IdSchema, { description: "In seat order." }),
  display_names: Type.Array(Type.String(), { description: "In seat order." }),
});

export const StatusSchema = Type.Object({
  online: Type.Array(OnlineBotSchema),
  matches: Type.Array(RunningMatchSchema),
  capacity: Type.Object(
    { running: CountSchema, max: CountSchema },
    { description: "Concurrent matches on the whole server." },
  ),
  draining: Type.Boolean({
    description: "Whether the server is shutting down. No new matches start.",
  }),
});
export type ServerStatus = Static<typeof StatusSchema>;
