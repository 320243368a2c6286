import { beginFrame } from "./canvas.ts";
import type { DrawingSurface } from "./canvas.ts";
import { drawAttacks, drawImpacts, screenShake } from "./draw-effects.ts";
import { drawBubbles, drawFighters } from "./draw-fighters.ts";
import { drawGround } from "./draw-ground.ts";
import type { SimulatedReplay } from "./simulated-replay.ts";
import { computeTickTiming } from "./tick-timing.ts";
import type { TickScene, TickTiming } from "./tick-timing.ts";
import type { TickPosition, ViewerState } from "./viewer-state.ts";
import { positionOf } from "./viewer-state.ts";

/** At higher speeds, shaking would look like flicker. */
const MAX_SHAKE_SPEED = 2;

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

export function paintReplayFrame(
  surface: DrawingSurface,
  simulation: SimulatedReplay,
  timings: readonly TickTiming[],
  state: ViewerState,
): void {
  const position = positionOf(state);
  const scene = sceneAt(simulation, timings, position);
  const skipsShake = state.isMotionless || state.speed > MAX_SHAKE_SPEED;
  beginFrame(surface, skipsShake ? 0 : screenShake(scene, position.progress));
  drawGround(surface, scene, position.progress);
  drawAttacks(surface, scene, position.progress);
  drawFighters(surface, scene, position.progress);
  drawImpacts(surface, scene, position.progress);
  drawBubbles(surface, simulation, scene, position.progress);
}

/** Returns the frame whose numbers to show. HP drops in the last beat of a tick. */
export function displayedFrame(
  timings: readonly TickTiming[],
  { tick, progress }: TickPosition,
): number {
  const endStart = timings[tick]?.spans.end.from ?? 0;
  return progress > endStart || progress === 1 ? tick + 1 : tick;
}
