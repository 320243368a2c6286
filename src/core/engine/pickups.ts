import { HEALTH, NONE, PICKUP_COUNT, POWER } from "./codes.ts";
import type { Fight } from "./fight.ts";
import { TICK, draw } from "./fight.ts";
import { turnedTile } from "./grid.ts";
import { logPickup, logPickupSpawn } from "./log.ts";
import { RULES } from "./rules.ts";
import { zoneRadius } from "./zone.ts";

const { first: FIRST_WAVE, every: EVERY, lead: LEAD } = RULES.pickups;

// The end of each tick takes one off the buff, including the tick of the pickup.
const POWER_TICKS = RULES.power.ticks + 1;

/** Phase 7: announced pickups come closer; a fighter on one that has arrived takes it. */
export function pickups(fight: Fight): void {
  const { pickupX, pickupIn } = fight;
  if (pickupX[HEALTH] === NONE && pickupX[POWER] === NONE) return;
  for (let kind = 0; kind < PICKUP_COUNT; kind += 1) {
    if (pickupIn[kind]! > 0) pickupIn[kind]! -= 1;
  }
  for (let seat = 0; seat < fight.seats; seat += 1) {
    if (fight.alive[seat] === 0) continue;
    if (standsOn(fight, seat, HEALTH)) takeHealth(fight, seat);
    if (standsOn(fight, seat, POWER)) takePower(fight, seat);
  }
}

function standsOn(fight: Fight, seat: number, kind: number): boolean {
  const { x, y, pickupX, pickupY, pickupIn } = fight;
  return x[seat] === pickupX[kind] && y[seat] === pickupY[kind] && pickupIn[kind] === 0;
}

/** Health heals at once, before the tick's damage. */
function takeHealth(fight: Fight, seat: number): void {
  const healed = Math.min(RULES.heal, RULES.hp - fight.hp[seat]!);
  fight.hp[seat]! += healed;
  clearPickup(fight, HEALTH);
  logPickup(fight.log, seat, HEALTH, healed);
}

function takePower(fight: Fight, seat: number): void {
  fight.power[seat] = POWER_TICKS;
  clearPickup(fight, POWER);
  logPickup(fight.log, seat, POWER, 0);
}

/** Phase 9: on a wave tick, new pickups are announced and the old ones vanish. */
export function pickupWave(fight: Fight): void {
  const tick = fight.words[TICK]!;
  if (tick < FIRST_WAVE || (tick - FIRST_WAVE) % EVERY !== 0) return;
  clearPickup(fight, HEALTH);
  clearPickup(fight, POWER);
  announce(fight, zoneRadius(fight.grid, tick + LEAD));
}

/** Only pads that will lie within the zone count; power appears opposite to health. */
function announce(fight: Fight, radius: number): void {
  const { grid } = fight;
  let padCount = 0;
  for (const pad of grid.pads) if (grid.level[pad]! <= radius) padCount += 1;
  if (padCount === 0) return;
  let skip = draw(fight) % padCount;
  for (const pad of grid.pads) {
    if (grid.level[pad]! > radius || skip-- > 0) continue;
    setPickup(fight, HEALTH, pad);
    setPickup(fight, POWER, turnedTile(grid, pad));
    return;
  }
}

function setPickup(fight: Fight, kind: number, tile: number): void {
  fight.pickupX[kind] = fight.grid.x[tile]!;
  fight.pickupY[kind] = fight.grid.y[tile]!;
  fight.pickupIn[kind] = LEAD;
  logPickupSpawn(fight.log, kind, LEAD, tile);
}

function clearPickup(fight: Fight, kind: number): void {
  fight.pickupX[kind] = NONE;
  fight.pickupY[kind] = NONE;
  fight.pickupIn[kind] = 0;
}
