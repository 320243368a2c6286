import { HOUSE_POLICIES } from "#core/bot-policies/house-policies.ts";
import type { Policy, PolicyContext } from "#core/bot-policies/policy.ts";
import type { MatchId } from "#core/ids/ids.ts";
import type { SeededDice } from "#testing/simulation/dice.ts";

import { drawMatchPlan } from "./behaviour.ts";
import type { Manners, MatchPlan } from "./behaviour.ts";
import { policyOf } from "./policy.ts";
import type { BotSpec } from "./population.ts";

export type MatchSeat = {
  matchId: MatchId;
  /** The bot's fighter id from `hello`. */
  seat: string;
  /** Whether the bot lost its connection or made a mistake. If so, timeouts are its own fault. */
  isAtFault: boolean;
};

export type MatchInProgress = MatchSeat & {
  plan: MatchPlan;
  policy: Policy | null;
  /** Whether the bot has received `hello` on its current connection. */
  isAttached: boolean;
};

/**
 * What the bot does: sends frames after a delay, opens a second connection, or disconnects for a
 * while.
 */
export type BotResponse =
  | { type: "say"; frames: readonly { text: string; afterMs: number }[] }
  | { type: "double" }
  | { type: "away"; awayMs: number };

const THINK_DELAY_MS = { sampled: [5000, 13_000], engine: [100, 300] } as const;
/** Exceeds the per-tick frame limit. */
const FLOOD_FRAMES = 7;
const NO_RESPONSE: BotResponse = { type: "say", frames: [] };

const MATCH_ID_PATTERN = /"match_id":"([^"]+)"/;
const SEAT_PATTERN = /"fighter":"([^"]+)"/;

export const parseMatchId = (text: string): string => MATCH_ID_PATTERN.exec(text)?.[1] ?? "";
export const parseSeat = (hello: string): string => SEAT_PATTERN.exec(hello)?.[1] ?? "";

type Greeting = { hello: string; runsOnEngine: boolean; wasWaiting: boolean };

export function createMatchInProgress(
  spec: BotSpec,
  manners: Manners,
  dice: SeededDice,
  { hello, runsOnEngine, wasWaiting }: Greeting,
): MatchInProgress {
  const plan = drawMatchPlan(manners, dice);
  const parseFacts = () => JSON.parse(hello) as PolicyContext;
  return {
    matchId: parseMatchId(hello),
    seat: parseSeat(hello),
    plan,
    policy: runsOnEngine ? HOUSE_POLICIES[policyOf(spec)](parseFacts()) : null,
    // A bot that wasn't waiting missed the match's first `hello` and starts late.
    isAtFault: plan.type !== "play" || !wasWaiting,
    isAttached: true,
  };
}

/** The observation fields that a bot reads. Sampled matches send only these. */
type ObservationFields = { tick: number; lead?: number };

export function respondTo(
  currentMatch: MatchInProgress,
  text: string,
  manners: Manners,
  dice: SeededDice,
): BotResponse {
  const observation = JSON.parse(text) as ObservationFields;
  return (
    misbehaviour(currentMatch, observation) ?? createTurn(currentMatch, observation, manners, dice)
  );
}

function createTurn(
  currentMatch: MatchInProgress,
  observation: ObservationFields,
  { garbles }: Manners,
  dice: SeededDice,
): BotResponse {
  const { policy } = currentMatch;
  const [minMs, maxMs] = policy === null ? THINK_DELAY_MS.sampled : THINK_DELAY_MS.engine;
  const turn = policy?.turn(observation as Parameters<Policy["turn"]>[0]);
  const isGarbled = dice.chance(garbles);
  if (isGarbled) currentMatch.isAtFault = true;
  const frameText = isGarbled
    ? "{"
    : JSON.stringify({ type: "turn", tick: observation.tick, ...turn });
  return { type: "say", frames: [{ text: frameText, afterMs: dice.between(minMs, maxMs) }] };
}

function misbehaviour(
  currentMatch: MatchInProgress,
  { tick, lead = 0 }: ObservationFields,
): BotResponse | null {
  const { plan } = currentMatch;
  if (plan.type === "play" || plan.type === "skip_ready" || tick < plan.tick) return null;
  if (plan.type === "stall") return NO_RESPONSE;
  if (plan.type === "quit") return lead < 0 ? { type: "away", awayMs: plan.awayMs } : null;
  currentMatch.plan = { type: "play" };
  switch (plan.type) {
    case "flood":
      return { type: "say", frames: createFloodFrames(tick) };
    case "double":
      return { type: "double" };
    case "drop":
      return { type: "away", awayMs: plan.awayMs };
  }
}

function createFloodFrames(tick: number): { text: string; afterMs: number }[] {
  const text = JSON.stringify({ type: "turn", tick });
  return Array.from({ length: FLOOD_FRAMES }, (_, afterMs) => ({ text, afterMs }));
}

type EndMessage = {
  match_id: string;
  mode: string;
  winner: string | null;
  reason: string;
  unrated_reason: string | null;
};

const FAULT_REASONS: ReadonlySet<string> = new Set(["forfeit", "disqualification", "server_fault"]);

/** End reasons of matches that ran past the ladder's closing time. Neither bot is to blame. */
const NO_FAULT_REASONS: ReadonlySet<string | null> = new Set([
  "window_closed",
  "ladder_disabled",
  "enrollment_changed",
  "account_changed",
]);

/** Returns the end reason if the bot didn't win even though it made no mistakes; otherwise null. */
export function undeservedEndReason(matchSeat: MatchSeat | null, text: string): string | null {
  const end = JSON.parse(text) as EndMessage;
  const { match_id: matchId, mode, winner, reason } = end;
  // A practice match is void if the house bot's workers die. Neither bot is to blame.
  if (mode === "practice" && reason === "server_fault") return null;
  if (reason === "forfeit" && NO_FAULT_REASONS.has(end.unrated_reason)) return null;
  if (matchSeat?.matchId !== matchId || matchSeat.isAtFault) return null;
  return FAULT_REASONS.has(reason) && winner !== matchSeat.seat ? reason : null;
}
