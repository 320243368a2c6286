// What the arena shows to the HTTP side, and what it must be told of changes made there.

import type { OpponentRequest } from "#core/events/request.ts";
import type { PairingBlock } from "#core/pairing/blocked.ts";
import type { Practice } from "#core/resources/practice.ts";
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
} from "#core/words/ids.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { BoardEntry, PairComparison, VersionPair } from "#live/matchmaker/matchmaker.ts";

type OnlineState = "waiting" | "playing" | "idle";

/** A session of a bot; only house bots have more than one. */
export type OnlineBot = {
  botId: BotId;
  name: string;
  house: boolean;
  /** False while its match goes on without a connection. */
  online: boolean;
  /** Null before the first queue of this connection. */
  version: string | null;
  versionId: VersionId | null;
  ladderId: LadderId | null;
  state: OnlineState;
  matchId: MatchId | null;
};

export type RunningView = {
  id: string;
  ladderId: LadderId;
  map: string;
  tick: number;
  started: string;
  /** In seat order. */
  botIds: BotId[];
  names: string[];
};

/** What became of the wish for a practice game. */
export type AskedPractice =
  | { readonly practice: Practice }
  | { readonly refused: "practice_pending" | "practice_unavailable" }
  | { readonly refused: "rate_limited"; readonly waitS: number };

/** Whether the game of an opponent request is on; only then it has a match. */
export type RequestState = {
  request: OpponentRequest;
  state: "pending" | "playing";
  matchId: MatchId | null;
};

/** Matches now, and those that started in the last hour and day. */
type PlayCount = { running: number; hour: number; day: number };

/** Of all that started a match in the last day. */
export type PlayUsage = {
  bots: (PlayCount & { botId: BotId })[];
  owners: (PlayCount & { ownerId: OwnerId })[];
};

/** The queue of an open ladder. */
export type QueueReport = {
  ladderId: LadderId;
  /** Bots that wait, without house bots. */
  waiting: number;
  waitingHouse: number;
  /** Null while no bot waits. */
  longestWaitSeconds: number | null;
  /** Since the last match start; null if none is known of the last day. */
  sinceStartSeconds: number | null;
  /** Null while matches can start. */
  blockedBy: PairingBlock | null;
};

/** A bot that was disconnected for flooding within the last hour, or is suspended. */
export type FloodReport = {
  botId: BotId;
  lastHour: number;
  /** UTC instant; null if it is not suspended. */
  suspendedUntil: string | null;
};

export type ArenaView = {
  /**
   * Entries of all versions with a rated game in the ladder's live competition, or in a closing
   * season, in no particular order.
   */
  board(ladderId: LadderId, season?: string): ReadonlyMap<string, BoardEntry>;
  /** Two versions by the ratings of the ladder's live competition. */
  compare(ladderId: LadderId, versions: VersionPair): Promise<PairComparison>;
  /** The seasons of public whose standings still change; archived ones are in the store. */
  seasons(): { live: string; closing: readonly string[] };
  /** All bots that are connected or playing. */
  online(): readonly OnlineBot[];
  running(): readonly RunningView[];
  capacity(): { running: number; max: number };
  /** Ranked matches that run on a ladder. */
  runningOn(ladderId: LadderId): number;
  /** Ranked matches, void ones too, as quotas count them. */
  usage(): PlayUsage;
  /** The queue of each open ladder, and why nothing starts there. */
  queues(): readonly QueueReport[];
  /** Bots that were disconnected for flooding lately, and the count since the process started. */
  floods(): { bots: readonly FloodReport[]; total: number; suspensions: number };
  draining(): boolean;
  /** Matches whose results the store refused at the last try. */
  unsaved(): number;
  /** Enters the wish of a bot for a practice game, or says why not. */
  askForPractice(botId: BotId): AskedPractice;
  /** A bot's own practice game; null for another's, and for one that is forgotten. */
  practiceOf(botId: BotId, id: PracticeId): Practice | null;
  /** A bot's token was replaced: its socket closes with invalid_token. */
  tokenRotated(botId: BotId): void;
  /**
   * A bot's stored data changed: its sessions follow. If it may not play any more, its socket closes
   * with the reason as the code, and its match is forfeited or, for a house bot, voided.
   */
  botChanged(bot: BotRecord): void;
  /**
   * Starts no match of a bot until the returned function is called. Null when it is in a match.
   */
  withhold(botId: BotId): (() => void) | null;
  /** A bot was deleted: its socket closes with invalid_token, and its match is forfeited. */
  botDeleted(botId: BotId): void;
  /** A version was retired: queue entries with it are removed. */
  versionRetired(botId: BotId, label: string): void;
  /** A bot was refused another version today: the audit records it from time to time. */
  versionLimited(bot: Pick<BotRecord, "id" | "name">): void;
  /** An opponent request was stored: a wave serves it as soon as both bots are free. */
  opponentRequested(request: OpponentRequest): void;
  /** A request was cancelled in the store; a game that it has begun goes on. */
  requestCancelled(id: RequestId): void;
  /** A request may have been stored or cancelled: the store had no answer. */
  requestsInDoubt(): void;
  /** What an account waits for in an event; null when nothing is pending and no game is on. */
  requestOf(eventId: EventId, accountId: AccountId): RequestState | null;
  /** Ladders or their members changed: bots that may not wait any more leave at once. */
  laddersChanged(): void;
  /**
   * The store may have done a write without an answer: `look` makes live values follow it. Called
   * within seconds, and then again until it succeeds.
   */
  inDoubt(look: () => Promise<void>): void;
};
