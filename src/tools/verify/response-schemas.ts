// Schemas of the public responses that verification reads. They accept any number as a figure,
// because verification checks figures itself.

import { Type } from "typebox";
import type { Static } from "typebox";
import { Compile } from "typebox/compile";

import { ArchiveSchema } from "#core/api/archive.ts";
import { Nullable } from "#core/protocol/schema-fight.ts";

/** UTC with milliseconds and a fixed length, so that times sort as text. */
const InstantSchema = Type.String({
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$",
});

const MatchBotSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  version: Type.String(),
  house: Type.Boolean(),
  rating_before: Type.Optional(Type.Number()),
  rating_after: Type.Optional(Type.Number()),
});

const MatchSchema = Type.Object({
  id: Type.String({ minLength: 1 }),
  ladder_id: Type.String(),
  started: Type.Optional(InstantSchema),
  ended: InstantSchema,
  winner: Nullable(Type.String()),
  voided: Type.Boolean(),
  bots: Type.Array(MatchBotSchema, { minItems: 2, maxItems: 2 }),
});
export type ListedMatch = Static<typeof MatchSchema>;

/** Fields that must agree with the match's replay. */
const ArchivedMatchSchema = Type.Object({
  ...MatchSchema.properties,
  map: Type.String(),
  seed: Type.Number(),
  final_tick: Type.Number(),
  reason: Type.String(),
});
export type ArchivedMatch = Static<typeof ArchivedMatchSchema>;

const LeaderboardEntrySchema = Type.Object({
  rank: Type.Number(),
  name: Type.String(),
  version: Type.String(),
  rating: Type.Number(),
  rating_deviation: Type.Number(),
  leaderboard_score: Type.Number(),
  wins: Type.Number(),
  losses: Type.Number(),
  draws: Type.Number(),
});
export type LeaderboardEntry = Static<typeof LeaderboardEntrySchema>;

const SeasonSchema = Type.Object({
  id: Type.String(),
  opens_at: InstantSchema,
  closes_at: InstantSchema,
  archived_at: Nullable(Type.String()),
  state: Type.String(),
});
export type ListedSeason = Static<typeof SeasonSchema>;

const VersionsSchema = Type.Array(Type.Object({ label: Type.String(), retired: Type.Boolean() }));
export type ListedVersion = Static<typeof VersionsSchema>[number];

const BotPageSchema = Type.Object({
  /** Only active bots are on a leaderboard. Absent on servers without bot states. */
  status: Type.Optional(Type.String()),
  versions: VersionsSchema,
  /** Absent on servers that list all versions. */
  versions_total: Type.Optional(Type.Integer({ minimum: 0 })),
});

export type BotPage = Static<typeof BotPageSchema>;

const IndexSchema = Type.Object({
  operational_policy: Type.Object({
    ladder: Type.Object({ qualifying_games: Type.Integer({ minimum: 0 }) }),
    http: Type.Object({ matches_list_max: Type.Integer({ minimum: 1 }) }),
  }),
});

export const RESPONSE_SCHEMAS = {
  index: Compile(IndexSchema),
  seasons: Compile(Type.Array(SeasonSchema)),
  leaderboard: Compile(Type.Array(LeaderboardEntrySchema)),
  matches: Compile(Type.Array(MatchSchema)),
  archive: Compile(ArchiveSchema),
  archivedMatch: Compile(ArchivedMatchSchema),
  archivedReplays: Compile(Type.Array(Type.String())),
  bot: Compile(BotPageSchema),
  versions: Compile(VersionsSchema),
};
