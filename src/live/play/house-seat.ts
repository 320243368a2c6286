// The seat of a house bot that is lent for one fight.

import type { IdleReason } from "#core/engine/types.ts";
import type { ErrorCode } from "#core/protocol/errors.ts";
import { BINARY_FRAME, parseMessage } from "#core/protocol/parse.ts";
import { printError } from "#core/protocol/print.ts";
import type { ArenaState } from "#live/arena/arena-state.ts";
import type { Listener } from "#live/arena/connection.ts";
import type { RunningMatch, SeatPort } from "#live/match/run-match.ts";

import type { Rival } from "./rival.ts";

const SEAT = 1;

export class HouseSeat implements SeatPort, Listener {
  readonly #arena: ArenaState;
  readonly #rival: Rival;
  #running: RunningMatch | null = null;

  constructor(arena: ArenaState, rival: Rival) {
    this.#arena = arena;
    this.#rival = rival;
  }

  enter(running: RunningMatch): void {
    this.#running = running;
  }

  send(text: string): void {
    this.#rival.session.connection.send(text);
  }

  refuse(code: ErrorCode, detail?: string): void {
    this.send(printError(code, detail));
  }

  observe(text: string, written: () => void): void {
    this.#rival.session.connection.show(text, written);
  }

  failed(reason: IdleReason): void {
    const { deps } = this.#arena;
    deps.health.house("failed_turns");
    deps.log.warn({ bot: this.#rival.bot.name, reason }, "a turn of a house bot failed");
  }

  frame(text: string | null): void {
    const message = text === null ? BINARY_FRAME : parseMessage(text);
    const at = this.#arena.deps.clock.now();
    this.#running?.take({ type: "message", seat: SEAT, at, message });
  }

  pong(): void {}

  /** Its thread has died: the fault is the server's. Does nothing once the fight is over. */
  closed(): void {
    this.#running?.annul();
  }
}
