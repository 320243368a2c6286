// The language of invariants: notices of events on a ladder, as observed from outside the arena,
// and watches that check them.

import type { MembershipInterval } from "#core/events/account-progress.ts";
import type { EventDefinition } from "#core/events/event.ts";
import type { OpponentRequest } from "#core/events/opponent-request.ts";
import type { AccountId, BotId, LadderId, MatchId, RequestId } from "#core/ids/ids.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { Competition } from "#core/ladder/season.ts";
import type { AwardRecord } from "#data/store/award.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { FinalStanding, SeasonRecord } from "#data/store/season.ts";
import type { DailyPlaces } from "#data/store/standings.ts";
import type { OnlineBot } from "#live/arena/arena-view.ts";
import type {
  BoardPage,
  PlannedMatch,
  RatedMatch,
  RatingChange,
  WaveRequest,
} from "#live/matchmaker/matchmaker.ts";

export type BotFacts = {
  id: BotId;
  name: string;
  owner: string;
  /** Null for an owner without an account. */
  accountId: AccountId | null;
  house: boolean;
};

export type Notice =
  | { type: "registered"; bot: BotFacts }
  | { type: "owned"; bot: BotFacts }
  | { type: "ladder"; ladder: LadderDefinition }
  /** An account became an active member of a ladder, or stopped being one. */
  | { type: "member"; ladderId: LadderId; accountId: AccountId; isActive: boolean }
  | { type: "account"; accountId: AccountId; state: "active" | "banned" | "left" }
  | { type: "event"; event: EventDefinition }
  /**
   * The store has this request, or it was cancelled there, or closed because it can't be served.
   */
  | { type: "wished"; request: OpponentRequest }
  | { type: "unwished"; requestId: RequestId; isCancelled: boolean }
  /** Sent periodically: the pending requests in the store. */
  | { type: "wishes"; pending: readonly RequestId[] }
  /**
   * The awards of an event after all stored matches were processed. For each account: its bots,
   * oldest first, and when it was an active member of the ladder.
   */
  | {
      type: "awards";
      event: EventDefinition;
      grantedAwards: readonly AwardRecord[];
      runners: readonly {
        accountId: AccountId;
        botIds: readonly BotId[];
        stays: readonly MembershipInterval[];
      }[];
    }
  /** A change of these begins. Until it is settled, they may be in the old or the new state. */
  | { type: "changing"; mutation: number; about: readonly string[] }
  | { type: "settled"; mutation: number }
  /** A new process has read these. */
  | {
      type: "recalled";
      ladders: readonly LadderDefinition[];
      members: readonly { accountId: AccountId; ladderId: LadderId }[];
      events: readonly EventDefinition[];
    }
  /** A ranked match was started; seats in order. */
  | { type: "started"; matchId: MatchId; ladderId: LadderId; botIds: readonly BotId[] }
  | { type: "asked"; botId: BotId }
  | { type: "practised"; matchId: MatchId; botId: BotId }
  /** The match reached its end in the engine. */
  | { type: "decided"; matchId: MatchId; winner: number | null }
  /**
   * A bot that responded in time was charged with a failed tick, or with a loss by its own fault.
   */
  | { type: "wronged"; matchId: MatchId; botId: BotId; reason: string }
  /** The server gave up a house bot that had answered everything. */
  | { type: "given_up"; bot: string }
  /** The rating of a finished match is decided. The first notice counts. */
  | { type: "ended"; matchId: MatchId }
  | { type: "rated"; game: RatedMatch; change: RatingChange }
  | { type: "taken_back"; game: RatedMatch }
  | { type: "stored"; match: FinishedMatch }
  /** The arena knows that the match is stored. */
  | { type: "confirmed"; matchId: MatchId }
  /** The server sent a bot a text of this type. */
  | { type: "told"; botId: BotId; about: string; text: string }
  /**
   * A bot left the queue, or its connection ended. For a house bot, which waits on several ladders,
   * the ladder.
   */
  | { type: "left"; botId: BotId; ladderId: LadderId | null; isGone: boolean }
  | { type: "wave"; request: WaveRequest; pairings: readonly PlannedMatch[] }
  /** The matchmaker's board, and that of a new matchmaker started from the store. */
  | { type: "board"; competition: Competition; page: BoardPage; reloaded: BoardPage }
  | { type: "opened"; seasons: readonly string[] }
  | { type: "archived"; season: string; places: readonly FinalStanding[] }
  /** A ladder finished, with these final standings. */
  | { type: "ladder_finished"; ladderId: LadderId; at: string; places: readonly FinalStanding[] }
  /** These became the latest daily places. */
  | { type: "noted"; places: DailyPlaces }
  /** Sent periodically: the final standings of all seasons, as stored. */
  | { type: "standings"; bySeason: ReadonlyMap<string, readonly FinalStanding[]> }
  /** Sent periodically: the same for all finished ladders. */
  | { type: "finals"; byLadder: ReadonlyMap<LadderId, readonly FinalStanding[]> }
  | ObservedState
  /** A log message of the arena, with the error's stack if there was one. */
  | { type: "logged"; level: "warn" | "error"; text: string; detail: string }
  /** The server stalled until now, so everything due meanwhile is late. */
  | { type: "stalled" }
  | { type: "killed" }
  | { type: "booted" }
  /** A fault of the world, by name. */
  | { type: "struck"; fault: string }
  /** Faults have stopped, and all bots behave. */
  | { type: "calm" }
  /** All bots have stopped queueing and every match is over. */
  | { type: "finished" };

/** Sent periodically: who is online, and which seasons exist. */
export type ObservedState = {
  type: "looked";
  online: readonly OnlineBot[];
  running: number;
  storeFails: boolean;
  live: string;
  seasons: readonly SeasonRecord[];
};

/** `at` in µs since the start of the run; `wall` in ms UTC by the server's wall clock. */
export type Moment = { at: number; wall: number };

export type NoticeOf<T extends Notice["type"]> = Extract<Notice, { type: T }>;

/** Returns a complaint, or nothing if all is well. */
type Handler<T extends Notice["type"]> = (
  notice: NoticeOf<T>,
  moment: Moment,
) => string | null | void;

export type Watch = {
  readonly name: string;
  readonly on: { readonly [T in Notice["type"]]?: Handler<T> };
};

export type Complaint = { invariant: string; text: string };

/** Passes a notice to all watches; returns the first complaint, or null. */
export function notifyWatches<T extends Notice["type"]>(
  watches: readonly Watch[],
  notice: NoticeOf<T>,
  moment: Moment,
): Complaint | null {
  for (const { name, on } of watches) {
    const handler = on[notice.type];
    const text = handler?.(notice, moment) ?? null;
    if (text !== null) return { invariant: name, text };
  }
  return null;
}
