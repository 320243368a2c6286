// The state of a match between two ticks, as the viewer draws it.

import { TICK } from "./fight.ts";
import type { Fight } from "./fight.ts";
import { RULES } from "./rules.ts";
import { AREAS, COOLDOWNS, FIGHTER_IDS, PICKUPS } from "./types.ts";
import type { AreaView, Cooldowns, FighterId, PickupView } from "./types.ts";
import { zoneRadius } from "./zone.ts";

/** A fighter between two ticks. A dead fighter keeps its tile. Times are in ticks. */
export type FighterFrame = {
  id: FighterId;
  x: number;
  y: number;
  hp: number;
  alive: boolean;
  stun: number;
  power: number;
  cooldowns: Cooldowns;
};

/** State before tick `tick`. Arrays are indexed by seat. */
export type MatchFrame = {
  tick: number;
  fighters: FighterFrame[];
  areas: AreaView[];
  pickups: PickupView[];
  /** Zone radius at the end of this tick. The full radius means that there is no zone. */
  radius: number;
};

/** Returns the state before the next tick, as the viewer draws it. */
export function frameOf(fight: Fight): MatchFrame {
  const tick = fight.words[TICK]!;
  return {
    tick,
    fighters: seatIndexes(fight).map((seat) => fighterFrame(fight, seat)),
    areas: seatIndexes(fight).flatMap((seat) => activeAreas(fight, seat)),
    pickups: visiblePickups(fight),
    radius: zoneRadius(fight.grid, tick),
  };
}

function seatIndexes(fight: Fight): number[] {
  return Array.from({ length: fight.seats }, (_, seat) => seat);
}

function fighterFrame(fight: Fight, seat: number): FighterFrame {
  const cooldownEntries = COOLDOWNS.map((name, index) => [
    name,
    fight.cooldowns[seat * COOLDOWNS.length + index],
  ]);
  return {
    id: FIGHTER_IDS[seat]!,
    x: fight.x[seat]!,
    y: fight.y[seat]!,
    hp: fight.hp[seat]!,
    alive: fight.alive[seat] === 1,
    stun: fight.stun[seat]!,
    power: fight.power[seat]!,
    cooldowns: Object.fromEntries(cooldownEntries) as Cooldowns,
  };
}

function activeAreas(fight: Fight, seat: number): AreaView[] {
  return AREAS.flatMap((name, index) => {
    const areaIndex = seat * AREAS.length + index;
    if (fight.areaX[areaIndex]! < 0) return [];
    const left = fight.areaLeft[areaIndex]!;
    return {
      name,
      by: FIGHTER_IDS[seat]!,
      x: fight.areaX[areaIndex]!,
      y: fight.areaY[areaIndex]!,
      radius: RULES.attacks[name].radius,
      ...(name === "blast" ? { in: left } : { left }),
      damage: fight.areaDamage[areaIndex]!,
    };
  });
}

function visiblePickups(fight: Fight): PickupView[] {
  return PICKUPS.flatMap((kind, index) => {
    if (fight.pickupX[index]! < 0) return [];
    const [x, y] = [fight.pickupX[index]!, fight.pickupY[index]!];
    return { kind, x, y, in: fight.pickupIn[index]! };
  });
}
