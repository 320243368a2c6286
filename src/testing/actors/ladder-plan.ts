// Plans the ladders of a run and the changes that operators make to them. The plan is drawn before
// the run starts.

import { MINUTE_US } from "#base/util/time.ts";
import { HOUSE_KINDS } from "#core/ids/house-bots.ts";
import type { LadderId } from "#core/ids/ids.ts";
import { DEFAULT_LADDER, PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { LadderChange } from "#data/store/ladder.ts";
import type { SeededDice } from "#testing/simulation/dice.ts";

/** In µs since creation; null for no limit. The wall clock may change in the meantime. */
type PlannedWindow = { opensAfter: number | null; closesAfter: number | null };

export type PlannedLadder = {
  ladder: LadderDefinition;
  /** µs since the start of the run; 0 if the ladder exists before the server starts. */
  createdAt: number;
  window: PlannedWindow;
  /** Changes made by operators, in chronological order. */
  changes: readonly { at: number; change: LadderChange; closesAfter?: number }[];
};

const UNBOUNDED_WINDOW: PlannedWindow = { opensAfter: null, closesAfter: null };

const LEAGUE_ID = "league";
const OTHER_LADDER_IDS: readonly LadderId[] = ["cup", "guild", "class"];
const ACCESSES = ["approval", "invite", "password", "open"] as const;
const MAPS_PER_LADDER = 3;
/**
 * Share of players that never queue on the public ladder, and share of players that alternate
 * between public and other ladders.
 */
const SHARE_ELSEWHERE = 0.15;
const SHARE_BOTH = 0.25;
const SHARE_OPENS_LATE = 0.5;
const SHARE_CLOSES = 0.8;
const SHARE_DISABLED = 0.4;
const SHARE_MOVED = 0.5;

export function drawLadderPlans(dice: SeededDice, end: number, isTight: boolean): PlannedLadder[] {
  const bounds = drawConcurrencyBounds(dice.branch("bounds"), isTight);
  const league = {
    ...PUBLIC_LADDER,
    ...bounds,
    id: LEAGUE_ID,
    name: "League",
    description: "",
    maps: drawMaps(dice),
    house: ["kiter", "ts-starter"] as const,
  };
  const otherIds = OTHER_LADDER_IDS.slice(0, 1 + dice.below(OTHER_LADDER_IDS.length));
  const accessOffset = dice.below(ACCESSES.length);
  return [
    { ladder: league, createdAt: 0, window: UNBOUNDED_WINDOW, changes: [] },
    ...otherIds.map((id, index) => {
      const access = ACCESSES[(index + accessOffset) % ACCESSES.length]!;
      const definition = {
        ...league,
        ...drawConcurrencyBounds(dice, isTight),
        id,
        name: id,
        access,
      };
      return drawLadderPlan(dice.branch(id), end, definition, index);
    }),
  ];
}

const drawConcurrencyBounds = (dice: SeededDice, isTight: boolean) => ({
  maxConcurrent: isTight ? 1 + dice.below(3) : null,
  ownerConcurrency: isTight ? 1 : null,
});

function drawMaps(dice: SeededDice) {
  const firstIndex = dice.below(PUBLIC_LADDER.maps.length - MAPS_PER_LADDER);
  return PUBLIC_LADDER.maps.slice(firstIndex, firstIndex + MAPS_PER_LADDER);
}

const drawHouseKinds = (dice: SeededDice) => HOUSE_KINDS.filter(() => dice.chance(0.5));

/** Every second ladder is created while the server is running. */
function drawLadderPlan(
  dice: SeededDice,
  end: number,
  baseLadder: LadderDefinition,
  index: number,
): PlannedLadder {
  const createdAt = index % 2 === 0 ? 0 : Math.floor(dice.between(0.1, 0.5) * end);
  const remainingTime = end - createdAt;
  const window = {
    opensAfter: dice.chance(SHARE_OPENS_LATE)
      ? Math.floor(dice.between(0.05, 0.3) * remainingTime)
      : null,
    closesAfter: dice.chance(SHARE_CLOSES)
      ? Math.floor(dice.between(0.5, 0.95) * remainingTime)
      : null,
  };
  const drawTime = () => Math.floor(createdAt + dice.between(0.25, 0.8) * remainingTime);
  const ladder = { ...baseLadder, maps: drawMaps(dice), house: drawHouseKinds(dice) };
  const changes = [
    ...(dice.chance(SHARE_DISABLED)
      ? disablePeriod(drawTime(), dice.between(0.02, 0.1) * remainingTime)
      : []),
    ...(dice.chance(SHARE_MOVED)
      ? [changeClosing(drawTime(), dice.between(0.05, 0.3) * remainingTime)]
      : []),
    { at: drawTime(), change: { maps: drawMaps(dice), house: drawHouseKinds(dice) } },
    { at: drawTime(), change: { access: dice.pick(ACCESSES) } },
  ];
  return { ladder, createdAt, window, changes: changes.toSorted((a, b) => a.at - b.at) };
}

const disablePeriod = (at: number, durationUs: number): PlannedLadder["changes"] => [
  { at, change: { enabled: false } },
  { at: Math.floor(at + Math.max(MINUTE_US, durationUs)), change: { enabled: true } },
];

const changeClosing = (at: number, closesAfter: number) => ({ at, change: {}, closesAfter });

export function drawLadders(
  dice: SeededDice,
  plans: readonly PlannedLadder[],
): readonly LadderId[] {
  if (plans.length === 0) return [DEFAULT_LADDER];
  const drawLadderId = () => dice.pick(plans).ladder.id;
  if (dice.chance(SHARE_ELSEWHERE)) return [drawLadderId()];
  return dice.chance(SHARE_BOTH)
    ? [DEFAULT_LADDER, drawLadderId(), drawLadderId()]
    : [DEFAULT_LADDER];
}
