// Everything the arena knows between two events, in one place with its defaults.

import { SECOND } from "#base/units/time.ts";
import type { OpponentRequest } from "#core/events/request.ts";
import type { BotId, LadderId, MatchId, RequestId, SeasonId } from "#core/words/ids.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { noFloods } from "#live/diagnostics/flood-record.ts";
import type { Floods } from "#live/diagnostics/flood-record.ts";
import { emptyBook } from "#live/practice/book.ts";
import type { PracticeBook } from "#live/practice/book.ts";
import type { PracticeOpponent } from "#live/practice/opponent.ts";
import type { ErrorNotes } from "#live/practice/report.ts";
import type { Board } from "#live/standings/board.ts";

import type { Connection } from "./connection.ts";
import type { ArenaDeps } from "./deps.ts";
import { noThrottles } from "./quota-notices.ts";
import type { Throttles } from "./quota-notices.ts";
import type { Starts } from "./quota.ts";
import type { Contest, Trouble } from "./save-match.ts";
import type { Game } from "./session.ts";
import type { Session } from "./session.ts";

/** Seasons of the public ladder. */
export type Seasons = {
  /** The newest season; matches start in no other. */
  live: SeasonId;
  /** Boards of seasons that have closed but whose standings are not written yet. */
  readonly closing: Map<SeasonId, Board>;
  /** Settles when the standings that are being written are done; null otherwise. */
  archiving: Promise<void> | null;
};

/** Which places at the beginning of a day are noted. */
type Places = {
  /** The latest day by ladder, since this start. */
  readonly days: Map<LadderId, string>;
  /** Settles when those being noted are stored; null otherwise. */
  noting: Promise<void> | null;
};

/** Who met whom on one ladder. */
export type Meetings = {
  /** When two bots' last match ended, in µs, by pair; forgotten after the hold. */
  readonly met: Map<string, number>;
  /** The bot each bot met in its last match. */
  readonly lastOpponent: Map<BotId, BotId>;
};

/** A fight against a house bot: a person's, or a practice game. */
type Bout = {
  readonly contest: Contest;
  /** Null in a practice game, whose bot has a session. */
  readonly person: Connection | null;
  /** What the bot that practises does wrong; null in a person's fight. */
  readonly errors: ErrorNotes | null;
};

/** What becomes of an opponent request. */
type Wish = {
  readonly request: OpponentRequest;
  /** The match that is to serve it, until that is stored and told. */
  matchId: MatchId | null;
  /** It starts no match any more. */
  isOver: boolean;
};

/** Practice games: who asked for one, and whom they are against. */
type PracticeHall = {
  readonly book: PracticeBook;
  /** Null on a server without Starter, and until the house is open. */
  opponent: PracticeOpponent | null;
};

export type ArenaState = {
  readonly deps: ArenaDeps;
  /** By session key; of bots with a connection or a match. */
  readonly sessions: Map<string, Session>;
  /** By match id, until the result is stored and told. */
  readonly games: Map<MatchId, Game>;
  /**
   * By match id, until the result is stored and told. They take up nobody's room and count in
   * nobody's figures.
   */
  readonly bouts: Map<MatchId, Bout>;
  readonly practice: PracticeHall;
  /** Boards of the live competitions, by ladder. */
  readonly boards: Map<LadderId, Board>;
  readonly seasons: Seasons;
  readonly places: Places;
  readonly starts: Starts;
  /** Time of the last match start, in µs, by `startKey`. */
  readonly lastStart: Map<string, number>;
  /** Time of the last match start on each ladder, in µs. */
  readonly lastStartOn: Map<LadderId, number>;
  /** By ladder, since each has its own holds. */
  readonly meetings: Map<LadderId, Meetings>;
  /** Calls off the timer for the next end of a ladder's window. */
  cancelEdge: () => void;
  /** Settles when nothing is loaded of ladders that are over. */
  recalling: Promise<unknown>;
  /** Settles when the final standings that are being written are done; null otherwise. */
  finishing: Promise<void> | null;
  /** Bots that start no match meanwhile, because somebody is about to delete them. */
  readonly withheld: Set<{ readonly botId: BotId }>;
  /** Opponent requests that no stored match has served, oldest first. */
  readonly requests: Map<RequestId, Wish>;
  /** Counts their changes, so that a reading of the store can tell that it is stale. */
  requestChanges: number;
  /** What looks at the store again, since a write had no answer. */
  readonly doubts: Set<() => Promise<void>>;
  readonly throttles: Throttles;
  readonly floods: Floods;
  readonly trouble: Trouble;
  /** Matches that were fought out and whose results are being stored and told. */
  concluding: number;
  /** Seconds that bots waited for the latest matches, newest last. */
  readonly waits: number[];
  /** Lengths of the latest matches in seconds, newest last. */
  readonly lengths: number[];
  /** Time of the next wave, in µs. */
  nextWave: number;
  /** Set once the shutdown has begun. */
  drainDeadline: string | null;
  /** True once every connection has been closed for the restart: newcomers are closed as well. */
  isClosed: boolean;
  /** Counts changes of credentials and statuses, so that a look-up can tell that it is stale. */
  changes: number;
};

export function openArenaState(
  deps: ArenaDeps,
  boards: Map<LadderId, Board>,
  seasons: Seasons,
  { starts, lastStart, lastStartOn }: Pick<ArenaState, "starts" | "lastStart" | "lastStartOn">,
): ArenaState {
  return {
    deps,
    sessions: new Map(),
    games: new Map(),
    bouts: new Map(),
    practice: { book: emptyBook(), opponent: null },
    boards,
    seasons,
    places: { days: new Map(), noting: null },
    starts,
    lastStart,
    lastStartOn,
    meetings: new Map(),
    cancelEdge: () => {},
    recalling: Promise.resolve(),
    finishing: null,
    withheld: new Set(),
    requests: new Map(),
    requestChanges: 0,
    doubts: new Set(),
    throttles: noThrottles(),
    floods: noFloods(),
    trouble: { unsaved: 0 },
    concluding: 0,
    waits: [],
    lengths: [],
    nextWave: deps.clock.now() + deps.settings.current().wave_every_s * SECOND,
    drainDeadline: null,
    isClosed: false,
    changes: 0,
  };
}

export function meetingsOn({ meetings }: ArenaState, ladderId: LadderId): Meetings {
  const begin = () => ({ met: new Map(), lastOpponent: new Map() });
  return meetings.getOrInsertComputed(ladderId, begin);
}

/** Key by which the match interval counts starts: per bot and, for house bots, per ladder. */
export const startKey = ({ id, house }: Pick<BotRecord, "id" | "house">, ladderId: LadderId) =>
  house ? `${id} ${ladderId}` : id;

/** The same key for both orders. */
export function pairKey(one: BotId, other: BotId): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}
