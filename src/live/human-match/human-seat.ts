// A human player's seat. The player's page connects over a socket without credentials.

import type { Deadlines } from "#core/engine/types.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { ErrorCode } from "#core/protocol/errors.ts";
import { BINARY_FRAME_ERROR, parseClientMessage } from "#core/protocol/parse-message.ts";
import type { ClientMessage } from "#core/protocol/parse-message.ts";
import { printError } from "#core/protocol/print-messages.ts";
import type { ArenaState } from "#live/arena/arena-state.ts";
import type { Connection, Listener } from "#live/arena/connection.ts";
import {
  allowsFrame,
  newMessageRateLimit,
  applyMatchLimit,
  resetTickFrames,
} from "#live/arena/message-rate-limit.ts";
import type { MessageRateLimit } from "#live/arena/message-rate-limit.ts";
import { closeWithError } from "#live/arena/session.ts";
import type { StallMonitor } from "#live/health/stall-monitor.ts";
import type { MatchRunner, SeatPort } from "#live/match/match-runner.ts";

import type { HumanMatchCallbacks } from "./house-opponent.ts";

/** The human player. The house bot has seat 1. */
const SEAT = 0;

type HumanPlayer = Pick<HumanMatchCallbacks, "onLeave"> & { human: Connection };

export class HumanSeat implements SeatPort, Listener {
  readonly #arena: ArenaState;
  readonly #stalls: StallMonitor;
  readonly #connection: Connection;
  readonly #messageRateLimit: MessageRateLimit;
  readonly #deadlines: Deadlines;
  readonly #onLeave: () => void;
  #runner: MatchRunner | null = null;
  #hasLeft = false;
  #hasSentFrame = false;
  #silentTicks = 0;

  constructor(arena: ArenaState, stalls: StallMonitor, player: HumanPlayer, deadlines: Deadlines) {
    this.#arena = arena;
    this.#stalls = stalls;
    this.#connection = player.human;
    this.#onLeave = player.onLeave;
    this.#deadlines = deadlines;
    this.#messageRateLimit = newMessageRateLimit(arena.deps.settings.current());
    applyMatchLimit(this.#messageRateLimit, deadlines);
  }

  attachRunner(runner: MatchRunner): void {
    this.#runner = runner;
  }

  send(text: string): void {
    this.#connection.send(text);
    this.#watchBuffer();
  }

  sendError(code: ErrorCode, detail?: string): void {
    this.send(printError(code, detail));
  }

  sendObservation(text: string, onWritten: () => void): void {
    resetTickFrames(this.#messageRateLimit);
    this.#connection.sendObservation(text, onWritten);
    this.#watchBuffer();
    this.#watchSilence();
  }

  /** Players see their errors in the next observation. */
  onTurnFailed(): void {}

  onFrame(text: string | null): void {
    const at = this.#now();
    if (this.#hasLeft) return;
    this.#hasSentFrame = true;
    if (allowsFrame(this.#messageRateLimit, at)) {
      const message = text === null ? BINARY_FRAME_ERROR : parseClientMessage(text);
      this.#runner?.handleEvent({
        type: "message",
        seat: SEAT,
        at,
        message: withoutShout(message),
      });
      return;
    }
    closeWithError(this.#connection, "rate_limited", this.#rateLimitText());
    this.#handleLeave();
  }

  onPong(): void {}

  onClose(): void {
    this.#now();
    this.#handleLeave();
  }

  /** Detects a pending stall before reading the clock. */
  #now(): number {
    const at = this.#arena.deps.clock.now();
    this.#stalls.check(at);
    return at;
  }

  #watchBuffer(): void {
    if (this.#connection.bufferedBytes <= FIXED_LIMITS.send_buffer_bytes) return;
    this.#connection.terminate();
    this.#handleLeave();
  }

  /** Otherwise an abandoned page would hold its slot, or delay a shutdown, for a whole match. */
  #watchSilence(): void {
    this.#silentTicks = this.#hasSentFrame ? 0 : this.#silentTicks + 1;
    this.#hasSentFrame = false;
    if (this.#silentTicks >= this.#deadlines.failed_ticks_to_disqualify)
      this.#runner?.handleEvent({ type: "removed", seat: SEAT });
  }

  #rateLimitText(): string {
    const { messages_per_tick } = this.#deadlines;
    return `Too many messages. Pages may send ${messages_per_tick} per tick. You lose this match.`;
  }

  /** A player has no token to reconnect with, so leaving forfeits the match. */
  #handleLeave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.#onLeave();
    this.#runner?.handleEvent({ type: "removed", seat: SEAT });
  }
}

/** Anonymous shouts can't be moderated, so they are removed. */
function withoutShout(message: ClientMessage): ClientMessage {
  if (message.type === "turn") delete message.turn.shout;
  return message;
}
