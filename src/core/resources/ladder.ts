// What a ladder shows right now: standings, lobby, and current activity.

import { Type } from "typebox";
import type { Static } from "typebox";

import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import { Avatar, botIdentity, Count, Id, Instant, Label, ratingFigures, record } from "./common.ts";

export const LeaderboardRowSchema = Type.Object({
  rank: Type.Integer({ minimum: 1 }),
  ...botIdentity,
  version: Label,
  ...ratingFigures,
  ...record,
  moved: Nullable(
    Type.Integer({
      description: "rank now minus that at the last midnight UTC; null for who had none then",
    }),
  ),
});
export type LeaderboardRow = Static<typeof LeaderboardRowSchema>;

export const State = OneOf(["waiting", "playing", "idle"]);

export const LobbyEntrySchema = Type.Object({
  id: Id,
  ...botIdentity,
  created: Instant,
  avatar: Avatar,
  version: Nullable(Type.String({ description: "null before the bot queues" })),
  rating: Nullable(ratingFigures.rating),
  rating_deviation: Nullable(ratingFigures.rating_deviation),
  leaderboard_score: Nullable(ratingFigures.leaderboard_score),
  games: Nullable(Type.Integer({ minimum: 0, description: "rated games of this version" })),
  difficulty: Nullable(OneOf(["Easy", "Medium", "Hard", "Very hard"], "of house bots alone")),
  state: State,
});
export type LobbyEntry = Static<typeof LobbyEntrySchema>;

const OnlineBotSchema = Type.Object({
  id: Id,
  name: Type.String(),
  display_name: Type.String(),
  online: Type.Boolean({ description: "false while its match goes on without a connection" }),
  version: Nullable(Label),
  ladder_id: Nullable(Type.String()),
  state: State,
  match_id: Nullable(Id),
});

const RunningMatchSchema = Type.Object({
  id: Id,
  ladder_id: Type.String(),
  map: Type.String(),
  tick: Count,
  started: Instant,
  bots: Type.Array(Id, { description: "in seat order" }),
  display_names: Type.Array(Type.String(), { description: "in seat order" }),
});

export const StatusSchema = Type.Object({
  online: Type.Array(OnlineBotSchema),
  matches: Type.Array(RunningMatchSchema),
  capacity: Type.Object({ running: Count, max: Count }, { description: "of the whole server" }),
  draining: Type.Boolean({ description: "shutting down: no new match starts" }),
});
export type Status = Static<typeof StatusSchema>;
