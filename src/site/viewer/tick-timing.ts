// Splits a tick into five beats: quick attacks, throws, moves, bolts, and everything else.
import type { FighterFrame, MatchFrame } from "#core/engine/frame.ts";
import type { FightEvent } from "#core/engine/types.ts";

import type { TilePoint } from "./bolt-flight.ts";
import type { SimulatedTick } from "./simulated-replay.ts";

export const TICK_BEATS = ["quick", "thrown", "move", "bolt", "end"] as const;
export type BeatName = (typeof TICK_BEATS)[number];

/** Duration at normal speed, in ms. A beat without events takes no time. */
const BEAT_MS: Record<BeatName, number> = {
  quick: 240,
  thrown: 300,
  move: 260,
  bolt: 320,
  end: 280,
};
/** Minimum duration of a tick, for a steady rhythm. */
const MIN_TICK_MS = 260;

/** Start and end of a beat within its tick, from 0 to 1. */
export type BeatSpan = { from: number; to: number };
export type TickTiming = { ms: number; spans: Record<BeatName, BeatSpan> };

/** Returns the beat that shows an event. `index` is the event's position in the tick's list. */
export function beatOf(events: readonly FightEvent[], index: number): BeatName {
  const event = events[index]!;
  switch (event.type) {
    case "shout":
      return "quick";
    case "attack":
      return beatOfAttack(event.name);
    case "hit":
      return event.name === "collision" ? beatOfCollision(events, index) : beatOfHit(event.name);
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

function beatOfAttack(name: HitName): BeatName {
  if (name === "bolt") return "bolt";
  return name === "blast" || name === "scorch" ? "end" : "quick";
}

function beatOfHit(name: HitName): BeatName {
  return name === "wall_slam" ? "thrown" : beatOfAttack(name);
}

/**
 * Collisions of thrown fighters are listed before the throws. Collisions of moving fighters are
 * listed after.
 */
function beatOfCollision(events: readonly FightEvent[], index: number): BeatName {
  const hasLaterThrow = events
    .slice(index)
    .some(({ type }) => type === "repulse" || type === "pull");
  return hasLaterThrow ? "thrown" : "move";
}

/** Returns a tick's duration in ms, and the start and end of its beats. */
export function computeTickTiming(
  tick: SimulatedTick,
  before: MatchFrame,
  after: MatchFrame,
): TickTiming {
  const usedBeats = new Set(tick.events.map((_, index) => beatOf(tick.events, index)));
  if (before.fighters.some((fighter, seat) => hasMoved(fighter, after.fighters[seat]!)))
    usedBeats.add("move");
  if (before.areas.length > 0 || after.areas.length > 0) usedBeats.add("end");
  const durations = TICK_BEATS.map((beat) => (usedBeats.has(beat) ? BEAT_MS[beat] : 0));
  const totalDuration = durations.reduce((total, duration) => total + duration, 0);
  const ms = Math.max(totalDuration, MIN_TICK_MS);
  // A tick shorter than the minimum pauses at its start.
  let spanStart = 1 - totalDuration / ms;
  const spans = TICK_BEATS.map((beat, index) => {
    const from = spanStart;
    spanStart += durations[index]! / ms;
    return [beat, { from, to: spanStart }];
  });
  return { ms, spans: Object.fromEntries(spans) as Record<BeatName, BeatSpan> };
}

function hasMoved(before: FighterFrame, after: FighterFrame): boolean {
  return before.x !== after.x || before.y !== after.y;
}

/** Returns how much of a span has passed at `progress`, from 0 to 1. */
export function spanProgress(span: BeatSpan, progress: number): number {
  if (progress >= span.to) return 1;
  if (progress <= span.from) return 0;
  return (progress - span.from) / (span.to - span.from);
}

/** Returns whether the span is in progress. Always false for an empty span. */
export function isWithinSpan(span: BeatSpan, progress: number): boolean {
  return progress > span.from && progress < span.to;
}

/** Returns a fighter's position at `progress`, in tiles. Throws happen before moves. */
export function fighterPosition(scene: TickScene, seat: number, progress: number): TilePoint {
  const start = scene.before.fighters[seat]!;
  const end = scene.after.fighters[seat]!;
  const landingPoint = landingPointOf(scene.tick.events, start);
  const walkProgress = spanProgress(scene.timing.spans.move, progress);
  if (walkProgress > 0) return interpolate(landingPoint, end, easeInOut(walkProgress));
  return interpolate(
    start,
    landingPoint,
    easeInOut(spanProgress(scene.timing.spans.thrown, progress)),
  );
}

export type TickScene = {
  tick: SimulatedTick;
  before: MatchFrame;
  after: MatchFrame;
  timing: TickTiming;
};

function landingPointOf(events: readonly FightEvent[], fighter: FighterFrame): TilePoint {
  for (const event of events) {
    const isThrow = event.type === "repulse" || event.type === "pull";
    if (isThrow && event.target === fighter.id) return event;
  }
  return fighter;
}

function interpolate(from: TilePoint, to: TilePoint, progress: number): TilePoint {
  return { x: from.x + (to.x - from.x) * progress, y: from.y + (to.y - from.y) * progress };
}

function easeInOut(progress: number): number {
  return progress * progress * (3 - 2 * progress);
}
