// Notices describe what happens on a ladder, as observed from outside the arena. Watches check
// invariants against them.

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
  | { type: "member"; ladderId: LadderId; accountId: AccountId; isActive: boolean }
  | { type: "account"; accountId: AccountId; state: "active" | "banned" | "left" }
  | { type: "event"; event: EventDefinition }
  /**
   * An opponent request was stored. `unwished`: it was cancelled, or closed because it can't be
   * served.
   */
  | { type: "wished"; request: OpponentRequest }
  | { type: "unwished"; requestId: RequestId; isCancelled: boolean }
  | { type: "wishes"; pending: readonly RequestId[] }
  /**
   * The event's awards after all stored matches have been processed. Each account comes with its
   * bots, oldest first, and the periods in which it was an active member.
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
  /**
   * A change begins. Until it is settled, the ladders, members and bots it affects may be in the
   * old or the new state.
   */
  | { type: "changing"; mutation: number; about: readonly string[] }
  | { type: "settled"; mutation: number }
  /** A restarted server has read these from the store. */
  | {
      type: "recalled";
      ladders: readonly LadderDefinition[];
      members: readonly { accountId: AccountId; ladderId: LadderId }[];
      events: readonly EventDefinition[];
    }
  /** A ranked match started. `botIds` are in seat order. */
  | { type: "started"; matchId: MatchId; ladderId: LadderId; botIds: readonly BotId[] }
  | { type: "asked"; botId: BotId }
  | { type: "practised"; matchId: MatchId; botId: BotId }
  /** The engine decided the match. */
  | { type: "decided"; matchId: MatchId; winner: number | null }
  /** A bot was blamed for a failed tick or a loss even though it had responded in time. */
  | { type: "wronged"; matchId: MatchId; botId: BotId; reason: string }
  /** The server gave up on a house bot even though it had answered every message. */
  | { type: "given_up"; bot: string }
  /**
   * The server decided whether a finished match is rated. Later notices for the match are ignored.
   */
  | { type: "ended"; matchId: MatchId }
  | { type: "rated"; game: RatedMatch; change: RatingChange }
  | { type: "taken_back"; game: RatedMatch }
  | { type: "stored"; match: FinishedMatch }
  /** The arena knows that the match is stored. */
  | { type: "confirmed"; matchId: MatchId }
  /** The server sent a message of type `about` to a bot. */
  | { type: "told"; botId: BotId; about: string; text: string }
  /**
   * A bot left the queue or disconnected. House bots can wait on several ladders, so `ladderId`
   * names the ladder that it left.
   */
  | { type: "left"; botId: BotId; ladderId: LadderId | null; isGone: boolean }
  | { type: "wave"; request: WaveRequest; pairings: readonly PlannedMatch[] }
  /**
   * The matchmaker's leaderboard, and the leaderboard of a new matchmaker started from the store.
   */
  | { type: "board"; competition: Competition; page: BoardPage; reloaded: BoardPage }
  | { type: "opened"; seasons: readonly string[] }
  | { type: "archived"; season: string; places: readonly FinalStanding[] }
  | { type: "ladder_finished"; ladderId: LadderId; at: string; places: readonly FinalStanding[] }
  | { type: "noted"; places: DailyPlaces }
  /** Sent periodically: the stored final standings for all seasons. */
  | { type: "standings"; bySeason: ReadonlyMap<string, readonly FinalStanding[]> }
  /** Sent periodically: the stored final standings for all finished ladders. */
  | { type: "finals"; byLadder: ReadonlyMap<LadderId, readonly FinalStanding[]> }
  | ObservedState
  /** The arena logged a message. `detail` is the stack of its error, if any. */
  | { type: "logged"; level: "warn" | "error"; text: string; detail: string }
  /** The server has been stalled until now. Everything that was due in that time is late. */
  | { type: "stalled" }
  | { type: "killed" }
  | { type: "booted" }
  | { type: "struck"; fault: string }
  /** All faults have ended, and all bots behave correctly. */
  | { type: "calm" }
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

/** `at`: µs since the start of the run. `wall`: ms UTC by the server's clock. */
export type Moment = { at: number; wall: number };

export type NoticeOf<T extends Notice["type"]> = Extract<Notice, { type: T }>;

/** Returns a complaint, or nothing if the invariant holds. */
type Handler<T extends Notice["type"]> = (
  notice: NoticeOf<T>,
  moment: Moment,
) => string | null | void;

export type Watch = {
  readonly name: string;
  readonly on: { readonly [T in Notice["type"]]?: Handler<T> };
};

export type Complaint = { invariant: string; text: string };

/** Sends a notice to all watches. Returns the first complaint, or null. */
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
