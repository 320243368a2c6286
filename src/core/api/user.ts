import { Type } from "typebox";
import type { Static } from "typebox";

import { Nullable } from "#core/protocol/schema-fight.ts";

import {
  AvatarSchema,
  botIdentityProperties,
  InstantSchema,
  LabelSchema,
  ratingProperties,
  recordProperties,
} from "./common-schemas.ts";

const OwnedBotSchema = Type.Object({
  ...botIdentityProperties,
  created: InstantSchema,
  avatar: AvatarSchema,
  retired: Type.Boolean(),
  version: Nullable(LabelSchema),
  rank: Nullable(Type.Integer({ minimum: 1 })),
  leaderboard_score: Nullable(ratingProperties.leaderboard_score),
  rating: Nullable(ratingProperties.rating),
  rating_deviation: Nullable(ratingProperties.rating_deviation),
  ...recordProperties,
});

/** Wins, losses and draws include all versions on the ladder, even retired ones. */
export const UserSchema = Type.Object({
  handle: Type.String(),
  created: InstantSchema,
  ladder_id: Type.String(),
  bots: Type.Array(OwnedBotSchema, { description: "Oldest first." }),
});
export type User = Static<typeof UserSchema>;
