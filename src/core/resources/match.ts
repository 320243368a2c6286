// Stored matches.

import { Type } from "typebox";
import type { Static } from "typebox";

import { END_REASONS } from "#core/engine/types.ts";
import { FighterIdSchema, Nullable, OneOf } from "#core/protocol/schema-fight.ts";
import { UnratedReasonSchema } from "#core/protocol/schema-message.ts";
import { MatchStatsSchema } from "#core/protocol/schema-stats.ts";
import { MODES } from "#core/words/rated.ts";

import { Avatar, Count, Id, Instant, Label, Path } from "./common.ts";

const MatchBotSchema = Type.Object({
  id: Type.String({ description: "a bot id; `human` for a person" }),
  name: Type.String(),
  display_name: Type.String(),
  version: Label,
  house: Type.Boolean(),
  avatar: Avatar,
  fighter: Type.Optional(FighterIdSchema),
  rating_before: Type.Optional(Type.Integer({ description: "whole points; only when rated" })),
  rating_after: Type.Optional(Type.Integer()),
  placement: Type.Optional(
    Type.Object(
      {
        match: Type.Integer({ minimum: 1, description: "rated games so far, with this one" }),
        of: Type.Integer({ minimum: 1, description: "rated games for a rank" }),
      },
      { description: "only of rated matches that the version needs to be ranked" },
    ),
  ),
});

const match = {
  id: Id,
  ladder_id: Type.String(),
  mode: OneOf(MODES, "`ranked` for ladder games"),
  map: Type.String(),
  seed: Type.Integer({ minimum: 0, maximum: 4294967295 }),
  started: Type.Optional(Instant),
  ended: Instant,
  duration_ms: Nullable(
    Type.Number({ minimum: 0, description: "wall clock, from set-up until ready to be stored" }),
  ),
  final_tick: Count,
  reason: OneOf([...END_REASONS, "server_fault"]),
  winner: Nullable(Type.String({ description: "a bot id, or `human`; null for a draw" })),
  voided: Type.Boolean(),
  rated: Type.Boolean(),
  unrated_reason: UnratedReasonSchema,
  bots: Type.Array(MatchBotSchema, { description: "in seat order" }),
  replay_url: Path("the replay, gzipped JSON Lines"),
  stats_url: Path("the statistics document"),
  watch_url: Path("the page of the match"),
};

export const MatchSchema = Type.Object({
  ...match,
  asked_for: Type.Optional(
    Type.Object(
      {
        event_id: Type.String(),
        bot_id: Type.String({ description: "the bot whose owner asked for the house bot" }),
      },
      { description: "only of a single match, if it was asked for in an event" },
    ),
  ),
});
export type Match = Static<typeof MatchSchema>;

/** Matches in lists, with statistics if requested. */
export const ListedMatchSchema = Type.Object({
  ...match,
  stats: Type.Optional(Nullable(MatchStatsSchema)),
});
