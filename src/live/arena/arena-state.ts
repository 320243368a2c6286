// All that the arena knows between two events, in one place with its defaults.

import { SECOND } from "#base/units/time.ts";
import type { BotId, LadderId, MatchId, SeasonId } from "#core/words/ids.ts";
import type { BotRecord } from "#data/store/bot.ts";

import type { Board } from "./board.ts";
import type { ArenaDeps, Log } from "./deps.ts";
import { noThrottles } from "./quota-notices.ts";
import type { Throttles } from "./quota-notices.ts";
import type { Starts } from "./quota.ts";
import type { Trouble } from "./save-match.ts";
import type { Game } from "./session.ts";
import type { Session } from "./session.ts";
import { sparing } from "./sparing.ts";

/** Of the public ladder. */
export type Seasons = {
  /** The newest season: matches start in no other. */
  live: SeasonId;
  /** Boards of seasons that have closed and whose standings are not written yet. */
  readonly closing: Map<SeasonId, Board>;
  /** The writing of standings, while it goes on. */
  archiving: Promise<void> | null;
};

/** Who met whom on one ladder. */
export type Meetings = {
  /** µs at which two bots' last match ended, by pair; forgotten after the hold. */
  readonly met: Map<string, number>;
  /** The bot each bot met in its last match. */
  readonly lastOpponent: Map<BotId, BotId>;
};

export type ArenaState = {
  readonly deps: ArenaDeps;
  /** By their key: of bots with a connection or a match. */
  readonly sessions: Map<string, Session>;
  /** By match id, until the result is stored and told. */
  readonly games: Map<MatchId, Game>;
  /** By ladder: the live competition's. */
  readonly boards: Map<LadderId, Board>;
  readonly seasons: Seasons;
  readonly starts: Starts;
  /** µs of the last match start, by `startKey`. */
  readonly lastStart: Map<string, number>;
  /** By ladder: each has its own holds. */
  readonly meetings: Map<LadderId, Meetings>;
  readonly throttles: Throttles;
  readonly trouble: Trouble;
  readonly warnOfHouse: Log["warn"];
  /** Seconds that the latest matches' bots had waited, newest last. */
  readonly waits: number[];
  /** Seconds that the latest matches lasted, newest last. */
  readonly lengths: number[];
  /** µs of the next wave. */
  nextWave: number;
  /** Non-null once the shutdown began. */
  drainDeadline: string | null;
  /** Once every connection was closed for the restart: who comes now is closed as well. */
  isClosed: boolean;
  /** Counts changes of credentials and statuses, so that a look-up can tell it is stale. */
  changes: number;
};

export function openArenaState(
  deps: ArenaDeps,
  boards: Map<LadderId, Board>,
  seasons: Seasons,
  { starts, lastStart }: Pick<ArenaState, "starts" | "lastStart">,
): ArenaState {
  return {
    deps,
    sessions: new Map(),
    games: new Map(),
    boards,
    seasons,
    starts,
    lastStart,
    meetings: new Map(),
    throttles: noThrottles(),
    trouble: { unsaved: 0 },
    warnOfHouse: sparing(deps),
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

/** Whose starts the match interval counts: a bot's; of a house bot those on one ladder. */
export const startKey = ({ id, house }: Pick<BotRecord, "id" | "house">, ladderId: LadderId) =>
  house ? `${id} ${ladderId}` : id;

/** The same key for both orders. */
export function pairKey(one: BotId, other: BotId): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}
