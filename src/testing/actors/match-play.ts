// What a simulated bot does within one match: its turns, and the misbehaviour it plans.

import type { Policy, Facts } from "#core/policies/choice.ts";
import { HOUSE_MAKERS } from "#core/policies/house.ts";
import type { MatchId } from "#core/words/ids.ts";
import type { SeededDice } from "#testing/simulation/dice.ts";

import { drawPlan } from "./behaviour.ts";
import type { Manners, Plan } from "./behaviour.ts";
import { policyOf } from "./policy.ts";
import type { BotSpec } from "./population.ts";

export type Sitting = {
  matchId: MatchId;
  /** The fighter's id, as hello has it. */
  seat: string;
  /** Its connection broke, or it failed to do what it should, so time-outs are its own fault. */
  isToBlame: boolean;
};

export type Playing = Sitting & {
  plan: Plan;
  /** Answers in a match on the engine. */
  fighter: Policy | null;
  /** Whether the server has greeted it on its current connection. */
  isAttached: boolean;
};

/** Frames to send, each after a delay; a second connection; or silence for a while. */
export type Move =
  | { type: "say"; frames: readonly { text: string; afterMs: number }[] }
  | { type: "double" }
  | { type: "away"; awayMs: number };

const THINK_MS = { drawn: [5000, 13_000], fought: [100, 300] } as const;
/** More frames than allowed in a tick. */
const FLOOD_FRAMES = 7;
const SILENCE: Move = { type: "say", frames: [] };

const MATCH_ID = /"match_id":"([^"]+)"/;
const SEAT = /"fighter":"([^"]+)"/;

export const matchIdOf = (text: string): string => MATCH_ID.exec(text)?.[1] ?? "";
export const seatOf = (hello: string): string => SEAT.exec(hello)?.[1] ?? "";

type Greeting = { hello: string; isFought: boolean; wasWaiting: boolean };

/** A match in which a bot is greeted for the first time. */
export function newPlaying(
  spec: BotSpec,
  manners: Manners,
  dice: SeededDice,
  { hello, isFought, wasWaiting }: Greeting,
): Playing {
  const plan = drawPlan(manners, dice);
  const facts = () => JSON.parse(hello) as Facts;
  return {
    matchId: matchIdOf(hello),
    seat: seatOf(hello),
    plan,
    fighter: isFought ? HOUSE_MAKERS[policyOf(spec)](facts()) : null,
    // A bot that was not waiting is late to a match whose first greeting got lost.
    isToBlame: plan.type !== "play" || !wasWaiting,
    isAttached: true,
  };
}

/** What a bot reads of an observation; an observation of a drawn fight has no more. */
type Seen = { tick: number; lead?: number };

/** The bot's response to an observation. */
export function moveOf(playing: Playing, text: string, manners: Manners, dice: SeededDice): Move {
  const seen = JSON.parse(text) as Seen;
  return misbehaviour(playing, seen) ?? turnOf(playing, seen, manners, dice);
}

function turnOf(playing: Playing, seen: Seen, { garbles }: Manners, dice: SeededDice): Move {
  const { fighter } = playing;
  const [least, most] = fighter === null ? THINK_MS.drawn : THINK_MS.fought;
  const turn = fighter?.turn(seen as Parameters<Policy["turn"]>[0]);
  const isGarbled = dice.chance(garbles);
  if (isGarbled) playing.isToBlame = true;
  const said = isGarbled ? "{" : JSON.stringify({ type: "turn", tick: seen.tick, ...turn });
  return { type: "say", frames: [{ text: said, afterMs: dice.between(least, most) }] };
}

/** What the plan says for this tick; null for an ordinary turn. */
function misbehaviour(playing: Playing, { tick, lead = 0 }: Seen): Move | null {
  const { plan } = playing;
  if (plan.type === "play" || plan.type === "skip_ready" || tick < plan.tick) return null;
  if (plan.type === "stall") return SILENCE;
  if (plan.type === "quit") return lead < 0 ? { type: "away", awayMs: plan.awayMs } : null;
  playing.plan = { type: "play" };
  switch (plan.type) {
    case "flood":
      return { type: "say", frames: flood(tick) };
    case "double":
      return { type: "double" };
    case "drop":
      return { type: "away", awayMs: plan.awayMs };
  }
}

function flood(tick: number): { text: string; afterMs: number }[] {
  const text = JSON.stringify({ type: "turn", tick });
  return Array.from({ length: FLOOD_FRAMES }, (_, afterMs) => ({ text, afterMs }));
}

type End = {
  match_id: string;
  mode: string;
  winner: string | null;
  reason: string;
  unrated_reason: string | null;
};

/** End reasons that are somebody's fault. */
const FAULTS: ReadonlySet<string> = new Set(["forfeit", "disqualification", "server_fault"]);

/** Matches that run on after their ladder closed are cut short and charged to no bot. */
const UNCHARGED: ReadonlySet<string | null> = new Set([
  "window_closed",
  "ladder_disabled",
  "enrollment_changed",
  "account_changed",
]);

/** The reason of an end that a faultless bot did not win, or null for any other end. */
export function wrongBy(sitting: Sitting | null, text: string): string | null {
  const end = JSON.parse(text) as End;
  const { match_id: matchId, mode, winner, reason } = end;
  // A practice game is void when the crew of its house bot dies, which costs nobody anything.
  if (mode === "practice" && reason === "server_fault") return null;
  if (reason === "forfeit" && UNCHARGED.has(end.unrated_reason)) return null;
  if (sitting?.matchId !== matchId || sitting.isToBlame) return null;
  return FAULTS.has(reason) && winner !== sitting.seat ? reason : null;
}
