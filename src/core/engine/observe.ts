import { eventsFor } from "./events.ts";
import type { Fight } from "./fight.ts";
import { TICK, areaTile } from "./fight.ts";
import { isTileVisible } from "./grid.ts";
import {
  AREA_COUNT,
  BLAST,
  BOLT,
  COOLDOWN_COUNT,
  DASH_COOLDOWN,
  FIRST_ATTACK_COOLDOWN,
  HOOK,
  NONE,
  PICKUP_COUNT,
  REPULSE,
  SCORCH,
  SHOUT_COOLDOWN,
  STRIKE,
} from "./integer-codes.ts";
import { RULES } from "./rules.ts";
import type {
  AreaName,
  AreaView,
  Cooldowns,
  FighterView,
  Observation,
  PickupView,
  SelfView,
  ZoneView,
} from "./types.ts";
import { AREAS, FIGHTER_IDS, PICKUPS } from "./types.ts";
import { zoneRadius, zoneShrinksIn } from "./zone.ts";

/** Observations list endangered tiles up to this distance from the fighter. */
const DANGER_RADIUS = 3;

// Frozen because all observers share it, like the grid's lists.
const NO_MOVES: Observation["moves"] = Object.freeze([]);
const NO_DASHES: Observation["dashes"] = Object.freeze({});

export type SharedObservation = Pick<Observation, "areas" | "pickups" | "zone">;

export function sharedObservation(fight: Fight): SharedObservation {
  return { areas: areaViews(fight), pickups: pickupViews(fight), zone: zoneView(fight) };
}

export function observationFor(
  fight: Fight,
  seat: number,
  { areas, pickups, zone }: SharedObservation = sharedObservation(fight),
): Observation {
  const { grid, tile, stun, cooldowns } = fight;
  const ownTile = tile[seat]!;
  const canMove = stun[seat] === 0;
  const canDash = canMove && cooldowns[seat * COOLDOWN_COUNT + DASH_COOLDOWN] === 0;
  return {
    tick: fight.words[TICK]!,
    self: selfView(fight, seat),
    fighters: fighterViews(fight, seat),
    moves: canMove ? grid.moves[ownTile]! : NO_MOVES,
    dashes: canDash ? grid.dashes[ownTile]! : NO_DASHES,
    danger: dangerViews(fight, seat),
    areas,
    pickups,
    zone,
    events: eventsFor(fight, seat),
  };
}

function selfView(fight: Fight, seat: number): SelfView {
  const { x, y, hp, stun, power, cooldowns } = fight;
  return {
    id: FIGHTER_IDS[seat]!,
    x: x[seat]!,
    y: y[seat]!,
    hp: hp[seat]!,
    stun: stun[seat]!,
    power: power[seat]!,
    cooldowns: {
      ...visibleCooldowns(fight, seat),
      shout: cooldowns[seat * COOLDOWN_COUNT + SHOUT_COOLDOWN]!,
    },
  };
}

function visibleCooldowns({ cooldowns }: Fight, seat: number): Omit<Cooldowns, "shout"> {
  const first = seat * COOLDOWN_COUNT;
  const attacks = first + FIRST_ATTACK_COOLDOWN;
  return {
    dash: cooldowns[first + DASH_COOLDOWN]!,
    strike: cooldowns[attacks + STRIKE]!,
    bolt: cooldowns[attacks + BOLT]!,
    hook: cooldowns[attacks + HOOK]!,
    repulse: cooldowns[attacks + REPULSE]!,
    blast: cooldowns[attacks + BLAST]!,
    scorch: cooldowns[attacks + SCORCH]!,
  };
}

function fighterViews(fight: Fight, seat: number): FighterView[] {
  const views: FighterView[] = [];
  for (let otherSeat = 0; otherSeat < fight.seats; otherSeat += 1) {
    if (otherSeat !== seat) views.push(fighterView(fight, seat, otherSeat));
  }
  return views;
}

function fighterView(fight: Fight, seat: number, otherSeat: number): FighterView {
  const { grid, tile, x, y, stun } = fight;
  const id = FIGHTER_IDS[otherSeat]!;
  if (fight.alive[otherSeat] === 0) return { id, hp: 0, alive: false };
  const [hp, power] = [fight.hp[otherSeat]!, fight.power[otherSeat]!];
  if (!isTileVisible(grid, tile[seat]!, tile[otherSeat]!)) {
    return { id, hp, power, visible: false, last_seen: lastSeen(fight, seat, otherSeat) };
  }
  return {
    id,
    hp,
    power,
    visible: true,
    x: x[otherSeat]!,
    y: y[otherSeat]!,
    stun: stun[otherSeat]!,
    cooldowns: visibleCooldowns(fight, otherSeat),
  };
}

function lastSeen(
  { grid, seats, lastSeenTile, lastSeenTick }: Fight,
  observer: number,
  otherSeat: number,
) {
  const tile = lastSeenTile[observer * seats + otherSeat]!;
  if (tile === NONE) return null;
  const tick = lastSeenTick[observer * seats + otherSeat]!;
  return { x: grid.x[tile]!, y: grid.y[tile]!, tick };
}

function forEachArea(fight: Fight, visit: (area: number, name: AreaName) => void): void {
  for (let area = 0; area < fight.areaX.length; area += 1) {
    if (fight.areaX[area] !== NONE) visit(area, AREAS[area % AREA_COUNT]!);
  }
}

function areaViews(fight: Fight): AreaView[] {
  const views: AreaView[] = [];
  forEachArea(fight, (area, name) => {
    const left = fight.areaLeft[area]!;
    const by = FIGHTER_IDS[Math.floor(area / AREA_COUNT)]!;
    const [x, y, damage] = [fight.areaX[area]!, fight.areaY[area]!, fight.areaDamage[area]!];
    const { radius } = RULES.attacks[name];
    if (name === "blast") views.push({ name, by, x, y, radius, in: left, damage });
    else views.push({ name, by, x, y, radius, left, damage });
  });
  return views;
}

function dangerViews(fight: Fight, seat: number): Observation["danger"] {
  const danger: Observation["danger"] = [];
  forEachArea(fight, (area, name) => addDanger(fight, seat, area, name, danger));
  return danger;
}

function addDanger(
  fight: Fight,
  seat: number,
  area: number,
  name: AreaName,
  danger: Observation["danger"],
): void {
  const { grid, x, y, areaX, areaY } = fight;
  const { radius } = RULES.attacks[name];
  const center = areaTile(fight, area);
  // A scorch burns in every tick.
  const ticks = name === "blast" ? fight.areaLeft[area]! : 1;
  const left = Math.max(x[seat]! - DANGER_RADIUS, areaX[area]! - radius);
  const right = Math.min(x[seat]! + DANGER_RADIUS, areaX[area]! + radius);
  const top = Math.max(y[seat]! - DANGER_RADIUS, areaY[area]! - radius);
  const bottom = Math.min(y[seat]! + DANGER_RADIUS, areaY[area]! + radius);
  for (let row = top; row <= bottom; row += 1) {
    for (let column = left; column <= right; column += 1) {
      const isCovered = grid.sight[center * grid.tileCount + row * grid.width + column] === 1;
      if (isCovered) danger.push([column, row, ticks, fight.areaDamage[area]!]);
    }
  }
}

function pickupViews({ pickupX, pickupY, pickupIn }: Fight): PickupView[] {
  const views: PickupView[] = [];
  for (let kind = 0; kind < PICKUP_COUNT; kind += 1) {
    const [x, y] = [pickupX[kind]!, pickupY[kind]!];
    if (x !== NONE) views.push({ kind: PICKUPS[kind]!, x, y, in: pickupIn[kind]! });
  }
  return views;
}

function zoneView(fight: Fight): ZoneView {
  const tick = fight.words[TICK]!;
  const { damage } = RULES.zone;
  const radius = zoneRadius(fight.grid, tick);
  return { radius, shrinks_in: zoneShrinksIn(fight.grid, tick), damage };
}
