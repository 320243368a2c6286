// The language of invariants: notices of what happens on a ladder, as seen from outside the arena,
// and watches that complain about what must not happen.

import type { Stay } from "#core/events/account-progress.ts";
import type { EventDefinition } from "#core/events/event.ts";
import type { OpponentRequest } from "#core/events/request.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { Competition } from "#core/ladder/season.ts";
import type { AccountId, BotId, LadderId, MatchId, RequestId } from "#core/words/ids.ts";
import type { AwardRecord } from "#data/store/award.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { FinalStanding, SeasonRecord } from "#data/store/season.ts";
import type { NotedPlaces } from "#data/store/standings.ts";
import type { OnlineBot } from "#live/arena/view.ts";
import type {
  BoardPage,
  Paired,
  PlayedGame,
  RatingChange,
  WaveRequest,
} from "#live/matchmaker/matchmaker.ts";

export type BotFacts = {
  id: BotId;
  name: string;
  owner: string;
  /** Null for an owner without one. */
  accountId: AccountId | null;
  house: boolean;
};

export type Notice =
  | { type: "registered"; bot: BotFacts }
  /** A bot has another owner. */
  | { type: "owned"; bot: BotFacts }
  /** A ladder is like this from now on. */
  | { type: "ladder"; ladder: LadderDefinition }
  /** An account is an active member of a ladder from now on, or is none any more. */
  | { type: "member"; ladderId: LadderId; accountId: AccountId; isActive: boolean }
  /** An account is banned, or has left for good. */
  | { type: "account"; accountId: AccountId; state: "active" | "banned" | "left" }
  /** An event is like this from now on. */
  | { type: "event"; event: EventDefinition }
  /** The store has this request; it was cancelled there, or, as nobody can serve it, given up. */
  | { type: "wished"; request: OpponentRequest }
  | { type: "unwished"; requestId: RequestId; isCancelled: boolean }
  /** From time to time: those that are pending in the store. */
  | { type: "wishes"; pending: readonly RequestId[] }
  /**
   * What an event has given, once all that is stored was looked at; of each account its bots, the
   * oldest first, and when it was an active member of the ladder.
   */
  | {
      type: "awards";
      event: EventDefinition;
      given: readonly AwardRecord[];
      runners: readonly {
        accountId: AccountId;
        botIds: readonly BotId[];
        stays: readonly Stay[];
      }[];
    }
  /** Somebody begins to change these; until that is settled, they may be as before or as after. */
  | { type: "changing"; deed: number; about: readonly string[] }
  | { type: "settled"; deed: number }
  /** A new process has read these. */
  | {
      type: "recalled";
      ladders: readonly LadderDefinition[];
      members: readonly { accountId: AccountId; ladderId: LadderId }[];
      events: readonly EventDefinition[];
    }
  /** A ranked match was made; seats in order. */
  | { type: "started"; matchId: MatchId; ladderId: LadderId; botIds: readonly BotId[] }
  /** A bot may have a practice game. */
  | { type: "asked"; botId: BotId }
  /** Its practice game was made. */
  | { type: "practised"; matchId: MatchId; botId: BotId }
  /** The fight itself came to its end. */
  | { type: "decided"; matchId: MatchId; winner: number | null }
  /**
   * A bot that answered in time was charged with a failed tick, or with a loss by its own fault.
   */
  | { type: "wronged"; matchId: MatchId; botId: BotId; reason: string }
  /** The server ended a house bot that had answered everything it was asked. */
  | { type: "given_up"; bot: string }
  /** What a match that is over counts for is decided now; the first time counts. */
  | { type: "ended"; matchId: MatchId }
  | { type: "rated"; game: PlayedGame; change: RatingChange }
  | { type: "taken_back"; game: PlayedGame }
  /** The match is in the store. */
  | { type: "stored"; match: FinishedMatch }
  /** The arena knows that it is stored. */
  | { type: "confirmed"; matchId: MatchId }
  /** The server sent a bot a text of this type. */
  | { type: "told"; botId: BotId; about: string; text: string }
  /**
   * A bot took itself out of the queue, or its connection ended; of a house bot, which waits on
   * several ladders, there.
   */
  | { type: "left"; botId: BotId; ladderId: LadderId | null; isGone: boolean }
  | { type: "wave"; request: WaveRequest; paired: readonly Paired[] }
  /** The matchmaker's board, and that of a matchmaker that was started on what is stored. */
  | { type: "board"; competition: Competition; page: BoardPage; reloaded: BoardPage }
  | { type: "opened"; seasons: readonly string[] }
  | { type: "archived"; season: string; places: readonly FinalStanding[] }
  /** A ladder is over, with these final standings. */
  | { type: "ladder_finished"; ladderId: LadderId; at: string; places: readonly FinalStanding[] }
  /** These places are now those of the latest day, which they were not before. */
  | { type: "noted"; places: NotedPlaces }
  /** From time to time: the final standings of all seasons, as stored. */
  | { type: "standings"; bySeason: ReadonlyMap<string, readonly FinalStanding[]> }
  /** The same of all ladders that are over. */
  | { type: "finals"; byLadder: ReadonlyMap<LadderId, readonly FinalStanding[]> }
  | Looked
  /** A log line of the arena, with the stack of its error if there was one. */
  | { type: "logged"; level: "warn" | "error"; text: string; detail: string }
  /** The server stalled until now, so everything due meanwhile comes late. */
  | { type: "stalled" }
  | { type: "killed" }
  | { type: "booted" }
  /** The world does something bad, named here. */
  | { type: "struck"; fault: string }
  /** Faults have stopped, and all bots behave. */
  | { type: "calm" }
  /** Nobody queues any more and every match is over. */
  | { type: "finished" };

/** From time to time: who is online, and which seasons there are. */
export type Looked = {
  type: "looked";
  online: readonly OnlineBot[];
  /** Matches. */
  running: number;
  storeFails: boolean;
  /** The season that the arena plays in. */
  live: string;
  seasons: readonly SeasonRecord[];
};

/** `at` in µs since time began, `wall` in ms UTC as the server's wall clock shows. */
export type Moment = { at: number; wall: number };

export type NoticeOf<T extends Notice["type"]> = Extract<Notice, { type: T }>;

/** Returns a complaint, or nothing if all is well. */
type Handler<T extends Notice["type"]> = (
  notice: NoticeOf<T>,
  moment: Moment,
) => string | null | void;

export type Watch = {
  readonly name: string;
  /** Handlers of the notices that concern it. */
  readonly on: { readonly [T in Notice["type"]]?: Handler<T> };
};

export type Complaint = { invariant: string; text: string };

/** Shows a notice to all watches; returns the first complaint, or null. */
export function show<T extends Notice["type"]>(
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
