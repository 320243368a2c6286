// The port to rating and matchmaking. They run in a thread of their own, so that neither a refit
// nor a wave ever delays a tick; the work itself is done in #rating and #pairing.

import type { Competition } from "#core/ladder/season.ts";
import type { PairingNumbers, Reasons, Start, WaveLimits } from "#core/pairing/types.ts";
import type { RatingDifference } from "#core/rating/difference.ts";
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

/** One rated game, as the ratings see it; arrays are in seat order. */
export type PlayedGame = Competition & {
  matchId: MatchId;
  botIds: readonly [BotId, BotId];
  versionIds: readonly [VersionId, VersionId];
  map: string;
  /** The result of seat 0: 1, 0.5 or 0. */
  score: 0 | 0.5 | 1;
  ended: string;
};

export type RatingChange = {
  /** Numbers the games of this competition from 1; boards tell the last one they include. */
  sequence: number;
  /** Whole points, in seat order. */
  before: readonly [number, number];
  after: readonly [number, number];
  /**
   * Both versions right after the game, in seat order. To within 1e-6 points the values depend only
   * on the games counted by then, so rating the same games again in order of `sequence` reproduces
   * them. They include games that were on their way to the store and were taken back later.
   */
  exact: readonly [ExactRating, ExactRating];
  /** Rated games of both versions before this one. */
  games: readonly [number, number];
};

/** A bot that may be paired now. */
export type Waiting = {
  botId: BotId;
  /** Whose it is. */
  owner: string;
  house: boolean;
  versionId: VersionId;
  waitSeconds: number;
  /** Matches the bot started in the last hour. */
  recentGames: number;
  /** Since its last match start; Infinity if there was none. */
  sinceStartSeconds: number;
  /** The bot it met in its last match; null if there was none. */
  lastOpponent: string | null;
};

export type WaveRequest = {
  ladderId: LadderId;
  /** The ladder's maps, in the order that breaks ties. */
  maps: readonly string[];
  waiting: readonly Waiting[];
  /** Pairs that met within the rematch hold, and how many seconds ago. */
  met: readonly { botIds: readonly [BotId, BotId]; seconds: number }[];
  /** Seats that owners' bots hold in running matches, by owner. */
  seatsTaken: ReadonlyMap<string, number>;
  /**
   * Matches that owners' daily quotas and the ladder's bound per owner still allow, by
   * owner; an absent owner has no limit.
   */
  startsLeft: ReadonlyMap<string, number>;
  /** Pairs that somebody asked for, the oldest wish first; both of each wait. */
  requested: readonly (readonly [BotId, BotId])[];
  /** All requests of one question share the matches with a house bot. */
  limits: WaveLimits;
  numbers: PairingNumbers;
  /** One for each match that can start. */
  starts: readonly Start[];
  /** Decides what is left to chance in who meets whom. */
  seed: number;
};

export type Paired = Start & {
  ladderId: LadderId;
  /** In seat order. */
  botIds: readonly [BotId, BotId];
  map: string;
  claimSeconds: number;
  /** Why these two were paired; stored with the match. */
  reasons: Reasons;
};

/** A board lists only versions that have played. */
export type BoardLine = BoardEntry & { lastPlayed: string; lastMatchId: string };

export type BoardPage = {
  upTo: number;
  /** Whether every deviation is exact for the games included. */
  isExact: boolean;
  lines: readonly BoardLine[];
};

/** Two versions of a competition next to each other; in the order of the question. */
export type VersionPair = readonly [VersionId, VersionId];
export type PairComparison = {
  /** Rated games. */
  games: readonly [number, number];
  /** Of the first minus the second; null unless both have a rated game. */
  ratings: RatingDifference | null;
};

export type CompetitionHistory = Competition & {
  pairs: readonly PairCount[];
  activity: readonly VersionActivity[];
  /** House bots that hold the scale at 1500, each as the version that it last played with. */
  anchorBots: readonly string[];
};

export type Matchmaker = {
  /**
   * Takes in all earlier games of a competition, which becomes its ladder's live one: waves are
   * paired there.
   */
  load(history: CompetitionHistory): Promise<void>;
  /** Adds a game and refits; games are rated in the order of the calls. */
  rate(game: PlayedGame): Promise<RatingChange>;
  /** Takes back a game that could not be stored. */
  unrate(game: PlayedGame): Promise<void>;
  /**
   * One wave: the queues of several ladders, each paired on its own but for the matches with a
   * house bot that they share.
   */
  pair(requests: readonly WaveRequest[]): Promise<readonly Paired[]>;
  /** The ratings depend on nothing but the counts, to the last digit. */
  board(competition: Competition): Promise<BoardPage>;
  /**
   * Continues a full pass over a competition that is over. Null until it is done, then the final
   * board; all its figures depend on nothing but the counts.
   */
  settle(competition: Competition): Promise<BoardPage | null>;
  /** It may count a game that is still on its way to the store. */
  compare(competition: Competition, versions: VersionPair): Promise<PairComparison>;
  /** Forgets a competition that is over. */
  forget(competition: Competition): Promise<void>;
  close(): Promise<void>;
};
