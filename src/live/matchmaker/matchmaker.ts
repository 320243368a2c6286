// The port to rating and matchmaking. They run on a thread of their own, so that neither a refit
// nor a wave ever delays a tick; the work itself is in #rating and #pairing.

import type { Competition } from "#core/ladder/season.ts";
import type { PairingNumbers, Reasons, Start, WaveLimits } from "#core/pairing/types.ts";
import type { ExactRating } from "#core/rating/exact.ts";
import type { BotId, LadderId, MatchId, VersionId } from "#core/words/ids.ts";
import type { PairCount, VersionActivity } from "#data/store/figures.ts";

/** Rating of one version in one competition, from the last committed refit. */
export type BoardEntry = {
  botId: BotId;
  versionId: VersionId;
  /** Full precision, in points. */
  rating: number;
  deviation: number;
  wins: number;
  draws: number;
  losses: number;
  /** UTC instant and match id of its last rated game; null when it has none. */
  lastPlayed: string | null;
  lastMatchId: string | null;
};

/** One rated game, as the ratings see it. Seats in order. */
export type PlayedGame = Competition & {
  matchId: MatchId;
  botIds: readonly [BotId, BotId];
  versionIds: readonly [VersionId, VersionId];
  map: string;
  /** What seat 0 took: 1, 0.5 or 0. */
  score: 0 | 0.5 | 1;
  ended: string;
};

export type RatingChange = {
  /** Counts the games of this competition from 1; boards say up to which one they reach. */
  sequence: number;
  /** Whole points, seat order. */
  before: readonly [number, number];
  after: readonly [number, number];
  /**
   * Both versions right after the game, in seat order. The values depend only on the games counted
   * by then, to 1e-6 points, so rating the same games again in order of `sequence` gives the same.
   * They include games that were on their way to the store and were taken back later.
   */
  exact: readonly [ExactRating, ExactRating];
  /** Rated games of both versions before this one. */
  games: readonly [number, number];
};

/** A bot that may be paired now. */
export type Waiting = {
  botId: BotId;
  /** The fold of its owner. */
  owner: string;
  house: boolean;
  versionId: VersionId;
  waitSeconds: number;
  /** Matches the bot started in the last hour. */
  recentGames: number;
  /** Since its last match start; Infinity for none. */
  sinceStartSeconds: number;
  /** The bot it met in its last match, null for none. */
  lastOpponent: string | null;
};

export type WaveRequest = {
  ladderId: LadderId;
  /** The ladder's, in the order for ties. */
  maps: readonly string[];
  waiting: readonly Waiting[];
  /** Pairs that met within the rematch hold, and the seconds since. */
  met: readonly { botIds: readonly [BotId, BotId]; seconds: number }[];
  /** Seats that owners' bots hold in running matches, by the owner's fold. */
  seatsTaken: ReadonlyMap<string, number>;
  /**
   * Matches that owners' daily quotas, and the ladder's bound of an owner, still allow, by the owner's
   * fold; no limit where there is none.
   */
  startsLeft: ReadonlyMap<string, number>;
  limits: WaveLimits;
  numbers: PairingNumbers;
  /** As many matches as can start. */
  starts: readonly Start[];
  /** Settles what is left to chance in who meets whom. */
  seed: number;
};

export type Paired = Start & {
  /** Seat order. */
  botIds: readonly [BotId, BotId];
  map: string;
  /** Why these two, kept with the match. */
  reasons: Reasons;
};

/** Only versions that have played are on a board. */
export type BoardLine = BoardEntry & { lastPlayed: string; lastMatchId: string };

export type BoardPage = {
  upTo: number;
  /** Whether every deviation is exact for the games that the page counts. */
  isExact: boolean;
  lines: readonly BoardLine[];
};

export type CompetitionHistory = Competition & {
  pairs: readonly PairCount[];
  activity: readonly VersionActivity[];
  /** House bots that hold the scale at 1500: each by the version that it played with last. */
  anchorBots: readonly string[];
};

export type Matchmaker = {
  /**
   * Takes in everything that was played before in a competition, which becomes its ladder's live
   * one: waves are paired there.
   */
  load(history: CompetitionHistory): Promise<void>;
  /** Adds a game and refits; games are rated in the order of the calls. */
  rate(game: PlayedGame): Promise<RatingChange>;
  /** Takes back a game that could not be stored. */
  unrate(game: PlayedGame): Promise<void>;
  pair(request: WaveRequest): Promise<readonly Paired[]>;
  /** Ratings are a function of the counts alone, to the last digit. */
  board(competition: Competition): Promise<BoardPage>;
  /**
   * Goes on with a full pass over a competition that is over; null until it is done, then the final
   * board, every figure of which is a function of the counts alone.
   */
  settle(competition: Competition): Promise<BoardPage | null>;
  /** Lets go of a competition that is over. */
  forget(competition: Competition): Promise<void>;
  close(): Promise<void>;
};
