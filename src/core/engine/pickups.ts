import type { Fight } from "./fight.ts";
import { TICK, drawRandom } from "./fight.ts";
import { rotatedTile } from "./grid.ts";
import { HEALTH, NONE, PICKUP_COUNT, POWER } from "./integer-codes.ts";
import { logPickup, logPickupSpawn } from "./log.ts";
import { RULES } from "./rules.ts";
import { zoneRadius } from "./zone.ts";

const { first: FIRST_WAVE_TICK, every: WAVE_INTERVAL, lead: ANNOUNCE_TICKS } = RULES.pickups;

// One more than the buff in the rules, because the timers also count down in the tick of the
// pickup.
const POWER_TICKS = RULES.power.ticks + 1;

/** Phase 7: counts down announced pickups. Fighters take landed pickups on their tile. */
export function resolvePickups(fight: Fight): void {
  const { pickupX, pickupIn } = fight;
  if (pickupX[HEALTH] === NONE && pickupX[POWER] === NONE) return;
  for (let kind = 0; kind < PICKUP_COUNT; kind += 1) {
    if (pickupIn[kind]! > 0) pickupIn[kind]! -= 1;
  }
  for (let seat = 0; seat < fight.seats; seat += 1) {
    if (fight.alive[seat] === 0) continue;
    if (isOnPickup(fight, seat, HEALTH)) takeHealth(fight, seat);
    if (isOnPickup(fight, seat, POWER)) takePower(fight, seat);
  }
}

function isOnPickup(fight: Fight, seat: number, kind: number): boolean {
  const { x, y, pickupX, pickupY, pickupIn } = fight;
  return x[seat] === pickupX[kind] && y[seat] === pickupY[kind] && pickupIn[kind] === 0;
}

/** Heals before phase 10 applies the tick's damage. */
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

/** Phase 9: in a wave tick, removes old pickups and announces new ones. */
export function spawnPickupWave(fight: Fight): void {
  const tick = fight.words[TICK]!;
  if (tick < FIRST_WAVE_TICK || (tick - FIRST_WAVE_TICK) % WAVE_INTERVAL !== 0) return;
  clearPickup(fight, HEALTH);
  clearPickup(fight, POWER);
  announcePickups(fight, zoneRadius(fight.grid, tick + ANNOUNCE_TICKS));
}

/** Picks a random pad that will still lie inside the zone. Power appears opposite to health. */
function announcePickups(fight: Fight, radius: number): void {
  const { grid } = fight;
  let padCount = 0;
  for (const pad of grid.pads) if (grid.level[pad]! <= radius) padCount += 1;
  if (padCount === 0) return;
  let padsToSkip = drawRandom(fight) % padCount;
  for (const pad of grid.pads) {
    if (grid.level[pad]! > radius || padsToSkip-- > 0) continue;
    setPickup(fight, HEALTH, pad);
    setPickup(fight, POWER, rotatedTile(grid, pad));
    return;
  }
}

function setPickup(fight: Fight, kind: number, tile: number): void {
  fight.pickupX[kind] = fight.grid.x[tile]!;
  fight.pickupY[kind] = fight.grid.y[tile]!;
  fight.pickupIn[kind] = ANNOUNCE_TICKS;
  logPickupSpawn(fight.log, kind, ANNOUNCE_TICKS, tile);
}

function clearPickup(fight: Fight, kind: number): void {
  fight.pickupX[kind] = NONE;
  fight.pickupY[kind] = NONE;
  fight.pickupIn[kind] = 0;
}
