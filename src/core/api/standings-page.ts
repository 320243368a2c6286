import { Type } from "typebox";
import type { Static } from "typebox";

import { Nullable } from "#core/protocol/schema-fight.ts";

import {
  AvatarSchema,
  CountSchema,
  IdSchema,
  InstantSchema,
  ratingProperties,
} from "./common-schemas.ts";
import { LeaderboardRowSchema, LobbyEntrySchema, LobbyStateSchema } from "./ladder.ts";
import { SeasonIdSchema } from "./season.ts";

export const StandingsRowSchema = Type.Object({
  ...LeaderboardRowSchema.properties,
  avatar: AvatarSchema,
  state: Nullable(LobbyStateSchema),
  match_id: Nullable(IdSchema),
});
export type StandingsRow = Static<typeof StandingsRowSchema>;

const RunningMatchBotSchema = Type.Object({
  id: IdSchema,
  name: Type.String(),
  display_name: Type.String(),
  house: Type.Boolean(),
  avatar: AvatarSchema,
  rank: Nullable(Type.Integer({ minimum: 1 })),
  rating: Nullable(ratingProperties.rating),
});

const RunningMatchSummarySchema = Type.Object({
  id: IdSchema,
  map: Type.String(),
  tick: CountSchema,
  started: InstantSchema,
  bots: Type.Array(RunningMatchBotSchema, { description: "Both bots, in seat order." }),
});
export type RunningMatchSummary = Static<typeof RunningMatchSummarySchema>;

const ActivitySummarySchema = Type.Object({
  online: Type.Integer({ minimum: 0, description: "Bots that are connected or in a match." }),
  players_online: Type.Integer({
    minimum: 0,
    description: "Online player bots that have queued on this ladder.",
  }),
  running: Type.Array(RunningMatchSummarySchema, {
    description: "A selection of running matches, best ranked pairs first.",
  }),
  running_total: CountSchema,
  coming: Type.Array(LobbyEntrySchema, {
    description: "A selection of unranked bots, most games first.",
  }),
  coming_total: CountSchema,
  draining: Type.Boolean({
    description: "Whether the server is shutting down. No new matches start.",
  }),
});
export type ActivitySummary = Static<typeof ActivitySummarySchema>;

export const StandingsPageSchema = Type.Object({
  ladder_id: Type.String(),
  season: Nullable(SeasonIdSchema),
  total: Type.Integer({ minimum: 0, description: "Number of bots in the standings." }),
  found: Type.Integer({ minimum: 0, description: "Number of bots that match the request." }),
  offset: Type.Integer({ minimum: 0, description: "Number of matching bots before `rows`." }),
  lowest: Nullable(
    Type.Integer({ description: "Lower end of the range of all rating intervals." }),
  ),
  highest: Nullable(
    Type.Integer({ description: "Upper end of the range of all rating intervals." }),
  ),
  rows: Type.Array(StandingsRowSchema, { description: "Best first." }),
  now: Nullable(ActivitySummarySchema),
});
export type StandingsPage = Static<typeof StandingsPageSchema>;
