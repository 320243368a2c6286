// All that the arena knows between two events, in one place with its defaults.

import type { Board } from "./board.ts";
import type { ArenaDeps } from "./deps.ts";
import type { Game } from "./game.ts";
import type { Starts } from "./quota.ts";
import type { Trouble } from "./save-match.ts";
import type { Session } from "./session.ts";

export type Hall = {
  readonly deps: ArenaDeps;
  /** By bot id: bots with a connection or a match. */
  readonly sessions: Map<string, Session>;
  /** By match id, until the result is stored and told. */
  readonly games: Map<string, Game>;
  readonly boards: ReadonlyMap<string, Board>;
  readonly starts: Starts;
  /** µs of each bot's last match start. */
  readonly lastStart: Map<string, number>;
  /** µs at which two bots' last match ended, by pair; forgotten after the hold. */
  readonly met: Map<string, number>;
  /** The bot each bot met in its last match. */
  readonly lastOpponent: Map<string, string>;
  /** UTC ms of the last notice of a quota, by bot and reason. */
  readonly notices: Map<string, number>;
  readonly trouble: Trouble;
  /** Seconds that the latest matches' bots had waited, newest last. */
  readonly waits: number[];
  /** µs of the next wave. */
  nextWave: number;
  /** Non-null once the shutdown began. */
  drainDeadline: string | null;
  /** Counts changes of credentials and statuses, so that a look-up can tell it is stale. */
  changes: number;
};

export function openHall(
  deps: ArenaDeps,
  boards: ReadonlyMap<string, Board>,
  starts: Starts,
): Hall {
  return {
    deps,
    sessions: new Map(),
    games: new Map(),
    boards,
    starts,
    lastStart: new Map(),
    met: new Map(),
    lastOpponent: new Map(),
    notices: new Map(),
    trouble: { unsaved: 0 },
    waits: [],
    nextWave: deps.clock.now() + deps.limits.wave_every_s * 1e6,
    drainDeadline: null,
    changes: 0,
  };
}

/** The same key for both orders. */
export function pairKey(one: string, other: string): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}
