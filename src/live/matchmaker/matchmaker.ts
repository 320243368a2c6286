// Interface to rating and matchmaking. They run on their own thread, so that refits and waves never
// delay a tick. The work is done in #rating and #pairing.

import type { BotId, LadderId, MatchId, VersionId } from "#core/ids/ids.ts";
import type { Competition } from "#core/ladder/season.ts";
import type {
  PairingParameters,
  PairingReasons,
  PlannedStart,
  WaveLimits,
} from "#core/pairing/types.ts";
import type { RatingDifference } from "#core/rating/difference.ts";
import type { ExactRating } from "#core/rating/exact.ts";
import type { PairCount, VersionActivity } from "#data/store/stats.ts";

/** Rating of a version in a competition, from the last committed refit. */
export type BoardEntry = {
  botId: BotId;
  versionId: VersionId;
  /** Full precision, in points. */
  rating: number;
  deviation: number;
  wins: number;
  draws: number;
  losses: number;
  /** UTC time and match id of its last rated match; null if it has none. */
  lastPlayed: string | null;
  lastMatchId: string | null;
};

/** A rated match as input to ratings. Arrays are in seat order. */
export type RatedMatch = Competition & {
  matchId: MatchId;
  botIds: readonly [BotId, BotId];
  versionIds: readonly [VersionId, VersionId];
  map: string;
  /** Result of seat 0: 1, 0.5 or 0. */
  score: 0 | 0.5 | 1;
  ended: string;
};

export type RatingChange = {
  /**
   * Sequence number of the match in its competition, from 1. Boards report the last one they
   * include.
   */
  sequence: number;
  /** Whole points, in seat order. */
  before: readonly [number, number];
  after: readonly [number, number];
  /**
   * Both versions right after the match, in seat order. Values depend, to within 1e-6 points, only
   * on the matches counted by then, so rating the same matches again in order of `sequence`
   * reproduces them. They include matches that were being stored and were reverted later.
   */
  exact: readonly [ExactRating, ExactRating];
  /** Rated matches of both versions before this one. */
  games: readonly [number, number];
};

/** A bot that may be paired now. */
export type WaitingEntry = {
  botId: BotId;
  owner: string;
  house: boolean;
  versionId: VersionId;
  waitSeconds: number;
  /** Matches the bot started in the last hour. */
  startsInLastHour: number;
  /** Since its last match start; Infinity if there was none. */
  sinceStartSeconds: number;
  /** Its opponent in its last match; null if there was none. */
  lastOpponent: string | null;
};

export type WaveRequest = {
  ladderId: LadderId;
  /** The ladder's maps, in tie-break order. */
  maps: readonly string[];
  waiting: readonly WaitingEntry[];
  /** Pairs that met within the rematch hold, with the seconds since. */
  recentPairs: readonly { botIds: readonly [BotId, BotId]; seconds: number }[];
  /** Seats of owners' bots in running matches, by owner. */
  occupiedSeats: ReadonlyMap<string, number>;
  /**
   * Matches still allowed by owners' daily quotas and the ladder's bound per owner, by owner. An
   * absent owner has no limit.
   */
  remainingStarts: ReadonlyMap<string, number>;
  /** Requested pairs, oldest request first. Both bots are waiting. */
  requestedPairs: readonly (readonly [BotId, BotId])[];
  /** Matches with a house bot, shared by all queues of a request. */
  limits: WaveLimits;
  numbers: PairingParameters;
  /** One for each match that can start. */
  starts: readonly PlannedStart[];
  /** Seed of the random choices in pairing. */
  seed: number;
};

export type PlannedMatch = PlannedStart & {
  ladderId: LadderId;
  /** In seat order. */
  botIds: readonly [BotId, BotId];
  map: string;
  claimSeconds: number;
  /** Why the two were paired; stored with the match. */
  reasons: PairingReasons;
};

/** A board lists only versions that have played. */
export type BoardLine = BoardEntry & { lastPlayed: string; lastMatchId: string };

export type BoardPage = {
  lastSequence: number;
  /** Whether every deviation is exact for the included matches. */
  isExact: boolean;
  lines: readonly BoardLine[];
};

/** Two versions of a competition side by side, in the order of the request. */
export type VersionPair = readonly [VersionId, VersionId];
export type PairComparison = {
  /** Rated matches. */
  games: readonly [number, number];
  /** First minus second; null unless both have a rated match. */
  ratings: RatingDifference | null;
};

export type CompetitionHistory = Competition & {
  pairs: readonly PairCount[];
  activity: readonly VersionActivity[];
  /** House bots that anchor the scale at 1500, each with its last played version. */
  anchorBots: readonly string[];
};

export type Matchmaker = {
  /**
   * Loads all earlier matches of a competition, which becomes its ladder's live one for pairing.
   */
  load(history: CompetitionHistory): Promise<void>;
  /** Adds a match and refits. Matches are rated in the order of calls. */
  rate(match: RatedMatch): Promise<RatingChange>;
  /** Reverts a match that couldn't be stored. */
  unrate(match: RatedMatch): Promise<void>;
  /**
   * Pairs one wave: the queues of several ladders, which share only the matches with a house bot.
   */
  pair(requests: readonly WaveRequest[]): Promise<readonly PlannedMatch[]>;
  /** Ratings depend only on the counts, to the last digit. */
  board(competition: Competition): Promise<BoardPage>;
  /**
   * Continues the final pass over a finished competition. Null until it is done, then the final
   * board, whose values depend only on the counts.
   */
  finalBoard(competition: Competition): Promise<BoardPage | null>;
  /** May include a match that is still being stored. */
  compare(competition: Competition, versions: VersionPair): Promise<PairComparison>;
  /** Drops a finished competition. */
  drop(competition: Competition): Promise<void>;
  close(): Promise<void>;
};
