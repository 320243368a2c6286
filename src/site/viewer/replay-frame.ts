import { beginFrame } from "./canvas.ts";
import type { DrawingSurface } from "./canvas.ts";
import { drawBubbles, recentShouts } from "./draw-bubbles.ts";
import { drawAttacks, screenShake } from "./draw-effects.ts";
import { drawEndCard } from "./draw-end-card.ts";
import { drawFighters } from "./draw-fighters.ts";
import { drawGround } from "./draw-ground.ts";
import { drawImpacts } from "./draw-impacts.ts";
import type { EndSummary } from "./end-summary.ts";
import type { SimulatedReplay } from "./simulated-replay.ts";
import { computeTickTiming } from "./tick-timing.ts";
import type { TickScene, TickTiming } from "./tick-timing.ts";
import type { TickPosition, ViewerState } from "./viewer-state.ts";
import { positionOf } from "./viewer-state.ts";

/** At higher speeds, shaking would look like flicker, and slow motion would be a stutter. */
const MAX_SHAKE_SPEED = 2;
/** Playback speed of the tick in which a fighter falls. */
const KNOCKOUT_TIME_SCALE = 0.35;

export function tickTimings(simulation: SimulatedReplay): TickTiming[] {
  return simulation.ticks.map((tick, index) =>
    computeTickTiming(tick, simulation.frames[index]!, simulation.frames[index + 1]!),
  );
}

/**
 * Returns the tick at a position with the states before and after it. Without ticks, the arena is
 * static.
 */
export function sceneAt(
  simulation: SimulatedReplay,
  timings: readonly TickTiming[],
  { tick }: TickPosition,
): TickScene {
  const before = simulation.frames[tick]!;
  const shownTick = simulation.ticks[tick];
  if (shownTick !== undefined)
    return { tick: shownTick, before, after: simulation.frames[tick + 1]!, timing: timings[tick]! };
  const emptyTick = { tick, turns: [], reply_ms: [], budget_ms: [], events: [], flights: [] };
  return {
    tick: emptyTick,
    before,
    after: before,
    timing: computeTickTiming(emptyTick, before, before),
  };
}

export type ReplayScenes = {
  simulation: SimulatedReplay;
  timings: readonly TickTiming[];
  /** Shown after the last tick. */
  summary: EndSummary;
};

export function paintReplayFrame(
  surface: DrawingSurface,
  { simulation, timings, summary }: ReplayScenes,
  state: ViewerState,
): void {
  const position = positionOf(state);
  const { progress } = position;
  const scene = sceneAt(simulation, timings, position);
  const skipsShake = state.isMotionless || state.speed > MAX_SHAKE_SPEED;
  beginFrame(surface, skipsShake ? 0 : screenShake(scene, progress));
  drawGround(surface, scene, progress);
  drawAttacks(surface, scene, progress);
  drawFighters(surface, scene, progress);
  drawImpacts(surface, scene, progress);
  drawBubbles(surface, recentShouts(simulation.ticks, scene.tick.tick), scene, progress);
  if (state.durations.length > 0 && state.position >= state.durations.length)
    drawEndCard(surface, summary, scene);
}

/** Returns the factor of the playback speed: knockouts are in slow motion. */
export function replayTimeScale(simulation: SimulatedReplay, state: ViewerState): number {
  if (state.isMotionless || state.speed > MAX_SHAKE_SPEED) return 1;
  const tick = simulation.ticks[Math.floor(state.position)];
  const hasDeath = tick?.events.some(({ type }) => type === "death") === true;
  return hasDeath ? KNOCKOUT_TIME_SCALE : 1;
}

/** Returns the frame whose numbers to show. HP drops in the last beat of a tick. */
export function displayedFrame(
  timings: readonly TickTiming[],
  { tick, progress }: TickPosition,
): number {
  const endStart = timings[tick]?.spans.end.from ?? 0;
  return progress > endStart || progress === 1 ? tick + 1 : tick;
}
