// The port to rating and matchmaking. They run on a thread of their own, so that neither a refit
// nor a wave ever delays a tick; the work itself is in #rating and #pairing.

import type { WaveLimits } from "#pairing/types.ts";
import type { PairCount, VersionActivity } from "#store/store.ts";

/** Rating of one version on one ladder, from the last committed refit. */
export type BoardEntry = {
  botId: string;
  versionId: string;
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
export type PlayedGame = {
  matchId: string;
  ladderId: string;
  botIds: readonly [string, string];
  versionIds: readonly [string, string];
  map: string;
  /** What seat 0 took: 1, 0.5 or 0. */
  score: 0 | 0.5 | 1;
  ended: string;
};

export type RatingChange = {
  /** Counts the games of this judge from 1; boards say up to which one they reach. */
  sequence: number;
  /** Whole points, seat order. */
  before: readonly [number, number];
  after: readonly [number, number];
};

/** A bot that may be paired now. */
export type Waiting = {
  botId: string;
  owner: string;
  house: boolean;
  versionId: string;
  waitSeconds: number;
  /** Matches the bot started in the last hour. */
  recentGames: number;
  /** Since its last match start; Infinity for none. */
  sinceStartSeconds: number;
  /** The bot it met in its last match, null for none. */
  lastOpponent: string | null;
};

export type WaveRequest = {
  ladderId: string;
  waiting: readonly Waiting[];
  /** Pairs that met within the rematch hold, and the seconds since. */
  met: readonly { botIds: readonly [string, string]; seconds: number }[];
  /** Seats that owners' bots hold in running matches, by owner key. */
  seatsTaken: ReadonlyMap<string, number>;
  limits: WaveLimits;
  seed: number;
};

export type Paired = {
  /** Seat order. */
  botIds: readonly [string, string];
  map: string;
  /** The matchmaker's terms, for an explanation later. */
  reasons: unknown;
};

/** Only versions that have played are on a board. */
export type BoardLine = BoardEntry & { lastPlayed: string; lastMatchId: string };

export type BoardPage = { upTo: number; lines: readonly BoardLine[] };

export type LadderHistory = {
  ladderId: string;
  pairs: readonly PairCount[];
  activity: readonly VersionActivity[];
  /** Versions of the house bots that hold the scale at 1500. */
  anchors: readonly string[];
};

export type Judge = {
  /** Takes in everything that was played before. */
  load(history: LadderHistory): Promise<void>;
  /** Adds a game and refits; games are rated in the order of the calls. */
  play(game: PlayedGame): Promise<RatingChange>;
  /** Takes back a game that could not be stored. */
  takeBack(game: PlayedGame): Promise<void>;
  wave(request: WaveRequest): Promise<readonly Paired[]>;
  board(ladderId: string): Promise<BoardPage>;
  close(): Promise<void>;
};
