// The events of a run: two on public, one on another ladder.

import { MINUTE } from "#base/units/time.ts";
import type { Condition, EventDefinition } from "#core/events/event.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { HOUSE_BOTS, HOUSE_KINDS } from "#core/words/house.ts";
import type { LadderId } from "#core/words/ids.ts";
import type { SeededDice } from "#testing/simulation/dice.ts";

import type { PlannedLadder } from "./ladder-plan.ts";

export type PlannedEvent = {
  /** As it is made, but for its window. */
  event: Omit<EventDefinition, "opensAt" | "closesAt">;
  /** µs since time began. */
  madeAt: number;
  /** µs from when it is made. It ends with its ladder at the latest. */
  closesAfter: number;
  /** While it is disabled, in µs since time began; null for never. */
  off: { from: number; until: number } | null;
};

/** Modest ones: a run is short. */
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

/** None where there is no ladder but public. */
export function drawEvents(
  dice: SeededDice,
  end: number,
  plans: readonly PlannedLadder[],
): PlannedEvent[] {
  const other = plans.at(-1);
  if (other === undefined) return [];
  return [
    drawEvent(dice.branch("spring"), end, "spring", { ladderId: DEFAULT_LADDER, madeAt: 0 }),
    drawEvent(dice.branch("summer"), end, "summer", {
      ladderId: other.ladder.id,
      madeAt: other.madeAt + MINUTE,
    }),
    drawEvent(dice.branch("autumn"), end, "autumn", {
      ladderId: DEFAULT_LADDER,
      madeAt: Math.floor(dice.between(0.4, 0.6) * end),
    }),
  ];
}

type Place = { ladderId: LadderId; madeAt: number };

function drawEvent(
  dice: SeededDice,
  end: number,
  id: string,
  { ladderId, madeAt }: Place,
): PlannedEvent {
  const left = end - madeAt;
  const from = Math.floor(madeAt + dice.between(0.2, 0.7) * left);
  const until = Math.floor(from + dice.between(0.02, 0.2) * left);
  return {
    event: eventOf(dice, id, ladderId),
    madeAt,
    closesAfter: Math.floor(dice.between(0.7, 1.2) * left),
    off: dice.chance(SHARE_DISABLED) ? { from, until } : null,
  };
}

function eventOf(dice: SeededDice, id: string, ladderId: LadderId): PlannedEvent["event"] {
  const first = dice.below(CONDITIONS.length - ACHIEVEMENTS + 1);
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
    achievements: CONDITIONS.slice(first, first + ACHIEVEMENTS).map((condition) => ({
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
