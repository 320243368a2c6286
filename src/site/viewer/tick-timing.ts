// One tick as five beats: quick attacks, throws, moves, bolts, then everything at its end.
import type { FightEvent } from "#core/engine/types.ts";

import type { FighterFrame, FilmTick, FilmFrame } from "./film.ts";
import type { Point } from "./flight.ts";

export const BEATS = ["quick", "thrown", "move", "bolt", "end"] as const;
export type BeatName = (typeof BEATS)[number];

/** Lengths at normal speed, in ms. A beat without events takes no time. */
const BEAT_MS: Record<BeatName, number> = {
  quick: 240,
  thrown: 300,
  move: 260,
  bolt: 320,
  end: 280,
};
/** A tick is never shorter than this: the eye needs the rhythm. */
const QUIET_MS = 260;

/** The position of a beat within its tick, as shares from 0 to 1. */
export type Span = { from: number; to: number };
export type TickTiming = { ms: number; spans: Record<BeatName, Span> };

/** The beat in which an event of a tick is shown; `index` is its place in the tick's list. */
export function beatOf(events: readonly FightEvent[], index: number): BeatName {
  const event = events[index]!;
  switch (event.type) {
    case "shout":
      return "quick";
    case "attack":
      return attackBeat(event.name);
    case "hit":
      return event.name === "collision" ? collisionBeat(events, index) : hitBeat(event.name);
    case "repulse":
    case "pull":
      return "thrown";
    case "rejected":
      return "move";
    case "area_spawn":
    case "area_explode":
    case "pickup":
    case "pickup_spawn":
    case "zone_damage":
    case "death":
      break;
  }
  return "end";
}

type HitName = Extract<FightEvent, { type: "hit" }>["name"];

function attackBeat(name: HitName): BeatName {
  if (name === "bolt") return "bolt";
  return name === "blast" || name === "scorch" ? "end" : "quick";
}

function hitBeat(name: HitName): BeatName {
  return name === "wall_slam" ? "thrown" : attackBeat(name);
}

/** Collisions of thrown fighters are listed before the throws, rams after. */
function collisionBeat(events: readonly FightEvent[], index: number): BeatName {
  const throwsAfter = events.slice(index).some(({ type }) => type === "repulse" || type === "pull");
  return throwsAfter ? "thrown" : "move";
}

/** How long a tick takes, and when each of its beats starts and ends. */
export function scoreOf(tick: FilmTick, before: FilmFrame, after: FilmFrame): TickTiming {
  const used = new Set(tick.events.map((_, index) => beatOf(tick.events, index)));
  if (before.fighters.some((fighter, seat) => hasMoved(fighter, after.fighters[seat]!)))
    used.add("move");
  if (before.areas.length > 0 || after.areas.length > 0) used.add("end");
  const lengths = BEATS.map((beat) => (used.has(beat) ? BEAT_MS[beat] : 0));
  const sum = lengths.reduce((total, length) => total + length, 0);
  const ms = Math.max(sum, QUIET_MS);
  // A tick shorter than the minimum rests at its start.
  let at = 1 - sum / ms;
  const spans = BEATS.map((beat, index) => {
    const from = at;
    at += lengths[index]! / ms;
    return [beat, { from, to: at }];
  });
  return { ms, spans: Object.fromEntries(spans) as Record<BeatName, Span> };
}

function hasMoved(before: FighterFrame, after: FighterFrame): boolean {
  return before.x !== after.x || before.y !== after.y;
}

/** The share of a span that has passed at a share of the tick, 0 to 1. */
export function passed(span: Span, share: number): number {
  if (share >= span.to) return 1;
  if (share <= span.from) return 0;
  return (share - span.from) / (span.to - span.from);
}

/** Whether the span is under way; false for an empty span. */
export function isDuring(span: Span, share: number): boolean {
  return share > span.from && share < span.to;
}

/** Where a fighter is shown at a share of a tick: first thrown, then walking. In tiles. */
export function placeOf(scene: TickScene, seat: number, share: number): Point {
  const start = scene.before.fighters[seat]!;
  const end = scene.after.fighters[seat]!;
  const landing = landingOf(scene.tick.events, start);
  const walked = passed(scene.score.spans.move, share);
  if (walked > 0) return between(landing, end, eased(walked));
  return between(start, landing, eased(passed(scene.score.spans.thrown, share)));
}

/** A tick with the states around it. */
export type TickScene = { tick: FilmTick; before: FilmFrame; after: FilmFrame; score: TickTiming };

function landingOf(events: readonly FightEvent[], fighter: FighterFrame): Point {
  for (const event of events) {
    const isThrow = event.type === "repulse" || event.type === "pull";
    if (isThrow && event.target === fighter.id) return event;
  }
  return fighter;
}

function between(from: Point, to: Point, share: number): Point {
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

function eased(share: number): number {
  return share * share * (3 - 2 * share);
}
