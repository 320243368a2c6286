// The standings of a ladder, a page at a time, with what happens on it now.

import { Type } from "typebox";
import type { Static } from "typebox";

import { Nullable } from "#core/protocol/schema-fight.ts";

import { Avatar, Count, Id, Instant, ratingFigures } from "./common.ts";
import { LeaderboardRowSchema, LobbyEntrySchema, State } from "./ladder.ts";
import { SeasonId } from "./season.ts";

export const StandingsRowSchema = Type.Object({
  ...LeaderboardRowSchema.properties,
  avatar: Avatar,
  state: Nullable(State),
  match_id: Nullable(Id),
});
export type StandingsRow = Static<typeof StandingsRowSchema>;

const ContenderSchema = Type.Object({
  id: Id,
  name: Type.String(),
  display_name: Type.String(),
  house: Type.Boolean(),
  avatar: Avatar,
  rank: Nullable(Type.Integer({ minimum: 1 })),
  rating: Nullable(ratingFigures.rating),
});

const RunningFightSchema = Type.Object({
  id: Id,
  map: Type.String(),
  tick: Count,
  started: Instant,
  bots: Type.Array(ContenderSchema, { description: "both, in seat order" }),
});
export type RunningFight = Static<typeof RunningFightSchema>;

const ActivitySchema = Type.Object({
  online: Type.Integer({ minimum: 0, description: "bots that are connected or play" }),
  players_online: Type.Integer({
    minimum: 0,
    description: "of these, the players' bots that have queued on this ladder",
  }),
  running: Type.Array(RunningFightSchema, { description: "a few, the best ranked pairs first" }),
  running_total: Count,
  coming: Type.Array(LobbyEntrySchema, { description: "a few without a rank, most games first" }),
  coming_total: Count,
  draining: Type.Boolean({ description: "the server is shutting down: no new match starts" }),
});
export type Activity = Static<typeof ActivitySchema>;

export const StandingsPageSchema = Type.Object({
  ladder_id: Type.String(),
  season: Nullable(SeasonId),
  total: Type.Integer({ minimum: 0, description: "bots in the standings" }),
  found: Type.Integer({ minimum: 0, description: "those that the request asks for" }),
  offset: Type.Integer({ minimum: 0, description: "of these, how many come before `rows`" }),
  lowest: Nullable(Type.Integer({ description: "where the lowest of all intervals begins" })),
  highest: Nullable(Type.Integer({ description: "where the highest one ends" })),
  rows: Type.Array(StandingsRowSchema, { description: "best first" }),
  now: Nullable(ActivitySchema),
});
export type StandingsPage = Static<typeof StandingsPageSchema>;
