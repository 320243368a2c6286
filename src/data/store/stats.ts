import type { BotId, LadderId, MatchId, SeasonId, VersionId } from "#core/ids/ids.ts";
import type { Results } from "#core/ids/results.ts";
import type { DamageSums } from "#core/ladder/loss-damage.ts";
import type { BotPlayTotals, PaceTotals, BotWeapon } from "#core/ladder/play-style.ts";
import type { Competition } from "#core/ladder/season.ts";
import type { TurnStats } from "#core/ladder/version-health.ts";

import { readsUncached, reads, writes } from "./store-method.ts";

/**
 * Results of one version pair on one map within a competition. `first` sorts before `second` as
 * text.
 */
export type PairCount = Results & { first: VersionId; second: VersionId; map: string };

/** Counts rated games only. */
export type VersionActivity = {
  versionId: VersionId;
  botId: BotId;
  /** End time and ID of the last rated game. The ID breaks ties. */
  lastPlayed: string;
  lastMatchId: MatchId;
  /** Number of rated games in seat 0 minus rated games in seat 1. */
  seatBalance: number;
};

export type OpponentResults = Results & { opponentId: BotId };

export type HighlightKind = "opener" | "finale" | "longest" | "quickest" | "swing" | "upset";

/** Competition statistics. Everything except `totals` counts only rated games. */
export type CompetitionStats = {
  /** `games` excludes void matches. `statsGames` is the number of games in `play` and `weapons`. */
  totals: { games: number; draws: number; voided: number; statsGames: number };
  highlights: Partial<Record<HighlightKind, MatchId>>;
  /**
   * Pairs of players' bots in which each took points in at least a quarter of the games. Most
   * points first. Results are from the perspective of the first bot.
   */
  rivalries: (Results & { botIds: readonly [BotId, BotId] })[];
  maps: (Results & { botId: BotId; map: string })[];
  play: BotPlayTotals[];
  weapons: BotWeapon[];
};

export type LadderStatsQuery = {
  ladderId: LadderId;
  /** If absent, covers every match ever played on the ladder. */
  season?: SeasonId | undefined;
  rivalries: number;
};

type SideStats = { bots: number; wins: number };

/**
 * Counts rated games only, except in `totals`. Highlights and rivalries follow the same rules as in
 * CompetitionStats.
 */
export type LadderStats = Pick<CompetitionStats, "highlights" | "rivalries"> & {
  totals: { games: number; draws: number; voided: number };
  players: SideStats;
  house: SideStats;
  /** Most played map first. */
  maps: { map: string; games: number }[];
};

export type RatingHistoryQuery = {
  ladderId: LadderId;
  botId: BotId;
  /** Selects one season, all seasons since an instant, or everything. */
  season?: string;
  since?: string;
  /**
   * Max points to return. Longer histories are sampled evenly, but always include the first and
   * last game of each version.
   */
  points: number;
};

export type RatingPoint = {
  matchId: MatchId;
  ended: string;
  map: string;
  version: string;
  ratingBefore: number;
  ratingAfter: number;
  /** Unrounded. Null for games played before this value was stored. */
  deviationAfter: number | null;
  result: "W" | "L" | "D";
  opponent: string;
  opponentVersion: string;
};

/** A bot's results on a map, or against an opponent, with the time when their last game ended. */
export type ResultsOnMap = Results & { map: string };
export type RecentOpponent = OpponentResults & { lastPlayed: string };

export type BotRecordQuery = {
  ladderId: LadderId;
  botId: BotId;
  /** All seasons if absent. */
  season?: SeasonId | undefined;
};

export type RecentOpponentQuery = BotRecordQuery & {
  /** `matches` limits the newest matches to read, `opponents` the results to return. */
  matches: number;
  opponents: number;
};

/** Position in the order of matches by end time. */
type MatchCursor = { ended: string; id: MatchId };

/**
 * How a bot played in a competition. `play` is null, and `weapons` empty, if the bot has no
 * statistics yet.
 */
export type BotPlayStats = {
  play: BotPlayTotals | null;
  /** Sorted by attack name. */
  weapons: BotWeapon[];
  competitionPace: PaceTotals;
};

export type LossQuery = Competition & {
  botId: BotId;
  versionId: VersionId;
  before: MatchCursor | null;
  /** `games` limits the games to visit, `losses` the lost games to read. */
  games: number;
  losses: number;
};

/** Results of one page of a version's rated games, newest first. */
export type LostGames = {
  /** `games` is the number of games visited. `lost` of them have statistics and are in the sums. */
  games: number;
  lost: number;
  damage: DamageSums;
  opponents: { botId: BotId; games: number }[];
  maps: { map: string; games: number; lost: number }[];
  /** Start of the next page, or null if this is the last page. */
  nextCursor: MatchCursor | null;
};

export type VersionTurns = TurnStats & { versionId: VersionId };

const ladderSubjects = (_: unknown, { ladderId }: Competition) => [`matches:${ladderId}`];

/**
 * Accounts, players' bots and versions by the day of their creation, and matches by the day they
 * ended.
 */
export type DayStats = {
  day: string;
  users: number;
  bots: number;
  versions: number;
  /** Excludes void matches, as does `other`. */
  ranked: number;
  other: number;
  voided: number;
  /** Bots with a match, including void matches. */
  active_bots: number;
};

export type AnalyticsSummary = {
  signupsSince: string | null;
  now: {
    users: number;
    banned_users: number;
    /** Players' bots, whatever their status. */
    bots: number;
    active_bots: number;
    suspended_bots: number;
    banned_bots: number;
    house_bots: number;
    games: number;
  };
  /** Distinct bots with a match between the two days. */
  activeBots: number;
  /** Days with any activity, oldest first. */
  days: DayStats[];
  /** Players' bots, most games first, then by name. */
  topBots: { name: string; owner: string; games: number; ranked: number }[];
  /** Maps with the most games first, then by name. */
  maps: { map: string; games: number }[];
};

export type AnalyticsQuery = {
  /** `YYYY-MM-DD`. Both days are inclusive. */
  from: string;
  to: string;
  /** Max bots in `topBots`. */
  limit: number;
};

export const STATS = {
  /** Returns the results of all version pairs in a competition. Counts rated games only. */
  pairs: reads<(competition: Competition) => Promise<PairCount[]>>(ladderSubjects),
  activity: reads<(competition: Competition) => Promise<VersionActivity[]>>(ladderSubjects),
  /** Returns the results of a bot's rated games, or of one version's, sorted by opponent ID. */
  opponents: reads<
    (botId: BotId, competition: Competition, versionId?: VersionId) => Promise<OpponentResults[]>
  >((_, botId) => [`played:${botId}`]),
  /** Returns a bot's rated games by map, most played map first. */
  maps: reads<(query: BotRecordQuery) => Promise<ResultsOnMap[]>>((_, { botId }) => [
    `played:${botId}`,
  ]),
  /**
   * Returns the results of rated games among a bot's newest matches, most recent opponent first.
   */
  recentOpponents: reads<(query: RecentOpponentQuery) => Promise<RecentOpponent[]>>(
    (_, { botId }) => [`played:${botId}`],
  ),
  /** Returns the damage in a version's lost games. */
  losses: reads<(query: LossQuery) => Promise<LostGames>>((_, { botId }) => [`played:${botId}`]),
  play: reads<(competition: Competition, botId: BotId) => Promise<BotPlayStats>>(ladderSubjects),
  competition:
    reads<(competition: Competition, rivalries: number) => Promise<CompetitionStats>>(
      ladderSubjects,
    ),
  /** Archiving a season doesn't change the result. */
  ladder: reads<(query: LadderStatsQuery) => Promise<LadderStats>>((_, { ladderId }) => [
    `matches:${ladderId}`,
  ]),
  /** Returns points oldest first. `games` is the number of games before sampling. */
  ratings: reads<(query: RatingHistoryQuery) => Promise<{ games: number; points: RatingPoint[] }>>(
    (_, { botId }) => [`played:${botId}`, "facts"],
  ),
  /**
   * Returns how versions used their turns in their newest `matchLimit` matches with statistics,
   * across all ladders. Omits versions without such matches.
   */
  turns: reads<(ids: readonly VersionId[], matchLimit: number) => Promise<VersionTurns[]>>(
    (_, versionIds) => ["turns", ...versionIds.map((id) => `turns:${id}`)],
  ),
  /**
   * Counts the turns of up to `limit` matches that were stored before turns were counted, newest
   * first. Returns how many matches were read, or 0 once all are done.
   */
  backfillTurns: writes<(limit: number) => Promise<number>>((backfilledCount) =>
    backfilledCount === 0 ? [] : ["turns"],
  ),
  /**
   * Returns daily totals (UTC), which are kept permanently. Each total is updated in the
   * transaction that changes it, and never decreases.
   */
  analytics: readsUncached<(query: AnalyticsQuery) => Promise<AnalyticsSummary>>(),
};
