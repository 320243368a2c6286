import type { IdleReason } from "#core/engine/types.ts";
import type { ErrorCode } from "#core/protocol/errors.ts";
import { BINARY_FRAME_ERROR, parseClientMessage } from "#core/protocol/parse-message.ts";
import { printError } from "#core/protocol/print-messages.ts";
import type { ArenaState } from "#live/arena/arena-state.ts";
import type { Listener } from "#live/arena/connection.ts";
import type { MatchRunner, SeatPort } from "#live/match/match-runner.ts";

import type { HouseOpponent } from "./house-opponent.ts";

const SEAT = 1;

export class HouseSeat implements SeatPort, Listener {
  readonly #arena: ArenaState;
  readonly #opponent: HouseOpponent;
  #runner: MatchRunner | null = null;

  constructor(arena: ArenaState, opponent: HouseOpponent) {
    this.#arena = arena;
    this.#opponent = opponent;
  }

  attachRunner(runner: MatchRunner): void {
    this.#runner = runner;
  }

  send(text: string): void {
    this.#opponent.session.connection.send(text);
  }

  sendError(code: ErrorCode, detail?: string): void {
    this.send(printError(code, detail));
  }

  sendObservation(text: string, onWritten: () => void): void {
    this.#opponent.session.connection.sendObservation(text, onWritten);
  }

  onTurnFailed(reason: IdleReason): void {
    const { deps } = this.#arena;
    deps.health.countHouseFault("failed_turns");
    deps.log.warn({ bot: this.#opponent.bot.name, reason }, "house bot failed a turn");
  }

  onFrame(text: string | null): void {
    const message = text === null ? BINARY_FRAME_ERROR : parseClientMessage(text);
    const at = this.#arena.deps.clock.now();
    this.#runner?.handleEvent({ type: "message", seat: SEAT, at, message });
  }

  onPong(): void {}

  /** Voids the match if it is still running: the bot's thread died, which is a server fault. */
  onClose(): void {
    this.#runner?.endAsVoid();
  }
}
