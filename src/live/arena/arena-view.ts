// The arena's interface for HTTP routes: queries, and notifications about changes the routes make.

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

/** One session of a bot. Only house bots can have several. */
export type OnlineBot = {
  botId: BotId;
  name: string;
  house: boolean;
  /** False while the bot is disconnected and its match continues. */
  online: boolean;
  /** Null until the connection first queues. */
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

export type PracticeRequestResult =
  | { readonly practice: Practice }
  | { readonly refused: "practice_pending" | "practice_unavailable" }
  | { readonly refused: "rate_limited"; readonly waitS: number };

/** A pending request has no match. A playing request has one. */
export type RequestState = {
  request: OpponentRequest;
  state: "pending" | "playing";
  matchId: MatchId | null;
};

type PlayCount = { running: number; hour: number; day: number };

export type PlayUsage = {
  bots: (PlayCount & { botId: BotId })[];
  owners: (PlayCount & { ownerId: OwnerId })[];
};

export type QueueReport = {
  ladderId: LadderId;
  /** Number of waiting bots, excluding house bots. */
  waiting: number;
  waitingHouse: number;
  /** Null while the queue is empty. */
  longestWaitSeconds: number | null;
  /** Seconds since the last match start; null if no match started in the last day. */
  sinceStartSeconds: number | null;
  /** Why no match starts; null while matches can start. */
  blockedBy: PairingBlock | null;
};

/** A bot disconnected for flooding within the last hour, or currently suspended for it. */
export type FloodReport = {
  botId: BotId;
  lastHour: number;
  /** UTC; null unless the bot is suspended. */
  suspendedUntil: string | null;
};

export type ArenaView = {
  /**
   * Returns every version with a rated match in the live competition or in a closing season, in no
   * particular order.
   */
  board(ladderId: LadderId, season?: string): ReadonlyMap<string, BoardEntry>;
  compareVersions(ladderId: LadderId, versions: VersionPair): Promise<PairComparison>;
  /**
   * Returns the public seasons whose standings can still change. Archived seasons are only in the
   * store.
   */
  seasons(): { live: string; closing: readonly string[] };
  /** Returns all bots that are connected or in a match. */
  onlineBots(): readonly OnlineBot[];
  runningMatches(): readonly RunningMatchView[];
  capacity(): { running: number; max: number };
  /** Returns the number of ranked matches running on a ladder. */
  runningOnLadder(ladderId: LadderId): number;
  /** Returns ranked match counts, including void matches, counted the same way as for quotas. */
  usage(): PlayUsage;
  queueReports(): readonly QueueReport[];
  floodReport(): { bots: readonly FloodReport[]; total: number; suspensions: number };
  isDraining(): boolean;
  unsavedResults(): number;
  /** Requests a practice match for a bot. Returns the reason if the request is refused. */
  requestPractice(botId: BotId): PracticeRequestResult;
  /**
   * Returns one of the bot's practice matches. Returns null for another bot's match or an evicted
   * one.
   */
  practiceStatus(botId: BotId, id: PracticeId): Practice | null;
  /** Call after rotating a bot's token. Closes the bot's socket with invalid_token. */
  onTokenRotated(botId: BotId): void;
  /**
   * Call after changing a bot's record. If the bot may no longer play, its socket is closed with
   * the matching code and its running match is forfeited, or voided for a house bot.
   */
  onBotChanged(bot: BotRecord): void;
  /**
   * Keeps a bot out of new matches until the returned function is called. Returns null if the bot
   * is in a match.
   */
  holdFromPairing(botId: BotId): (() => void) | null;
  /**
   * Call after deleting a bot. Closes the bot's socket with invalid_token and forfeits its running
   * match.
   */
  onBotDeleted(botId: BotId): void;
  /** Call after retiring a version. Removes its queue entries. */
  onVersionRetired(botId: BotId, label: string): void;
  /**
   * Call when a bot is refused a new version because of the daily limit. Repeated refusals are
   * audited periodically.
   */
  onVersionLimited(bot: Pick<BotRecord, "id" | "name">): void;
  /**
   * Call after storing an opponent request. It is served by the first wave in which both bots are
   * available.
   */
  onOpponentRequested(request: OpponentRequest): void;
  /** Call after cancelling a request in the store. A match it has already started continues. */
  onRequestCancelled(id: RequestId): void;
  /** Call when it is unknown whether the store created or cancelled a request. */
  reconcileRequests(): void;
  opponentRequestState(eventId: EventId, accountId: AccountId): RequestState | null;
  /**
   * Call after changing ladders or their members. Bots that are no longer eligible leave the queue
   * immediately.
   */
  onLaddersChanged(): void;
  /**
   * Schedules `recheck`, which updates live state from the store after a write with an unknown
   * outcome. It runs within seconds and is retried until it succeeds.
   */
  reconcile(recheck: () => Promise<void>): void;
};
