import { assertDefined } from "#base/util/assert-defined.ts";
import type { TurnKind } from "#core/api/process-totals.ts";
import type { IdleReason } from "#core/engine/types.ts";
import type { ErrorCode } from "#core/protocol/errors.ts";
import type { ArenaDeps } from "#live/arena/arena-deps.ts";

import { advance, nextDueAt, voidMatch } from "./match.ts";
import type { MatchState, MatchEffect, MatchEvent } from "./match.ts";
import type { Verdict } from "./verdict.ts";

/** A seat's bot, independent of its current connection. */
export type SeatPort = {
  send(text: string): void;
  sendError(code: ErrorCode, detail?: string): void;
  /**
   * Sends an observation and resets the bot's message count. Calls `onWritten` when the text has
   * been handed to the transport.
   */
  sendObservation(text: string, onWritten: () => void): void;
  onTurnFailed(reason: IdleReason): void;
};

type RunDeps = Pick<ArenaDeps, "clock" | "log" | "health">;

/** Runs a match until it ends. Calls `onOver` once, after all other effects. */
export class MatchRunner {
  readonly state: MatchState;
  /** Called after each tick while the match is watched. */
  onTick: (() => void) | null = null;
  readonly #deps: RunDeps;
  readonly #ports: readonly SeatPort[];
  /** Created once per seat, so that ticks don't allocate closures. */
  readonly #onWritten: readonly (() => void)[];
  readonly #onOver: (verdict: Verdict) => void;
  #armedFor = Infinity;
  #disarm = () => {};
  #isDone = false;

  constructor(
    deps: RunDeps,
    state: MatchState,
    ports: readonly SeatPort[],
    onOver: (verdict: Verdict) => void,
  ) {
    this.#deps = deps;
    this.state = state;
    this.#ports = ports;
    this.#onWritten = ports.map((_, seat) => () => this.#recordWrite(seat));
    this.#onOver = onOver;
  }

  /** Sends hello to both bots and starts the start-up window. */
  start(): void {
    this.handleEvent({ type: "opened", at: this.#deps.clock.now() });
  }

  /** Passes an external event to the match. A match that throws is voided. */
  handleEvent(event: MatchEvent): void {
    try {
      this.#advance(event);
    } catch (error) {
      const { matchId } = this.state.setup;
      this.#deps.log.error({ matchId, error }, "match failed and is void");
      this.endAsVoid();
    }
    this.#arm();
  }

  endAsVoid(): void {
    if (this.#isDone) return;
    this.#end(voidMatch(this.state));
  }

  /** Stops the match without ending it or sending any message. */
  abandon(): void {
    this.#isDone = true;
    this.#disarm();
  }

  #advance(event: MatchEvent): void {
    const { state } = this;
    const { clock, health } = this.#deps;
    const { tick } = state;
    const effects = advance(state, event);
    // Reads the clock only for events that close a tick, which are a small minority.
    const decidedAt = state.tick === tick ? null : clock.now();
    for (const effect of effects) this.#perform(effect);
    if (decidedAt === null) return;
    health.recordDuration("simulation", "at" in event ? decidedAt - event.at : 0);
    health.recordDuration("observation", clock.now() - decidedAt);
    this.#recordTurns();
    this.onTick?.();
  }

  /**
   * Records turns and reply times of the last tick. Human and practice matches are excluded from
   * ladder metrics.
   */
  #recordTurns(): void {
    const { health } = this.#deps;
    const { seats, setup } = this.state;
    const isRanked = setup.mode === "ranked";
    for (const [seat, { lastReply, lastFailure }] of seats.entries()) {
      if (isRanked && lastReply !== null) health.recordReply(lastReply, setup.deadlines.tick_ms);
      if (isRanked)
        health.countTurn(lastFailure === null ? "valid" : TURN_KINDS[lastFailure.reason]);
      if (lastFailure !== null) this.#portAt(seat).onTurnFailed(lastFailure.reason);
    }
  }

  #portAt(seat: number): SeatPort {
    return assertDefined(this.#ports[seat], "seat");
  }

  #perform(effect: MatchEffect): void {
    switch (effect.type) {
      case "send":
        this.#portAt(effect.seat).send(effect.text);
        break;
      case "observe":
        this.#portAt(effect.seat).sendObservation(
          effect.text,
          assertDefined(this.#onWritten[effect.seat], "seat"),
        );
        break;
      case "refuse":
        this.#portAt(effect.seat).sendError(effect.code, effect.detail);
        break;
      case "over":
        this.#end(effect.verdict);
        break;
    }
  }

  #recordWrite(seat: number): void {
    advance(this.state, { type: "written", seat, at: this.#deps.clock.now() });
  }

  // A timer that is already set for an earlier time is left running. It finds nothing due and
  // rearms itself.
  #arm(): void {
    const due = nextDueAt(this.state);
    if (this.#isDone || due >= this.#armedFor) return;
    const { clock } = this.#deps;
    this.#disarm();
    this.#armedFor = due;
    this.#disarm = clock.after(Math.max(0, (due - clock.now()) / 1000), () => this.#onTimer());
  }

  #onTimer(): void {
    const { tick } = this.state;
    const at = this.#deps.clock.now();
    const lateness = at - this.#armedFor;
    this.#armedFor = Infinity;
    this.handleEvent({ type: "due", at });
    if (this.state.tick > tick) this.#deps.health.recordDuration("timeout_lateness", lateness);
    this.#arm();
  }

  #end(verdict: Verdict): void {
    if (this.#isDone) return;
    this.abandon();
    this.#onOver(verdict);
  }
}

const TURN_KINDS: Record<IdleReason, TurnKind> = {
  timeout: "timeouts",
  disconnected: "disconnected",
  malformed_json: "invalid",
  schema: "invalid",
};
