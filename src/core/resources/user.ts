// People and the bots they own.

import { Type } from "typebox";
import type { Static } from "typebox";

import { Nullable } from "#core/protocol/schema-fight.ts";

import { Avatar, botIdentity, Instant, Label, ratingFigures, record } from "./common.ts";

const OwnedBotSchema = Type.Object({
  ...botIdentity,
  created: Instant,
  avatar: Avatar,
  retired: Type.Boolean(),
  version: Nullable(Label),
  rank: Nullable(Type.Integer({ minimum: 1 })),
  leaderboard_score: Nullable(ratingFigures.leaderboard_score),
  rating: Nullable(ratingFigures.rating),
  rating_deviation: Nullable(ratingFigures.rating_deviation),
  ...record,
});

/** Wins, losses and draws are those of all versions on the ladder, including retired ones. */
export const UserSchema = Type.Object({
  handle: Type.String(),
  created: Instant,
  ladder_id: Type.String(),
  bots: Type.Array(OwnedBotSchema, { description: "oldest first" }),
});
export type User = Static<typeof UserSchema>;
