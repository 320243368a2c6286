// A person's seat, played by a page over a socket that nothing but the fight is known of.

import type { Deadlines } from "#core/engine/types.ts";
import type { ErrorCode } from "#core/protocol/errors.ts";
import { BINARY_FRAME, parseMessage } from "#core/protocol/parse.ts";
import type { ClientMessage } from "#core/protocol/parse.ts";
import { printError } from "#core/protocol/print.ts";
import { FIXED } from "#core/words/limits.ts";
import type { ArenaState } from "#live/arena/arena-state.ts";
import type { Connection, Listener } from "#live/arena/connection.ts";
import { admits, calm, enterMatch, noteObservation } from "#live/arena/flood.ts";
import type { Flood } from "#live/arena/flood.ts";
import { refuse } from "#live/arena/session.ts";
import type { StallWatch } from "#live/health/stall.ts";
import type { RunningMatch, SeatPort } from "#live/match/run-match.ts";

import type { BoutEnds } from "./rival.ts";

/** The person's seat; the house bot has the other one. */
const SEAT = 0;

type Guest = Pick<BoutEnds, "left"> & { person: Connection };

export class PersonSeat implements SeatPort, Listener {
  readonly #arena: ArenaState;
  readonly #stalls: StallWatch;
  readonly #connection: Connection;
  readonly #flood: Flood;
  readonly #deadlines: Deadlines;
  readonly #left: () => void;
  #running: RunningMatch | null = null;
  #isGone = false;
  /** Whether anything came since the last observation. */
  #hasSpoken = false;
  #silentTicks = 0;

  constructor(arena: ArenaState, stalls: StallWatch, guest: Guest, deadlines: Deadlines) {
    this.#arena = arena;
    this.#stalls = stalls;
    this.#connection = guest.person;
    this.#left = guest.left;
    this.#deadlines = deadlines;
    this.#flood = calm(arena.deps.settings.current());
    enterMatch(this.#flood, deadlines);
  }

  enter(running: RunningMatch): void {
    this.#running = running;
  }

  send(text: string): void {
    this.#connection.send(text);
    this.#watchBuffer();
  }

  refuse(code: ErrorCode, detail?: string): void {
    this.send(printError(code, detail));
  }

  observe(text: string, written: () => void): void {
    noteObservation(this.#flood);
    this.#connection.show(text, written);
    this.#watchBuffer();
    this.#watchSilence();
  }

  /** A person's mistakes are told in the next observation. */
  failed(): void {}

  frame(text: string | null): void {
    const at = this.#now();
    if (this.#isGone) return;
    this.#hasSpoken = true;
    if (admits(this.#flood, at)) {
      const message = text === null ? BINARY_FRAME : parseMessage(text);
      this.#running?.take({ type: "message", seat: SEAT, at, message: silent(message) });
      return;
    }
    refuse(this.#connection, "rate_limited", this.#floodText());
    this.#leave();
  }

  pong(): void {}

  closed(): void {
    this.#now();
    this.#leave();
  }

  /** Compensates first for a stall that is only noticed now. */
  #now(): number {
    const at = this.#arena.deps.clock.now();
    this.#stalls.check(at);
    return at;
  }

  /** Cuts off a page that does not read. */
  #watchBuffer(): void {
    if (this.#connection.buffered <= FIXED.send_buffer_bytes) return;
    this.#connection.terminate();
    this.#leave();
  }

  /** A page that nobody sits at must not hold its place, or a stop, for a whole fight. */
  #watchSilence(): void {
    this.#silentTicks = this.#hasSpoken ? 0 : this.#silentTicks + 1;
    this.#hasSpoken = false;
    if (this.#silentTicks >= this.#deadlines.failed_ticks_to_disqualify)
      this.#running?.take({ type: "removed", seat: SEAT });
  }

  #floodText(): string {
    const { messages_per_tick } = this.#deadlines;
    return `Too much at once: a page may send ${messages_per_tick} messages a tick. This fight is lost.`;
  }

  /** Without a token nobody can come back, so a person who goes gives the fight up. */
  #leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#left();
    this.#running?.take({ type: "removed", seat: SEAT });
  }
}

/** People have no shout: what anybody may write without a name, nobody can answer for. */
function silent(message: ClientMessage): ClientMessage {
  if (message.type === "turn") delete message.turn.shout;
  return message;
}
