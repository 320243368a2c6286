// Figures that are summed up as matches arrive: by competition, by bot and by version.

import type { DamageSums } from "#core/ladder/lost-games.ts";
import type { Competition } from "#core/ladder/season.ts";
import type { BotPlay, PaceSums, Weapon } from "#core/ladder/style.ts";
import type { TurnFigures } from "#core/ladder/version-health.ts";
import type { BotId, LadderId, MatchId, SeasonId, VersionId } from "#core/words/ids.ts";
import type { Results } from "#core/words/results.ts";

import { looks, reads, writes } from "./method.ts";

/** Results of one version pair on one map within a competition; `first` < `second` as text. */
export type PairCount = Results & { first: VersionId; second: VersionId; map: string };

/** Rated games only. */
export type VersionActivity = {
  versionId: VersionId;
  botId: BotId;
  /** End and id of its last rated game; the id makes the order total. */
  lastPlayed: string;
  lastMatchId: MatchId;
  /** Rated games on seat 0 minus rated games on seat 1. */
  seatBalance: number;
};

export type OpponentResults = Results & { opponentId: BotId };

export type HighlightKind = "opener" | "finale" | "longest" | "quickest" | "swing" | "upset";

/** All figures of a competition. They count rated games only, except for `totals`. */
export type CompetitionFigures = {
  /** Matches that were not voided; `statsGames` of them are in `play` and `weapons`. */
  totals: { games: number; draws: number; voided: number; statsGames: number };
  highlights: Partial<Record<HighlightKind, MatchId>>;
  /**
   * Pairs of player bots that took points from each other, at least one game in four each. Most
   * points first; results are those of the first bot.
   */
  rivalries: (Results & { botIds: readonly [BotId, BotId] })[];
  maps: (Results & { botId: BotId; map: string })[];
  play: BotPlay[];
  weapons: Weapon[];
};

export type LadderQuery = {
  ladderId: LadderId;
  /** Without it, all that was ever played on the ladder. */
  season?: SeasonId | undefined;
  /** How many at most. */
  rivalries: number;
};

type SideFigures = { bots: number; wins: number };

/** Rated games only but for totals; highlights and rivalries as within a competition. */
export type LadderFigures = Pick<CompetitionFigures, "highlights" | "rivalries"> & {
  totals: { games: number; draws: number; voided: number };
  players: SideFigures;
  house: SideFigures;
  /** The most played first. */
  maps: { map: string; games: number }[];
};

export type RatingQuery = {
  ladderId: LadderId;
  botId: BotId;
  /** One season, all seasons from an instant on, or everything. */
  season?: string;
  since?: string;
  /**
   * Longer histories are sampled evenly; the first and last game of each version are always kept.
   */
  points: number;
};

/** One rated game in a bot's rating history. Bots have their present names. */
export type RatingPoint = {
  matchId: MatchId;
  ended: string;
  map: string;
  version: string;
  ratingBefore: number;
  ratingAfter: number;
  /** Unrounded; null for games from before it was kept. */
  deviationAfter: number | null;
  result: "W" | "L" | "D";
  opponent: string;
  opponentVersion: string;
};

/** A bot's results on a map, or against an opponent whom it last met in a game that ended then. */
export type ResultsOnMap = Results & { map: string };
export type RecentOpponent = OpponentResults & { lastPlayed: string };

export type RecordQuery = {
  ladderId: LadderId;
  botId: BotId;
  /** All seasons when absent. */
  season?: SeasonId | undefined;
};

export type RecentQuery = RecordQuery & {
  /** How many of the newest matches are looked at, and the most opponents given. */
  matches: number;
  opponents: number;
};

/** A place in the order of matches by their ends. */
type MatchPlace = { ended: string; id: MatchId };

/** How a bot played a competition; null, and without weapons, before its first statistics. */
export type BotPlayFigures = {
  play: BotPlay | null;
  /** By the name of the attack. */
  weapons: Weapon[];
  /** Sums over all bots of the competition. */
  all: PaceSums;
};

export type LossQuery = Competition & {
  botId: BotId;
  versionId: VersionId;
  /** Only games older than this one. */
  before: MatchPlace | null;
  /** How many games are looked at, and how many lost ones are read. */
  games: number;
  losses: number;
};

/** A portion of a version's rated games, newest first. */
export type LostGames = {
  /** Games that were looked at; `lost` of them have statistics and are in the sums. */
  games: number;
  lost: number;
  damage: DamageSums;
  opponents: { botId: BotId; games: number }[];
  maps: { map: string; games: number; lost: number }[];
  /** Where the next portion begins; null if there is none. */
  last: MatchPlace | null;
};

export type VersionTurns = TurnFigures & { versionId: VersionId };

const ofLadder = (_: unknown, { ladderId }: Competition) => [`matches:${ladderId}`];

/** Accounts, players' bots and their versions by the day they were made; matches by their end. */
export type DayFigures = {
  day: string;
  users: number;
  bots: number;
  versions: number;
  /** Not void; the others neither. */
  ranked: number;
  other: number;
  voided: number;
  /** Bots with a match, void ones too. */
  active_bots: number;
};

export type AnalyticsFigures = {
  /** The first day with a new account. */
  signupsSince: string | null;
  now: {
    users: number;
    banned_users: number;
    /** Of players, in any state. */
    bots: number;
    active_bots: number;
    suspended_bots: number;
    banned_bots: number;
    house_bots: number;
    /** Ever. */
    games: number;
  };
  /** Different bots with a match in the span. */
  activeBots: number;
  /** Those on which there was something, oldest first. */
  days: DayFigures[];
  /** Of players, most games first, then by name. */
  topBots: { name: string; owner: string; games: number; ranked: number }[];
  /** Most games first, then by name. */
  maps: { map: string; games: number }[];
};

export type AnalyticsQuery = {
  /** Days as YYYY-MM-DD, both within the span. */
  from: string;
  to: string;
  /** Most bots that are named. */
  most: number;
};

export const FIGURES = {
  /** All-time results of the version pairs of one competition, rated games only. */
  pairs: reads<(competition: Competition) => Promise<PairCount[]>>(ofLadder),
  activity: reads<(competition: Competition) => Promise<VersionActivity[]>>(ofLadder),
  /** Results of a bot's rated games, or of one version's, ordered by opponent id. */
  opponents: reads<
    (botId: BotId, of: Competition, versionId?: VersionId) => Promise<OpponentResults[]>
  >((_, botId) => [`played:${botId}`]),
  /** A bot's rated games by map, the most played first. */
  maps: reads<(query: RecordQuery) => Promise<ResultsOnMap[]>>((_, { botId }) => [
    `played:${botId}`,
  ]),
  /** Results of the rated games among a bot's newest matches, the opponent met last first. */
  recentOpponents: reads<(query: RecentQuery) => Promise<RecentOpponent[]>>((_, { botId }) => [
    `played:${botId}`,
  ]),
  /** What a version lost by. */
  losses: reads<(query: LossQuery) => Promise<LostGames>>((_, { botId }) => [`played:${botId}`]),
  play: reads<(of: Competition, botId: BotId) => Promise<BotPlayFigures>>(ofLadder),
  competition:
    reads<(competition: Competition, rivalries: number) => Promise<CompetitionFigures>>(ofLadder),
  /** Archiving a season changes nothing in it. */
  ladder: reads<(query: LadderQuery) => Promise<LadderFigures>>((_, { ladderId }) => [
    `matches:${ladderId}`,
  ]),
  /** Oldest first, with the number of games before sampling. */
  ratings: reads<(query: RatingQuery) => Promise<{ games: number; points: RatingPoint[] }>>(
    (_, { botId }) => [`played:${botId}`, "facts"],
  ),
  /**
   * How versions played their turns in their newest `window` matches that have statistics, on all
   * ladders. Versions without such matches are left out.
   */
  turns: reads<(ids: readonly VersionId[], window: number) => Promise<VersionTurns[]>>(
    (_, versionIds) => ["turns", ...versionIds.map((id) => `turns:${id}`)],
  ),
  /**
   * Counts the turns of up to `most` matches that were stored before turns were counted, newest
   * first. Resolves with the number of matches read, 0 once all are done.
   */
  carryTurns: writes<(most: number) => Promise<number>>((carried) =>
    carried === 0 ? [] : ["turns"],
  ),
  /**
   * What has been going on, in sums of whole days (UTC) that are kept for good. They are counted
   * with what they are about, in its transaction; nothing is taken out of them again.
   */
  analytics: looks<(query: AnalyticsQuery) => Promise<AnalyticsFigures>>(),
};
