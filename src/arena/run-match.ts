// The thin shell around a match: it owns the timer and the way to both fighters, and nothing else.

import type { RecordedTurn, ReplayTick } from "#engine/types.ts";
import { printError } from "#protocol/print.ts";

import type { ArenaDeps } from "./deps.ts";
import type { TurnKind } from "./health.ts";
import { advance, nextDue, voidMatch } from "./match.ts";
import type { Match, MatchEffect, MatchEvent } from "./match.ts";

/** How a match reaches the bot of one seat, whatever connection that has now. */
export type SeatPort = {
  send(text: string): void;
  /** The text is an observation: the count of the bot's messages starts anew. */
  observe(text: string): void;
};

export type RunningMatch = {
  readonly match: Match;
  /** Feeds one event of the world into the match. */
  take(event: MatchEvent): void;
  /** Lets go of the match as it is: it will not end, and nobody is told. */
  abandon(): void;
};

/** Starts the match at once; `whenOver` is called one time, after the last effect. */
export function runMatch(
  deps: Pick<ArenaDeps, "clock" | "log" | "health">,
  match: Match,
  ports: readonly SeatPort[],
  whenOver: (match: Match) => void,
): RunningMatch {
  const { clock, log, health } = deps;
  let armedFor = Infinity;
  let disarm = () => {};
  let isDone = false;

  function take(event: MatchEvent): void {
    const { tick } = match;
    const started = clock.now();
    try {
      const effects = advance(match, event);
      const decided = clock.now();
      for (const effect of effects) perform(effect);
      if (match.tick > tick) noteTick(started, decided);
    } catch (error) {
      log.error({ matchId: match.setup.matchId, error }, "a match failed and is void");
      if (!isDone) voidMatch(match);
      over();
    }
    arm();
  }

  function perform(effect: MatchEffect): void {
    switch (effect.type) {
      case "send":
        ports[effect.seat].send(effect.text);
        break;
      case "observe":
        ports[effect.seat].observe(effect.text);
        advance(match, { type: "written", seat: effect.seat, at: clock.now() });
        break;
      case "refuse":
        ports[effect.seat].send(printError(effect.code, effect.detail));
        break;
      case "over":
        over();
        break;
    }
  }

  function noteTick(started: number, decided: number): void {
    health.time("simulation", decided - started);
    health.time("observation", clock.now() - decided);
    const { turns, reply_ms } = lastTick(match);
    for (const [seat, turn] of turns.entries()) {
      const reply = reply_ms[seat];
      if (reply !== null) health.time("reply", reply * 1000);
      health.turn(kindOf(turn));
    }
  }

  // A timer that is armed for an earlier moment stays: it finds nothing due and arms itself anew.
  function arm(): void {
    const due = nextDue(match);
    if (isDone || due >= armedFor) return;
    disarm();
    armedFor = due;
    disarm = clock.after(Math.max(0, (due - clock.now()) / 1000), ring);
  }

  function ring(): void {
    const { tick } = match;
    const lateness = clock.now() - armedFor;
    armedFor = Infinity;
    take({ type: "due", at: clock.now() });
    if (match.tick > tick) health.time("timeout_lateness", lateness);
    arm();
  }

  function over(): void {
    if (isDone) return;
    abandon();
    whenOver(match);
  }

  function abandon(): void {
    isDone = true;
    disarm();
  }

  take({ type: "opened", at: clock.now() });
  return { match, take, abandon };
}

const lastTick = ({ recording }: Match): ReplayTick => recording.ticks[recording.ticks.length - 1];

function kindOf(turn: RecordedTurn): TurnKind {
  if (turn === null || !("idle" in turn)) return "valid";
  if (turn.idle === "timeout") return "timeouts";
  return turn.idle === "disconnected" ? "disconnected" : "invalid";
}
