// The thin shell around a match: it owns the timer and the ports to both fighters, and nothing
// else.

import { sure } from "#base/units/sure.ts";
import type { IdleReason } from "#core/engine/types.ts";
import type { TurnKind } from "#core/operator/totals.ts";
import type { ErrorCode } from "#core/protocol/errors.ts";
import type { ArenaDeps } from "#live/arena/deps.ts";

import { advance, nextDue, voidMatch } from "./match.ts";
import type { MatchState, MatchEffect, MatchEvent } from "./match.ts";
import type { Verdict } from "./verdict.ts";

/** How a match reaches the bot of one seat, whatever its current connection. */
export type SeatPort = {
  send(text: string): void;
  /** Says why something that the bot sent has no effect. */
  refuse(code: ErrorCode, detail?: string): void;
  /**
   * Sends an observation, which restarts the count of the bot's messages. `written` is called when
   * it is on its way.
   */
  observe(text: string, written: () => void): void;
  /** Its turn in the last tick played failed. */
  failed(reason: IdleReason): void;
};

type RunDeps = Pick<ArenaDeps, "clock" | "log" | "health">;

/** A match with its ports to both bots. `whenOver` is called once, after the last effect. */
export class RunningMatch {
  readonly match: MatchState;
  readonly #deps: RunDeps;
  readonly #ports: readonly SeatPort[];
  /** One per seat, so that a tick allocates none. */
  readonly #written: readonly (() => void)[];
  readonly #whenOver: (verdict: Verdict) => void;
  #armedFor = Infinity;
  #disarm = () => {};
  #isDone = false;

  constructor(
    deps: RunDeps,
    match: MatchState,
    ports: readonly SeatPort[],
    whenOver: (verdict: Verdict) => void,
  ) {
    this.#deps = deps;
    this.match = match;
    this.#ports = ports;
    this.#written = ports.map((_, seat) => () => this.#noteWritten(seat));
    this.#whenOver = whenOver;
  }

  /** Starts the match: both bots are greeted, and time starts. */
  open(): void {
    this.take({ type: "opened", at: this.#deps.clock.now() });
  }

  /** Feeds an event from outside into the match. */
  take(event: MatchEvent): void {
    try {
      this.#advance(event);
    } catch (error) {
      const { matchId } = this.match.setup;
      this.#deps.log.error({ matchId, error }, "a match failed and is void");
      this.annul();
    }
    this.#arm();
  }

  /** Ends the match at once, as void. */
  annul(): void {
    if (this.#isDone) return;
    this.#over(voidMatch(this.match));
  }

  /** Drops the match as it is: it will not end, and nobody is told. */
  abandon(): void {
    this.#isDone = true;
    this.#disarm();
  }

  #advance(event: MatchEvent): void {
    const { match } = this;
    const { clock, health } = this.#deps;
    const { tick } = match;
    const effects = advance(match, event);
    // Most events end no tick and are not worth reading the clock.
    const decided = match.tick === tick ? null : clock.now();
    for (const effect of effects) this.#perform(effect);
    if (decided === null) return;
    health.time("simulation", "at" in event ? decided - event.at : 0);
    health.time("observation", clock.now() - decided);
    this.#noteTurns();
  }

  /**
   * Counts the turns of the last tick played, and how long they took. How people and bots under
   * trial do says nothing about the ladder.
   */
  #noteTurns(): void {
    const { health } = this.#deps;
    const { seats, setup } = this.match;
    const isRanked = setup.mode === "ranked";
    for (const [seat, { replied, failed }] of seats.entries()) {
      if (isRanked && replied !== null) health.reply(replied, setup.deadlines.tick_ms);
      if (isRanked) health.turn(failed === null ? "valid" : KINDS[failed.reason]);
      if (failed !== null) this.#portAt(seat).failed(failed.reason);
    }
  }

  #portAt(seat: number): SeatPort {
    return sure(this.#ports[seat], "seat");
  }

  #perform(effect: MatchEffect): void {
    switch (effect.type) {
      case "send":
        this.#portAt(effect.seat).send(effect.text);
        break;
      case "observe":
        this.#portAt(effect.seat).observe(effect.text, sure(this.#written[effect.seat], "seat"));
        break;
      case "refuse":
        this.#portAt(effect.seat).refuse(effect.code, effect.detail);
        break;
      case "over":
        this.#over(effect.verdict);
        break;
    }
  }

  #noteWritten(seat: number): void {
    advance(this.match, { type: "written", seat, at: this.#deps.clock.now() });
  }

  // A timer armed for an earlier moment stays: it finds nothing due and rearms itself.
  #arm(): void {
    const due = nextDue(this.match);
    if (this.#isDone || due >= this.#armedFor) return;
    const { clock } = this.#deps;
    this.#disarm();
    this.#armedFor = due;
    this.#disarm = clock.after(Math.max(0, (due - clock.now()) / 1000), () => this.#ring());
  }

  #ring(): void {
    const { tick } = this.match;
    const at = this.#deps.clock.now();
    const lateness = at - this.#armedFor;
    this.#armedFor = Infinity;
    this.take({ type: "due", at });
    if (this.match.tick > tick) this.#deps.health.time("timeout_lateness", lateness);
    this.#arm();
  }

  #over(verdict: Verdict): void {
    if (this.#isDone) return;
    this.abandon();
    this.#whenOver(verdict);
  }
}

const KINDS: Record<IdleReason, TurnKind> = {
  timeout: "timeouts",
  disconnected: "disconnected",
  malformed_json: "invalid",
  schema: "invalid",
};
