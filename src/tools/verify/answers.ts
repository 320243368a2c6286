// The parts of public answers that verification reads. Figures may be any numbers: whether they are
// right is the question.

import { Type } from "typebox";
import type { Static } from "typebox";
import { Compile } from "typebox/compile";

import { Nullable } from "#core/protocol/schema-fight.ts";
import { ArchiveSchema } from "#core/resources/archive.ts";

/** UTC with milliseconds, always of the same length, so that instants sort as text. */
const Instant = Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$" });

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
  started: Type.Optional(Instant),
  ended: Instant,
  winner: Nullable(Type.String()),
  voided: Type.Boolean(),
  bots: Type.Array(MatchBotSchema, { minItems: 2, maxItems: 2 }),
});
export type ListedMatch = Static<typeof MatchSchema>;

/** With what its replay has to agree with. */
const ArchivedMatchSchema = Type.Object({
  ...MatchSchema.properties,
  map: Type.String(),
  seed: Type.Number(),
  final_tick: Type.Number(),
  reason: Type.String(),
});
export type ArchivedMatch = Static<typeof ArchivedMatchSchema>;

const ShownRowSchema = Type.Object({
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
export type ShownRow = Static<typeof ShownRowSchema>;

const SeasonSchema = Type.Object({
  id: Type.String(),
  opens_at: Instant,
  closes_at: Instant,
  archived_at: Nullable(Type.String()),
  state: Type.String(),
});
export type ListedSeason = Static<typeof SeasonSchema>;

const VersionsSchema = Type.Array(Type.Object({ label: Type.String(), retired: Type.Boolean() }));
export type ListedVersion = Static<typeof VersionsSchema>[number];

const BotPageSchema = Type.Object({
  /** Only an active bot is on a leaderboard. Absent on a server that has no such states. */
  status: Type.Optional(Type.String()),
  versions: VersionsSchema,
  /** Absent on a server that shows all of them. */
  versions_total: Type.Optional(Type.Integer({ minimum: 0 })),
});

export type BotPage = Static<typeof BotPageSchema>;

const IndexSchema = Type.Object({
  operational_policy: Type.Object({
    ladder: Type.Object({ qualifying_games: Type.Integer({ minimum: 0 }) }),
    http: Type.Object({ matches_list_max: Type.Integer({ minimum: 1 }) }),
  }),
});

/** The required shape of each answer. */
export const SHAPES = {
  index: Compile(IndexSchema),
  seasons: Compile(Type.Array(SeasonSchema)),
  leaderboard: Compile(Type.Array(ShownRowSchema)),
  matches: Compile(Type.Array(MatchSchema)),
  archive: Compile(ArchiveSchema),
  archivedMatch: Compile(ArchivedMatchSchema),
  archivedReplays: Compile(Type.Array(Type.String())),
  bot: Compile(BotPageSchema),
  versions: Compile(VersionsSchema),
};
