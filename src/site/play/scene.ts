// What a person sees as the viewer draws it: two observations are the tick between them.
import { sure } from "#base/units/sure.ts";
import type { Grid } from "#core/engine/grid.ts";
import type { FighterId, FighterView } from "#core/engine/types.ts";
import { zoneRadius } from "#core/engine/zone.ts";
import type { FighterFrame, FilmFrame, FilmTick } from "#site/viewer/film.ts";
import { flightsOf } from "#site/viewer/flight.ts";
import { scoreOf } from "#site/viewer/tick-timing.ts";
import type { TickScene } from "#site/viewer/tick-timing.ts";

import type { FightEnd, Seen, SeenEvent } from "./messages.ts";

/** What is seen before a tick. The opponent is left out while it is out of sight. */
function frameOf(grid: Grid, seen: Seen): FilmFrame {
  const { tick, self, fighters, areas, pickups } = seen;
  const own: FighterFrame = { ...self, alive: self.hp > 0 };
  const others = fighters.flatMap(shownOf);
  return { tick, fighters: [own, ...others], areas, pickups, radius: zoneRadius(grid, tick) };
}

function shownOf(fighter: FighterView): FighterFrame[] {
  if ("alive" in fighter || !fighter.visible) return [];
  return [{ ...fighter, alive: fighter.hp > 0, cooldowns: { ...fighter.cooldowns, shout: 0 } }];
}

/** The tick between two observations, as it moves. */
export function sceneBetween(grid: Grid, first: Seen, second: Seen): TickScene {
  const [before, after] = [frameOf(grid, first), frameOf(grid, second)];
  const ids = new Set([...before.fighters, ...after.fighters].map(({ id }) => id));
  const whole = [...ids].map((id) => pairOf(id, before, after, second.events));
  const events = second.events.filter(isDrawn);
  const tick: FilmTick = {
    tick: first.tick,
    turns: [],
    reply_ms: [],
    budget_ms: [],
    events,
    flights: flightsOf(grid, events, after.fighters),
  };
  const moving = {
    before: { ...before, fighters: whole.map(({ from }) => from) },
    after: { ...after, fighters: whole.map(({ to }) => to) },
  };
  return { tick, ...moving, score: scoreOf(tick, moving.before, moving.after) };
}

/** The picture at rest: nobody stands where nobody is seen. */
export function sceneAtRest(grid: Grid, moved: TickScene | null, now: Seen): TickScene {
  const after = frameOf(grid, now);
  const nothing: FilmTick = {
    tick: Math.max(0, now.tick - 1),
    turns: [],
    reply_ms: [],
    budget_ms: [],
    events: [],
    flights: [],
  };
  const tick = moved?.tick ?? nothing;
  return { tick, before: after, after, score: scoreOf(tick, after, after) };
}

/** A fighter that is seen only before or only after the tick stands where it was seen. */
function pairOf(id: FighterId, before: FilmFrame, after: FilmFrame, events: readonly SeenEvent[]) {
  const was = before.fighters.find((fighter) => fighter.id === id);
  const is = after.fighters.find((fighter) => fighter.id === id);
  const from = was ?? sure(is, "fighter");
  return { from, to: is ?? { ...from, ...thrownTo(id, events) } };
}

function thrownTo(id: FighterId, events: readonly SeenEvent[]) {
  for (const event of events)
    if ((event.type === "repulse" || event.type === "pull") && event.target === id)
      return { x: event.x, y: event.y };
  return {};
}

/** An attack from out of sight is heard, and has no place. */
const isDrawn = (event: SeenEvent): boolean => event.type !== "attack" || event.x !== undefined;

/** The end tells no last observation, but what was left of everybody. */
export function atTheEnd(last: Seen, { stats }: FightEnd): Seen {
  const hpOf = (id: FighterId) => stats?.fighters.find((fighter) => fighter.id === id)?.hp;
  const self = { ...last.self, hp: hpOf(last.self.id) ?? last.self.hp };
  const fighters = last.fighters.map((fighter): FighterView => {
    if ("alive" in fighter) return fighter;
    return { ...fighter, hp: hpOf(fighter.id) ?? fighter.hp };
  });
  return { ...last, self, fighters, events: [] };
}
