import { Type } from "typebox";
import type { Static } from "typebox";

import { END_REASONS } from "#core/engine/types.ts";
import { MATCH_MODES } from "#core/ids/match-modes.ts";
import { FighterIdSchema, Nullable, OneOf } from "#core/protocol/schema-fight.ts";
import { UnratedReasonSchema } from "#core/protocol/schema-message.ts";
import { MatchStatsSchema } from "#core/protocol/schema-stats.ts";

import {
  AvatarSchema,
  CountSchema,
  IdSchema,
  InstantSchema,
  LabelSchema,
  PathSchema,
} from "./common-schemas.ts";

const MatchBotSchema = Type.Object({
  id: Type.String({ description: "Bot id, or `human` for a person." }),
  name: Type.String(),
  display_name: Type.String(),
  version: LabelSchema,
  house: Type.Boolean(),
  avatar: AvatarSchema,
  fighter: Type.Optional(FighterIdSchema),
  rating_before: Type.Optional(
    Type.Integer({ description: "In whole points. Present only if the match is rated." }),
  ),
  rating_after: Type.Optional(Type.Integer()),
  placement: Type.Optional(
    Type.Object(
      {
        match: Type.Integer({
          minimum: 1,
          description: "Number of rated games, including this one.",
        }),
        of: Type.Integer({ minimum: 1, description: "Rated games required for a rank." }),
      },
      {
        description:
          "Present only for rated matches that count towards the version's rank requirement.",
      },
    ),
  ),
});

const match = {
  id: IdSchema,
  ladder_id: Type.String(),
  mode: OneOf(MATCH_MODES, "`ranked` for ladder matches."),
  map: Type.String(),
  seed: Type.Integer({ minimum: 0, maximum: 4294967295 }),
  started: Type.Optional(InstantSchema),
  ended: InstantSchema,
  duration_ms: Nullable(
    Type.Number({
      minimum: 0,
      description: "Wall-clock time from setup until the match was ready to be stored.",
    }),
  ),
  final_tick: CountSchema,
  reason: OneOf([...END_REASONS, "server_fault"]),
  winner: Nullable(Type.String({ description: "Bot id, or `human`; null for a draw." })),
  voided: Type.Boolean(),
  rated: Type.Boolean(),
  unrated_reason: UnratedReasonSchema,
  bots: Type.Array(MatchBotSchema, { description: "In seat order." }),
  replay_url: PathSchema("URL of the replay, gzipped JSON Lines."),
  stats_url: PathSchema("URL of the statistics document."),
  watch_url: PathSchema("URL of the match page."),
};

export const MatchSchema = Type.Object({
  ...match,
  asked_for: Type.Optional(
    Type.Object(
      {
        event_id: Type.String(),
        bot_id: Type.String({ description: "Bot whose owner requested the house bot." }),
      },
      { description: "Present only in single-match responses, for matches requested in an event." },
    ),
  ),
});
export type Match = Static<typeof MatchSchema>;

export const ListedMatchSchema = Type.Object({
  ...match,
  stats: Type.Optional(Nullable(MatchStatsSchema)),
});
