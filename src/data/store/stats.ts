// Statistics counted on write: by competition, by bot and by version.

import type { BotId, LadderId, MatchId, SeasonId, VersionId } from "#core/ids/ids.ts";
import type { Results } from "#core/ids/results.ts";
import type { DamageSums } from "#core/ladder/loss-damage.ts";
import type { Competition } from "#core/ladder/season.ts";
import type { BotPlayTotals, PaceTotals, BotWeapon } from "#core/ladder/style.ts";
import type { TurnStats } from "#core/ladder/version-health.ts";

import { readsUncached, reads, writes } from "./method.ts";

/** Results of one version pair on one map within a competition; `first` < `second` as text. */
export type PairCount = Results & { first: VersionId; second: VersionId; map: string };

/** Rated games only. */
export type VersionActivity = {
  versionId: VersionId;
  botId: BotId;
  /** End time and ID of its last rated game; the ID makes the order total. */
  lastPlayed: string;
  lastMatchId: MatchId;
  /** Rated games on seat 0 minus rated games on seat 1. */
  seatBalance: number;
};

export type OpponentResults = Results & { opponentId: BotId };

export type HighlightKind = "opener" | "finale" | "longest" | "quickest" | "swing" | "upset";

/** All statistics of a competition. They count rated games only, except for `totals`. */
export type CompetitionStats = {
  /** Matches that weren't voided; `statsGames` of them are in `play` and `weapons`. */
  totals: { games: number; draws: number; voided: number; statsGames: number };
  highlights: Partial<Record<HighlightKind, MatchId>>;
  /**
   * Pairs of players' bots that took points from each other, each in at least a quarter of their
   * games. Most points first; results are those of the first bot.
   */
  rivalries: (Results & { botIds: readonly [BotId, BotId] })[];
  maps: (Results & { botId: BotId; map: string })[];
  play: BotPlayTotals[];
  weapons: BotWeapon[];
};

export type LadderStatsQuery = {
  ladderId: LadderId;
  /** If absent, all matches ever played on the ladder. */
  season?: SeasonId | undefined;
  /** Max rivalries returned. */
  rivalries: number;
};

type SideStats = { bots: number; wins: number };

/** Rated games only, except for totals; highlights and rivalries as within a competition. */
export type LadderStats = Pick<CompetitionStats, "highlights" | "rivalries"> & {
  totals: { games: number; draws: number; voided: number };
  players: SideStats;
  house: SideStats;
  /** Most played first. */
  maps: { map: string; games: number }[];
};

export type RatingHistoryQuery = {
  ladderId: LadderId;
  botId: BotId;
  /** One season, all seasons from an instant on, or everything. */
  season?: string;
  since?: string;
  /**
   * Longer histories are sampled evenly; the first and last game of each version are always
   * included.
   */
  points: number;
};

/** One rated game in a bot's rating history. Bots have their current names. */
export type RatingPoint = {
  matchId: MatchId;
  ended: string;
  map: string;
  version: string;
  ratingBefore: number;
  ratingAfter: number;
  /** Unrounded; null for games played before it was stored. */
  deviationAfter: number | null;
  result: "W" | "L" | "D";
  opponent: string;
  opponentVersion: string;
};

/** A bot's results on a map, or against an opponent, with the end of their last game. */
export type ResultsOnMap = Results & { map: string };
export type RecentOpponent = OpponentResults & { lastPlayed: string };

export type BotRecordQuery = {
  ladderId: LadderId;
  botId: BotId;
  /** All seasons if absent. */
  season?: SeasonId | undefined;
};

export type RecentOpponentQuery = BotRecordQuery & {
  /** Max newest matches read, and max opponents returned. */
  matches: number;
  opponents: number;
};

/** Position in the order of matches by end time. */
type MatchCursor = { ended: string; id: MatchId };

/** How a bot played in a competition; null, and without weapons, before its first statistics. */
export type BotPlayStats = {
  play: BotPlayTotals | null;
  /** By attack name. */
  weapons: BotWeapon[];
  /** Sums over all bots of the competition. */
  competitionPace: PaceTotals;
};

export type LossQuery = Competition & {
  botId: BotId;
  versionId: VersionId;
  /** Only games older than this one. */
  before: MatchCursor | null;
  /** Max games visited, and max lost games read. */
  games: number;
  losses: number;
};

/** A page of a version's rated games, newest first. */
export type LostGames = {
  /** Games visited; `lost` of them have statistics and are in the sums. */
  games: number;
  lost: number;
  damage: DamageSums;
  opponents: { botId: BotId; games: number }[];
  maps: { map: string; games: number; lost: number }[];
  /** Where the next page begins; null if there is none. */
  nextCursor: MatchCursor | null;
};

export type VersionTurns = TurnStats & { versionId: VersionId };

const ladderSubjects = (_: unknown, { ladderId }: Competition) => [`matches:${ladderId}`];

/**
 * Accounts, players' bots and their versions by the day they were created; matches by the day they
 * ended.
 */
export type DayStats = {
  day: string;
  users: number;
  bots: number;
  versions: number;
  /** Not void, like the other two. */
  ranked: number;
  other: number;
  voided: number;
  /** Bots with a match, void ones included. */
  active_bots: number;
};

export type AnalyticsSummary = {
  /** The first day with a new account. */
  signupsSince: string | null;
  now: {
    users: number;
    banned_users: number;
    /** Players' bots in any status. */
    bots: number;
    active_bots: number;
    suspended_bots: number;
    banned_bots: number;
    house_bots: number;
    /** All-time. */
    games: number;
  };
  /** Distinct bots with a match in the span. */
  activeBots: number;
  /** Days with any activity, oldest first. */
  days: DayStats[];
  /** Players' bots, most games first, then by name. */
  topBots: { name: string; owner: string; games: number; ranked: number }[];
  /** Most games first, then by name. */
  maps: { map: string; games: number }[];
};

export type AnalyticsQuery = {
  /** Days as YYYY-MM-DD, both inclusive. */
  from: string;
  to: string;
  /** Max bots listed by name. */
  limit: number;
};

export const STATS = {
  /** All results of the version pairs of one competition, rated games only. */
  pairs: reads<(competition: Competition) => Promise<PairCount[]>>(ladderSubjects),
  activity: reads<(competition: Competition) => Promise<VersionActivity[]>>(ladderSubjects),
  /** Results of a bot's rated games, or of one version's, ordered by opponent ID. */
  opponents: reads<
    (botId: BotId, competition: Competition, versionId?: VersionId) => Promise<OpponentResults[]>
  >((_, botId) => [`played:${botId}`]),
  /** A bot's rated games by map, most played first. */
  maps: reads<(query: BotRecordQuery) => Promise<ResultsOnMap[]>>((_, { botId }) => [
    `played:${botId}`,
  ]),
  /** Results of the rated games among a bot's newest matches, most recent opponent first. */
  recentOpponents: reads<(query: RecentOpponentQuery) => Promise<RecentOpponent[]>>(
    (_, { botId }) => [`played:${botId}`],
  ),
  /** Damage in a version's lost games. */
  losses: reads<(query: LossQuery) => Promise<LostGames>>((_, { botId }) => [`played:${botId}`]),
  play: reads<(competition: Competition, botId: BotId) => Promise<BotPlayStats>>(ladderSubjects),
  competition:
    reads<(competition: Competition, rivalries: number) => Promise<CompetitionStats>>(
      ladderSubjects,
    ),
  /** Archiving a season changes nothing in it. */
  ladder: reads<(query: LadderStatsQuery) => Promise<LadderStats>>((_, { ladderId }) => [
    `matches:${ladderId}`,
  ]),
  /** Oldest first, with the number of games before sampling. */
  ratings: reads<(query: RatingHistoryQuery) => Promise<{ games: number; points: RatingPoint[] }>>(
    (_, { botId }) => [`played:${botId}`, "facts"],
  ),
  /**
   * How versions used their turns in their newest `matchLimit` matches with statistics, on all
   * ladders. Omits versions without such matches.
   */
  turns: reads<(ids: readonly VersionId[], matchLimit: number) => Promise<VersionTurns[]>>(
    (_, versionIds) => ["turns", ...versionIds.map((id) => `turns:${id}`)],
  ),
  /**
   * Counts the turns of up to `limit` matches stored before turns were counted, newest first.
   * Returns the number of matches read; 0 once all are done.
   */
  backfillTurns: writes<(limit: number) => Promise<number>>((backfilledCount) =>
    backfilledCount === 0 ? [] : ["turns"],
  ),
  /**
   * Daily activity totals (UTC), kept permanently. Each is counted in the transaction of its cause;
   * nothing is subtracted later.
   */
  analytics: readsUncached<(query: AnalyticsQuery) => Promise<AnalyticsSummary>>(),
};
