import { MINUTE_US } from "#base/util/time.ts";
import type { Condition, EventDefinition } from "#core/events/event.ts";
import { HOUSE_BOTS, HOUSE_KINDS } from "#core/ids/house-bots.ts";
import type { LadderId } from "#core/ids/ids.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { SeededDice } from "#testing/simulation/dice.ts";

import type { PlannedLadder } from "./ladder-plan.ts";

export type PlannedEvent = {
  event: Omit<EventDefinition, "opensAt" | "closesAt">;
  /** µs since the start of the run. */
  createdAt: number;
  /** µs since creation. The event closes no later than its ladder. */
  closesAfter: number;
  /** µs since the start of the run; null if the event is never disabled. */
  disabledPeriod: { from: number; until: number } | null;
};

/** Conditions that are easy to meet, because a run is short. */
const CONDITIONS: readonly Condition[] = [
  { kind: "games", count: 5 },
  { kind: "wins", count: 3, maps: 2 },
  { kind: "defeat", opponent: "kiter", wins: 1 },
  { kind: "streak", wins: 3 },
  { kind: "score", least: 900 },
  { kind: "clean", games: 1 },
];
const ACHIEVEMENTS = 5;
const APPROVED = Object.fromEntries(HOUSE_BOTS.map(({ short }) => [short, "v1"]));
const SHARE_DISABLED = 0.4;

/**
 * Returns two events on the public ladder and one on another ladder, or an empty list if there is
 * only the public ladder.
 */
export function drawEvents(
  dice: SeededDice,
  end: number,
  plans: readonly PlannedLadder[],
): PlannedEvent[] {
  const lastPlan = plans.at(-1);
  if (lastPlan === undefined) return [];
  return [
    drawEvent(dice.branch("spring"), end, "spring", { ladderId: DEFAULT_LADDER, createdAt: 0 }),
    drawEvent(dice.branch("summer"), end, "summer", {
      ladderId: lastPlan.ladder.id,
      createdAt: lastPlan.createdAt + MINUTE_US,
    }),
    drawEvent(dice.branch("autumn"), end, "autumn", {
      ladderId: DEFAULT_LADDER,
      createdAt: Math.floor(dice.between(0.4, 0.6) * end),
    }),
  ];
}

type EventPlacement = { ladderId: LadderId; createdAt: number };

function drawEvent(
  dice: SeededDice,
  end: number,
  id: string,
  { ladderId, createdAt }: EventPlacement,
): PlannedEvent {
  const remainingTime = end - createdAt;
  const from = Math.floor(createdAt + dice.between(0.2, 0.7) * remainingTime);
  const until = Math.floor(from + dice.between(0.02, 0.2) * remainingTime);
  return {
    event: drawEventDefinition(dice, id, ladderId),
    createdAt,
    closesAfter: Math.floor(dice.between(0.7, 1.2) * remainingTime),
    disabledPeriod: dice.chance(SHARE_DISABLED) ? { from, until } : null,
  };
}

function drawEventDefinition(
  dice: SeededDice,
  id: string,
  ladderId: LadderId,
): PlannedEvent["event"] {
  const firstIndex = dice.below(CONDITIONS.length - ACHIEVEMENTS + 1);
  return {
    id,
    ladderId,
    name: id,
    description: "",
    timezone: "UTC",
    metadata: null,
    image: null,
    submissionUrl: null,
    submissionInstructions: "",
    flagMode: "testing",
    revision: 0,
    enabled: true,
    achievements: CONDITIONS.slice(firstIndex, firstIndex + ACHIEVEMENTS).map((condition) => ({
      id: condition.kind,
      name: condition.kind,
      description: "",
      condition: drawOpponent(dice, condition),
    })),
    approved: APPROVED,
  };
}

const drawOpponent = (dice: SeededDice, condition: Condition): Condition =>
  condition.kind === "defeat" ? { ...condition, opponent: dice.pick(HOUSE_KINDS) } : condition;
