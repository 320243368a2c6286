// What a caster would shout: the highlights of a bout, found in its events.
import type { FightEvent, FighterId } from "#core/engine/types.ts";

import type { Film, FilmTick, FilmFrame } from "./film.ts";
import type { Names } from "./words.ts";

/** `loud` moments are marked on the timeline. */
export type CastLine = { tick: number; text: string; loud: boolean };

type Moment = {
  film: Film;
  tick: FilmTick;
  before: FilmFrame;
  after: FilmFrame;
  name: (id: FighterId) => string;
};
type Found = { text: string; loud: boolean } | null;

/** All lines of a bout, in tick order. */
export function castLines(film: Film, names: Names): CastLine[] {
  const lines: CastLine[] = [];
  const name = (id: FighterId): string => names[id] ?? id;
  for (const tick of film.ticks) {
    const before = film.frames[tick.tick]!;
    const after = film.frames[tick.tick + 1]!;
    const moment = { film, tick, before, after, name };
    for (const find of FINDERS) {
      const found = find(moment);
      if (found !== null) lines.push({ tick: tick.tick, ...found });
    }
  }
  return lines;
}

const FINDERS: ((moment: Moment) => Found)[] = [
  photoFinish,
  knockout,
  firstBlood,
  slam,
  ricochet,
  dodge,
  theft,
  punishment,
  lastSquare,
];

/** How near to a pickup the other fighter must be for a theft, in tiles. */
const PICKUP_REACH = 1;

function eventsOfType<T extends FightEvent["type"]>(
  tick: FilmTick,
  type: T,
): Extract<FightEvent, { type: T }>[] {
  return tick.events.filter((event): event is Extract<FightEvent, { type: T }> => {
    return event.type === type;
  });
}

function photoFinish({ tick, film }: Moment): Found {
  if (eventsOfType(tick, "death").length < 2) return null;
  const winner = film.replay.result.winner;
  const end = winner === null ? "nobody takes it" : "the tie-break decides";
  return { text: `Photo finish: both fall in one tick, and ${end}!`, loud: true };
}

function knockout({ tick, name }: Moment): Found {
  const deaths = eventsOfType(tick, "death");
  if (deaths.length !== 1) return null;
  return { text: `${name(deaths[0]!.target)} is down. It is over!`, loud: true };
}

function firstBlood({ film, tick, name }: Moment): Found {
  const hitters = new Set(blowsIn(tick).map(({ by }) => by));
  if (hitters.size === 0 || film.ticks.slice(0, tick.tick).some((one) => blowsIn(one).length > 0))
    return null;
  const names = [...hitters].map(name).join(" and ");
  const text = hitters.size === 1 ? `First blood: ${names}!` : `First blood is shared: ${names}!`;
  return { text, loud: true };
}

/** Hits on the other one. */
function blowsIn(tick: FilmTick) {
  return eventsOfType(tick, "hit").filter(({ by, target }) => by !== target);
}

function slam({ tick, name }: Moment): Found {
  const hit = eventsOfType(tick, "hit").find((one) => one.name === "wall_slam");
  if (hit === undefined) return null;
  const lines = [
    `${name(hit.by)} slams ${name(hit.target)} into the wall!`,
    `Into the wall with ${name(hit.target)}!`,
    `${name(hit.target)} meets the wall. Stars everywhere.`,
  ];
  return { text: lines[tick.tick % lines.length]!, loud: true };
}

function ricochet({ tick, name }: Moment): Found {
  const flight = tick.flights.find(({ hits, bounces }) => hits !== null && bounces > 0);
  if (flight === undefined) return null;
  return flight.bounces > 1
    ? { text: `Off two walls! ${name(flight.by)} with the trick shot!`, loud: true }
    : { text: `Off the wall: ${name(flight.by)} finds the angle.`, loud: false };
}

/** A dash out of a blast in the very tick it explodes. */
function dodge({ tick, before, after, name }: Moment): Found {
  for (const blast of eventsOfType(tick, "area_explode")) {
    const seat = before.fighters.findIndex((fighter, index) => {
      const turn = tick.turns[index]!;
      const dashed = turn !== null && "dash" in turn && fighter.alive;
      const end = after.fighters[index]!;
      return dashed && isWithin(blast, fighter) && !isWithin(blast, end);
    });
    if (seat === -1) continue;
    const id = before.fighters[seat]!.id;
    return { text: `${name(id)} dashes out of the blast at the last moment!`, loud: true };
  }
  return null;
}

type Round = { x: number; y: number; radius: number };
type Place = { x: number; y: number };

function isWithin(area: Round, place: Place): boolean {
  return distance(area, place) <= area.radius;
}

function distance(a: Place, b: Place): number {
  return Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y));
}

function theft({ tick, before, after, name }: Moment): Found {
  for (const { by, kind } of eventsOfType(tick, "pickup")) {
    const pickup = before.pickups.find((one) => one.kind === kind);
    const robbed = after.fighters.find((fighter) => {
      return fighter.id !== by && pickup && distance(fighter, pickup) <= PICKUP_REACH;
    });
    if (robbed === undefined) continue;
    return { text: `${name(by)} snatches ${kind} from under ${name(robbed.id)}!`, loud: false };
  }
  return null;
}

/** A hit on a fighter that lost this turn to a stun. */
function punishment({ tick, before, name }: Moment): Found {
  if (eventsOfType(tick, "death").length > 0) return null;
  const stunned = before.fighters.filter(({ stun }) => stun > 0).map(({ id }) => id);
  const hit = eventsOfType(tick, "hit").find(
    ({ by, target }) => by !== target && stunned.includes(target),
  );
  if (hit === undefined) return null;
  const lines = [`${name(hit.by)} makes the stun count.`, `No mercy: ${name(hit.by)} follows up.`];
  return { text: lines[tick.tick % lines.length]!, loud: false };
}

function lastSquare({ before, after }: Moment): Found {
  if (before.radius === 1 || after.radius !== 1) return null;
  return { text: "The last square: nowhere left to run.", loud: true };
}
