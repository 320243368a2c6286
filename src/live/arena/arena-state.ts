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
import type { WatchHub } from "#live/watching/watch-hub.ts";

import type { ArenaDeps } from "./arena-deps.ts";
import type { Connection } from "./connection.ts";
import { emptyQuotaNotices } from "./quota-notices.ts";
import type { QuotaNotices } from "./quota-notices.ts";
import type { Starts } from "./quota.ts";
import type { ArenaMatch, UnsavedResults } from "./save-match.ts";
import type { RankedMatch } from "./session.ts";
import type { Session } from "./session.ts";

export type Seasons = {
  /** The newest season. Matches only start in this one. */
  live: SeasonId;
  /** Boards of closed seasons whose standings are not yet written. */
  readonly closing: Map<SeasonId, Board>;
  archiving: Promise<void> | null;
};

type DailyRankState = {
  /** Last day recorded on each ladder since the process started. */
  readonly latestDays: Map<LadderId, string>;
  recording: Promise<void> | null;
};

export type PairingHistory = {
  /** End time of each pair's last match, in µs. Entries are evicted after the rematch hold. */
  readonly lastMetAt: Map<string, number>;
  readonly lastOpponent: Map<BotId, BotId>;
};

/** A human match or a practice match. Both are played against a house bot. */
type UnrankedMatch = {
  readonly match: ArenaMatch;
  /** The human player's connection; null in a practice match, where the bot has a session. */
  readonly human: Connection | null;
  /** Errors the bot made in a practice match; null in a human match. */
  readonly practiceErrors: PracticeErrorLog | null;
};

type TrackedRequest = {
  readonly request: OpponentRequest;
  /** The match serving this request. Reset to null once that match is stored and reported. */
  matchId: MatchId | null;
  /** Set when the request is cancelled or closed. No further match starts for it. */
  isOver: boolean;
};

type PracticeState = {
  readonly book: PracticeBook;
  /** Null until the house bots are open, and always null on a server without Starter. */
  houseOpponent: PracticeOpponent | null;
};

export type ArenaState = {
  readonly deps: ArenaDeps;
  /** By session key. Contains every bot that has a connection or a running match. */
  readonly sessions: Map<string, Session>;
  /** By match id. Matches are removed once their result is stored and reported. */
  readonly rankedMatches: Map<MatchId, RankedMatch>;
  /**
   * By match id. Matches are removed once their result is stored and reported. They don't count
   * toward capacity or statistics.
   */
  readonly unrankedMatches: Map<MatchId, UnrankedMatch>;
  readonly practice: PracticeState;
  readonly watchHub: WatchHub;
  readonly boards: Map<LadderId, Board>;
  readonly seasons: Seasons;
  readonly dailyRanks: DailyRankState;
  readonly starts: Starts;
  /** Last match start in µs, by `startKey`. */
  readonly lastStart: Map<string, number>;
  /** Last match start in µs, by ladder. */
  readonly lastStartByLadder: Map<LadderId, number>;
  /** By ladder. Rematch holds apply to each ladder separately. */
  readonly pairingHistories: Map<LadderId, PairingHistory>;
  cancelClosingTimer: () => void;
  /** Settles when all pending board loads for finished ladders are done. */
  boardLoading: Promise<unknown>;
  finalStandingsWrite: Promise<void> | null;
  /** Bots excluded from pairing because they may be deleted. */
  readonly pairingHolds: Set<{ readonly botId: BotId }>;
  /** Opponent requests not yet served by a stored match, oldest first. */
  readonly requests: Map<RequestId, TrackedRequest>;
  /** Incremented whenever `requests` changes. Detects stale store reads. */
  requestChanges: number;
  readonly pendingReconciliations: Set<() => Promise<void>>;
  readonly quotaNotices: QuotaNotices;
  readonly floods: Floods;
  readonly unsavedResults: UnsavedResults;
  resultsInProgress: number;
  /** Queue waits in seconds before the latest matches, newest last. */
  readonly recentWaits: number[];
  /** Durations of the latest matches in seconds, newest last. */
  readonly recentLengths: number[];
  /** When the next wave runs, in µs. */
  nextWaveAt: number;
  /** Announced end of the shutdown; null until shutdown begins. */
  drainDeadline: string | null;
  /**
   * True once all connections have been closed for the restart. New connections are closed
   * immediately from then on.
   */
  isClosed: boolean;
  /** Incremented whenever credentials or bot statuses change. Detects stale token lookups. */
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
  watchHub: WatchHub,
): ArenaState {
  return {
    deps,
    sessions: new Map(),
    rankedMatches: new Map(),
    unrankedMatches: new Map(),
    practice: { book: emptyPracticeBook(), houseOpponent: null },
    watchHub,
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
 * Returns the key that the match interval applies to: one per bot, and for house bots one per bot
 * and ladder.
 */
export const startKey = ({ id, house }: Pick<BotRecord, "id" | "house">, ladderId: LadderId) =>
  house ? `${id} ${ladderId}` : id;

/** Returns a key that doesn't depend on the order of the two bots. */
export function pairKey(a: BotId, b: BotId): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}
