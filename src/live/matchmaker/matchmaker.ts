// Interface to rating and pairing, which run on a separate thread so that refits and waves never
// delay a tick. See #core/rating and #core/pairing for the algorithms.

import type { BotId, LadderId, MatchId, VersionId } from "#core/ids/ids.ts";
import type { Competition } from "#core/ladder/season.ts";
import type {
  PairingParameters,
  PairingReasons,
  PlannedStart,
  WaveLimits,
} from "#core/pairing/types.ts";
import type { ExactRating } from "#core/rating/exact-ratings.ts";
import type { RatingDifference } from "#core/rating/rating-difference.ts";
import type { PairCount, VersionActivity } from "#data/store/stats.ts";

export type BoardEntry = {
  botId: BotId;
  versionId: VersionId;
  /** In points, unrounded. */
  rating: number;
  deviation: number;
  wins: number;
  draws: number;
  losses: number;
  /** UTC time and match id of the version's last rated match; null before the first. */
  lastPlayed: string | null;
  lastMatchId: string | null;
};

/** A rated match. Arrays are in seat order. */
export type RatedMatch = Competition & {
  matchId: MatchId;
  botIds: readonly [BotId, BotId];
  versionIds: readonly [VersionId, VersionId];
  map: string;
  /** Score of seat 0. */
  score: 0 | 0.5 | 1;
  ended: string;
};

export type RatingChange = {
  /**
   * Number of the match within its competition, starting at 1. A board reports the last number it
   * includes.
   */
  sequence: number;
  /** Rounded to whole points, in seat order. */
  before: readonly [number, number];
  after: readonly [number, number];
  /**
   * Ratings of both versions after the match, in seat order. To within 1e-6 points, they depend
   * only on the matches counted so far, so rating the same matches in order of `sequence`
   * reproduces them. They can include matches that were being stored at the time and were later
   * reverted.
   */
  exact: readonly [ExactRating, ExactRating];
  /** Each version's rated matches before this one. */
  games: readonly [number, number];
};

export type WaitingEntry = {
  botId: BotId;
  owner: string;
  house: boolean;
  versionId: VersionId;
  waitSeconds: number;
  startsInLastHour: number;
  /** Seconds since the bot's last match start; Infinity if it hasn't played. */
  sinceStartSeconds: number;
  /** The bot's opponent in its last match; null if it hasn't played. */
  lastOpponent: string | null;
};

export type WaveRequest = {
  ladderId: LadderId;
  /** The ladder's maps. Ties are resolved in this order. */
  maps: readonly string[];
  waiting: readonly WaitingEntry[];
  /** Pairs within the rematch hold, with the seconds since their last match. */
  recentPairs: readonly { botIds: readonly [BotId, BotId]; seconds: number }[];
  /** Number of seats that an owner's bots occupy in running matches, by owner. */
  occupiedSeats: ReadonlyMap<string, number>;
  /**
   * How many more matches each owner may start under the daily quota and the ladder's limit. Owners
   * that aren't listed have no limit.
   */
  remainingStarts: ReadonlyMap<string, number>;
  /** Pairs with an opponent request, oldest request first. Both bots are waiting. */
  requestedPairs: readonly (readonly [BotId, BotId])[];
  /** Limit on house bot matches. All requests in a wave share it. */
  limits: WaveLimits;
  numbers: PairingParameters;
  /** Ids and seeds, one entry for each match that can start. */
  starts: readonly PlannedStart[];
  seed: number;
};

export type PlannedMatch = PlannedStart & {
  ladderId: LadderId;
  /** In seat order. */
  botIds: readonly [BotId, BotId];
  map: string;
  claimSeconds: number;
  reasons: PairingReasons;
};

/** A row of a board. Boards only list versions that have played. */
export type BoardLine = BoardEntry & { lastPlayed: string; lastMatchId: string };

export type BoardPage = {
  lastSequence: number;
  isExact: boolean;
  lines: readonly BoardLine[];
};

/** Two versions to compare. Results are in the same order. */
export type VersionPair = readonly [VersionId, VersionId];
export type PairComparison = {
  games: readonly [number, number];
  /** First version minus second; null unless both have a rated match. */
  ratings: RatingDifference | null;
};

export type CompetitionHistory = Competition & {
  pairs: readonly PairCount[];
  activity: readonly VersionActivity[];
  /** House bots that anchor the scale at 1500. Each anchors it with its last played version. */
  anchorBots: readonly string[];
};

export type Matchmaker = {
  /** Loads all earlier matches of a competition and makes it the ladder's live competition. */
  load(history: CompetitionHistory): Promise<void>;
  /** Rates a match and refits. Matches are rated in the order of the calls. */
  rate(match: RatedMatch): Promise<RatingChange>;
  /** Reverts a match that couldn't be stored. */
  unrate(match: RatedMatch): Promise<void>;
  /**
   * Pairs one wave across several ladders. The ladders only share the limit on house bot matches.
   */
  pair(requests: readonly WaveRequest[]): Promise<readonly PlannedMatch[]>;
  /** Returns the current board. Ratings depend only on the match counts, down to the last digit. */
  board(competition: Competition): Promise<BoardPage>;
  /**
   * Runs the next part of the final pass over a finished competition. Resolves with null until the
   * pass is complete, then with a board whose values depend only on the match counts.
   */
  finalBoard(competition: Competition): Promise<BoardPage | null>;
  /** Compares two versions. The result may include a match that is still being stored. */
  compare(competition: Competition, versions: VersionPair): Promise<PairComparison>;
  drop(competition: Competition): Promise<void>;
  close(): Promise<void>;
};
