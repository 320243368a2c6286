// The arena's interface for HTTP routes: queries, and notifications of changes they made.

import type { Practice } from "#core/api/practice.ts";
import type { OpponentRequest } from "#core/events/opponent-request.ts";
import type {
  AccountId,
  BotId,
  EventId,
  LadderId,
  MatchId,
  OwnerId,
  PracticeId,
  RequestId,
  VersionId,
} from "#core/ids/ids.ts";
import type { PairingBlock } from "#core/pairing/pairing-block.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { BoardEntry, PairComparison, VersionPair } from "#live/matchmaker/matchmaker.ts";

type OnlineState = "waiting" | "playing" | "idle";

/** A session of a bot. Only house bots have several. */
export type OnlineBot = {
  botId: BotId;
  name: string;
  house: boolean;
  /** False while its match continues without a connection. */
  online: boolean;
  /** Null before the first queue of this connection. */
  version: string | null;
  versionId: VersionId | null;
  ladderId: LadderId | null;
  state: OnlineState;
  matchId: MatchId | null;
};

export type RunningMatchView = {
  id: string;
  ladderId: LadderId;
  map: string;
  tick: number;
  started: string;
  /** In seat order. */
  botIds: BotId[];
  names: string[];
};

/** Outcome of a request for a practice match. */
export type PracticeRequestResult =
  | { readonly practice: Practice }
  | { readonly refused: "practice_pending" | "practice_unavailable" }
  | { readonly refused: "rate_limited"; readonly waitS: number };

/** Whether the match of an opponent request is running; only then does it have a match. */
export type RequestState = {
  request: OpponentRequest;
  state: "pending" | "playing";
  matchId: MatchId | null;
};

/** Matches now, and starts in the last hour and day. */
type PlayCount = { running: number; hour: number; day: number };

/** All that started a match in the last day. */
export type PlayUsage = {
  bots: (PlayCount & { botId: BotId })[];
  owners: (PlayCount & { ownerId: OwnerId })[];
};

/** The queue of an open ladder. */
export type QueueReport = {
  ladderId: LadderId;
  /** Waiting bots, not counting house bots. */
  waiting: number;
  waitingHouse: number;
  /** Null if no bot waits. */
  longestWaitSeconds: number | null;
  /** Since the last match start; null if there was none in the last day. */
  sinceStartSeconds: number | null;
  /** Null while matches can start. */
  blockedBy: PairingBlock | null;
};

/** A bot that was disconnected for flooding within the last hour, or is suspended. */
export type FloodReport = {
  botId: BotId;
  lastHour: number;
  /** UTC; null if it isn't suspended. */
  suspendedUntil: string | null;
};

export type ArenaView = {
  /**
   * Returns all versions with a rated match in the ladder's live competition or in a closing
   * season, unordered.
   */
  board(ladderId: LadderId, season?: string): ReadonlyMap<string, BoardEntry>;
  /** Compares two versions by their ratings in the ladder's live competition. */
  compareVersions(ladderId: LadderId, versions: VersionPair): Promise<PairComparison>;
  /** Returns the public seasons whose standings still change. Archived seasons are in the store. */
  seasons(): { live: string; closing: readonly string[] };
  /** Returns all bots that are connected or playing. */
  onlineBots(): readonly OnlineBot[];
  runningMatches(): readonly RunningMatchView[];
  capacity(): { running: number; max: number };
  /** Returns the ranked matches running on a ladder. */
  runningOnLadder(ladderId: LadderId): number;
  /** Counts ranked matches, including void ones, the same way as quotas. */
  usage(): PlayUsage;
  /** Returns the queue of each open ladder and why no match starts there. */
  queueReports(): readonly QueueReport[];
  /** Returns recent disconnections for flooding, and their count since the process started. */
  floodReport(): { bots: readonly FloodReport[]; total: number; suspensions: number };
  isDraining(): boolean;
  /** Matches whose results the store rejected at the last attempt. */
  unsavedResults(): number;
  /** Requests a practice match for a bot, or returns why it can't. */
  requestPractice(botId: BotId): PracticeRequestResult;
  /** Returns a bot's own practice match; null for another bot's or an evicted one. */
  practiceStatus(botId: BotId, id: PracticeId): Practice | null;
  /** Call when a bot's token was rotated. Closes its socket with invalid_token. */
  onTokenRotated(botId: BotId): void;
  /**
   * Call when a bot's record changed. If it may no longer play, its socket is closed with the
   * reason's code and its match is forfeited (voided for a house bot).
   */
  onBotChanged(bot: BotRecord): void;
  /**
   * Starts no match of a bot until the returned function is called. Returns null if the bot is in a
   * match.
   */
  holdFromPairing(botId: BotId): (() => void) | null;
  /** Call when a bot was deleted. Closes its socket with invalid_token; its match is forfeited. */
  onBotDeleted(botId: BotId): void;
  /** Call when a version was retired. Removes its queue entries. */
  onVersionRetired(botId: BotId, label: string): void;
  /**
   * Call when a bot was refused another version today, so that the audit log records it
   * periodically.
   */
  onVersionLimited(bot: Pick<BotRecord, "id" | "name">): void;
  /**
   * Call when an opponent request was stored. A wave serves it as soon as both bots are available.
   */
  onOpponentRequested(request: OpponentRequest): void;
  /** Call when a request was cancelled in the store. A match that it has started continues. */
  onRequestCancelled(id: RequestId): void;
  /** Call when a request may have been stored or cancelled without an answer from the store. */
  reconcileRequests(): void;
  /** Returns an account's open opponent request in an event, or null. */
  opponentRequestState(eventId: EventId, accountId: AccountId): RequestState | null;
  /** Call when ladders or their members changed. Bots that may no longer wait leave immediately. */
  onLaddersChanged(): void;
  /**
   * Reconciles a write with an unknown outcome: `recheck` updates live state from the store. Called
   * within seconds and repeated until it succeeds.
   */
  reconcile(recheck: () => Promise<void>): void;
};
