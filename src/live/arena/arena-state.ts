// All state of the arena, with its initial values.

import { SECOND_US } from "#base/util/time.ts";
import type { OpponentRequest } from "#core/events/opponent-request.ts";
import type { BotId, LadderId, MatchId, RequestId, SeasonId } from "#core/ids/ids.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { emptyFloods } from "#live/diagnostics/flood-record.ts";
import type { Floods } from "#live/diagnostics/flood-record.ts";
import { emptyPracticeBook } from "#live/practice/practice-book.ts";
import type { PracticeBook } from "#live/practice/practice-book.ts";
import type { PracticeOpponent } from "#live/practice/practice-opponent.ts";
import type { PracticeErrorLog } from "#live/practice/practice-report.ts";
import type { Board } from "#live/standings/board.ts";

import type { ArenaDeps } from "./arena-deps.ts";
import type { Connection } from "./connection.ts";
import { emptyQuotaNotices } from "./quota-notices.ts";
import type { QuotaNotices } from "./quota-notices.ts";
import type { Starts } from "./quota.ts";
import type { ArenaMatch, UnsavedResults } from "./save-match.ts";
import type { RankedMatch } from "./session.ts";
import type { Session } from "./session.ts";

/** Seasons of the public ladder. */
export type Seasons = {
  /** The newest season, the only one in which matches start. */
  live: SeasonId;
  /** Boards of closed seasons whose standings haven't been written yet. */
  readonly closing: Map<SeasonId, Board>;
  /** Settles when the standings write in progress is done; null if there is none. */
  archiving: Promise<void> | null;
};

/** Which daily ranks have been recorded. */
type DailyRankState = {
  /** The last recorded day by ladder, since this process started. */
  readonly latestDays: Map<LadderId, string>;
  /** Settles when the write in progress is done; null if there is none. */
  recording: Promise<void> | null;
};

/** Recent opponents on one ladder. */
export type PairingHistory = {
  /** When the last match of each pair ended, in µs. Entries are evicted after the rematch hold. */
  readonly lastMetAt: Map<string, number>;
  /** Each bot's opponent in its last match. */
  readonly lastOpponent: Map<BotId, BotId>;
};

/** A match against a house bot: a human match or a practice match. */
type UnrankedMatch = {
  readonly match: ArenaMatch;
  /** Null in a practice match, where the bot has a session instead. */
  readonly human: Connection | null;
  /** The bot's mistakes in a practice match; null in a human match. */
  readonly practiceErrors: PracticeErrorLog | null;
};

/** An opponent request in progress. */
type TrackedRequest = {
  readonly request: OpponentRequest;
  /** The match that serves it, until that match is stored and reported. */
  matchId: MatchId | null;
  /** Cancelled or closed: it starts no further match. */
  isOver: boolean;
};

/** Requested practice matches and their opponents. */
type PracticeState = {
  readonly book: PracticeBook;
  /** Null on a server without Starter, and until the house bots are open. */
  houseOpponent: PracticeOpponent | null;
};

export type ArenaState = {
  readonly deps: ArenaDeps;
  /** By session key; sessions of bots with a connection or a match. */
  readonly sessions: Map<string, Session>;
  /** By match id, until the result is stored and reported. */
  readonly rankedMatches: Map<MatchId, RankedMatch>;
  /**
   * By match id, until the result is stored and reported. Not counted against capacity or in
   * statistics.
   */
  readonly unrankedMatches: Map<MatchId, UnrankedMatch>;
  readonly practice: PracticeState;
  /** Boards of the live competitions, by ladder. */
  readonly boards: Map<LadderId, Board>;
  readonly seasons: Seasons;
  readonly dailyRanks: DailyRankState;
  readonly starts: Starts;
  /** Time of the last match start in µs, by `startKey`. */
  readonly lastStart: Map<string, number>;
  /** Time of the last match start in µs, by ladder. */
  readonly lastStartByLadder: Map<LadderId, number>;
  /** By ladder, because rematch holds apply per ladder. */
  readonly pairingHistories: Map<LadderId, PairingHistory>;
  /** Cancels the timer for the next ladder closing. */
  cancelClosingTimer: () => void;
  /** Settles when no board of a finished ladder is loading. */
  boardLoading: Promise<unknown>;
  /** Settles when the final standings write in progress is done; null if there is none. */
  finalStandingsWrite: Promise<void> | null;
  /** Bots that start no match because they may be deleted. */
  readonly pairingHolds: Set<{ readonly botId: BotId }>;
  /** Opponent requests that no stored match has served, oldest first. */
  readonly requests: Map<RequestId, TrackedRequest>;
  /** Counts changes of requests, so that a read of the store can detect that it is stale. */
  requestChanges: number;
  /** Reconciliations of writes with an unknown outcome. */
  readonly pendingReconciliations: Set<() => Promise<void>>;
  readonly quotaNotices: QuotaNotices;
  readonly floods: Floods;
  readonly unsavedResults: UnsavedResults;
  /** Finished matches whose results are being stored and reported. */
  resultsInProgress: number;
  /** Waiting times before the latest matches in seconds, newest last. */
  readonly recentWaits: number[];
  /** Lengths of the latest matches in seconds, newest last. */
  readonly recentLengths: number[];
  /** Time of the next wave, in µs. */
  nextWaveAt: number;
  /** Set when shutdown begins. */
  drainDeadline: string | null;
  /**
   * True once all connections have been closed for the restart. New connections are then closed
   * too.
   */
  isClosed: boolean;
  /** Counts changes of credentials and statuses, so that a lookup can detect that it is stale. */
  credentialChanges: number;
};

export function openArenaState(
  deps: ArenaDeps,
  boards: Map<LadderId, Board>,
  seasons: Seasons,
  {
    starts,
    lastStart,
    lastStartByLadder,
  }: Pick<ArenaState, "starts" | "lastStart" | "lastStartByLadder">,
): ArenaState {
  return {
    deps,
    sessions: new Map(),
    rankedMatches: new Map(),
    unrankedMatches: new Map(),
    practice: { book: emptyPracticeBook(), houseOpponent: null },
    boards,
    seasons,
    dailyRanks: { latestDays: new Map(), recording: null },
    starts,
    lastStart,
    lastStartByLadder,
    pairingHistories: new Map(),
    cancelClosingTimer: () => {},
    boardLoading: Promise.resolve(),
    finalStandingsWrite: null,
    pairingHolds: new Set(),
    requests: new Map(),
    requestChanges: 0,
    pendingReconciliations: new Set(),
    quotaNotices: emptyQuotaNotices(),
    floods: emptyFloods(),
    unsavedResults: { count: 0 },
    resultsInProgress: 0,
    recentWaits: [],
    recentLengths: [],
    nextWaveAt: deps.clock.now() + deps.settings.current().wave_every_s * SECOND_US,
    drainDeadline: null,
    isClosed: false,
    credentialChanges: 0,
  };
}

export function pairingHistoryOn(
  { pairingHistories }: ArenaState,
  ladderId: LadderId,
): PairingHistory {
  const newHistory = () => ({ lastMetAt: new Map(), lastOpponent: new Map() });
  return pairingHistories.getOrInsertComputed(ladderId, newHistory);
}

/**
 * Returns the key under which match starts count for the match interval: per bot; for house bots,
 * per bot and ladder.
 */
export const startKey = ({ id, house }: Pick<BotRecord, "id" | "house">, ladderId: LadderId) =>
  house ? `${id} ${ladderId}` : id;

/** Returns the same key for both orders. */
export function pairKey(a: BotId, b: BotId): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}
