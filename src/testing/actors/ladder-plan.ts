// The ladders of a run other than public, and what operators do to them: settled before time begins.

import { MINUTE } from "#base/units/time.ts";
import { DEFAULT_LADDER, PUBLIC } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { HOUSE_KINDS } from "#core/words/house.ts";
import type { LadderId } from "#core/words/ids.ts";
import type { LadderChange } from "#data/store/ladder.ts";
import type { SeededDice } from "#testing/simulation/dice.ts";

/** µs from when it is made; null for no bound. By then the wall clock may have been moved. */
type PlannedWindow = { opensAfter: number | null; closesAfter: number | null };

export type PlannedLadder = {
  /** As it is made, but for its window. */
  ladder: LadderDefinition;
  /** µs since time began; 0 for one that is there before the server starts. */
  madeAt: number;
  window: PlannedWindow;
  /** What operators change of it, in order of time. */
  changes: readonly { at: number; change: LadderChange; closesAfter?: number }[];
};

const NEVER: PlannedWindow = { opensAfter: null, closesAfter: null };

/** Open to everybody and without an end. */
const LEAGUE = "league";
const OTHERS: readonly LadderId[] = ["cup", "guild", "class"];
const ACCESSES = ["approval", "invite", "password", "open"] as const;
const MAPS = 3;
/** Of the players: never on public; on public and others by turns. */
const SHARE_ELSEWHERE = 0.15;
const SHARE_BOTH = 0.25;
const SHARE_OPENS_LATE = 0.5;
const SHARE_CLOSES = 0.8;
const SHARE_DISABLED = 0.4;
const SHARE_MOVED = 0.5;

/** A league, and one to three more. */
export function drawLadderPlans(dice: SeededDice, end: number, isTight: boolean): PlannedLadder[] {
  const bounds = boundsOf(dice.branch("bounds"), isTight);
  const league = {
    ...PUBLIC,
    ...bounds,
    id: LEAGUE,
    name: "League",
    description: "",
    maps: someMaps(dice),
    house: ["kiter", "ts-starter"] as const,
  };
  const others = OTHERS.slice(0, 1 + dice.below(OTHERS.length));
  const shift = dice.below(ACCESSES.length);
  return [
    { ladder: league, madeAt: 0, window: NEVER, changes: [] },
    ...others.map((id, place) => {
      const access = ACCESSES[(place + shift) % ACCESSES.length]!;
      const drawn = { ...league, ...boundsOf(dice, isTight), id, name: id, access };
      return drawPlan(dice.branch(id), end, drawn, place);
    }),
  ];
}

/** Tight bounds hold bots back. */
const boundsOf = (dice: SeededDice, isTight: boolean) => ({
  maxConcurrent: isTight ? 1 + dice.below(3) : null,
  ownerConcurrency: isTight ? 1 : null,
});

function someMaps(dice: SeededDice) {
  const first = dice.below(PUBLIC.maps.length - MAPS);
  return PUBLIC.maps.slice(first, first + MAPS);
}

const someHouse = (dice: SeededDice) => HOUSE_KINDS.filter(() => dice.chance(0.5));

/** Every other one is made while the server runs. */
function drawPlan(
  dice: SeededDice,
  end: number,
  given: LadderDefinition,
  place: number,
): PlannedLadder {
  const madeAt = place % 2 === 0 ? 0 : Math.floor(dice.between(0.1, 0.5) * end);
  const left = end - madeAt;
  const window = {
    opensAfter: dice.chance(SHARE_OPENS_LATE) ? Math.floor(dice.between(0.05, 0.3) * left) : null,
    closesAfter: dice.chance(SHARE_CLOSES) ? Math.floor(dice.between(0.5, 0.95) * left) : null,
  };
  const moment = () => Math.floor(madeAt + dice.between(0.25, 0.8) * left);
  const ladder = { ...given, maps: someMaps(dice), house: someHouse(dice) };
  const changes = [
    ...(dice.chance(SHARE_DISABLED) ? disabling(moment(), dice.between(0.02, 0.1) * left) : []),
    ...(dice.chance(SHARE_MOVED) ? [moving(moment(), dice.between(0.05, 0.3) * left)] : []),
    { at: moment(), change: { maps: someMaps(dice), house: someHouse(dice) } },
    { at: moment(), change: { access: dice.pick(ACCESSES) } },
  ];
  return { ladder, madeAt, window, changes: changes.toSorted((a, b) => a.at - b.at) };
}

/** Off for a while. */
const disabling = (at: number, forUs: number): PlannedLadder["changes"] => [
  { at, change: { enabled: false } },
  { at: Math.floor(at + Math.max(MINUTE, forUs)), change: { enabled: true } },
];

/** Another end, which may come earlier or later than the first. */
const moving = (at: number, closesAfter: number) => ({ at, change: {}, closesAfter });

/** Where a player's bot queues, one of them each time. */
export function drawLadders(
  dice: SeededDice,
  plans: readonly PlannedLadder[],
): readonly LadderId[] {
  if (plans.length === 0) return [DEFAULT_LADDER];
  const other = () => dice.pick(plans).ladder.id;
  if (dice.chance(SHARE_ELSEWHERE)) return [other()];
  return dice.chance(SHARE_BOTH) ? [DEFAULT_LADDER, other(), other()] : [DEFAULT_LADDER];
}
