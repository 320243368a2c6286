// One picture of the arena: a tick and how much of it has passed, painted in layers.
import { openPicture } from "./canvas.ts";
import type { Surface } from "./canvas.ts";
import { drawAttacks, drawImpacts, shakeOf } from "./draw-effects.ts";
import { drawBubbles, drawFighters } from "./draw-fighters.ts";
import { drawGround } from "./draw-ground.ts";
import type { Film } from "./film.ts";
import { scoreOf } from "./tick-timing.ts";
import type { TickScene, TickTiming } from "./tick-timing.ts";
import type { Position, ViewerState } from "./viewer-state.ts";
import { positionOf } from "./viewer-state.ts";

/** At higher speeds a shaking picture only flickers. */
const FASTEST_SHAKE = 2;

export function scoresOf(film: Film): TickTiming[] {
  return film.ticks.map((tick, index) =>
    scoreOf(tick, film.frames[index]!, film.frames[index + 1]!),
  );
}

/** The tick at a position, with the states around it. A bout without ticks stands still. */
export function sceneAt(film: Film, scores: readonly TickTiming[], { tick }: Position): TickScene {
  const before = film.frames[tick]!;
  const shown = film.ticks[tick];
  if (shown !== undefined)
    return { tick: shown, before, after: film.frames[tick + 1]!, score: scores[tick]! };
  const nothing = { tick, turns: [], reply_ms: [], budget_ms: [], events: [], flights: [] };
  return { tick: nothing, before, after: before, score: scoreOf(nothing, before, before) };
}

export function paintPicture(
  surface: Surface,
  film: Film,
  scores: readonly TickTiming[],
  state: ViewerState,
): void {
  const position = positionOf(state);
  const scene = sceneAt(film, scores, position);
  const isCalm = state.still || state.speed > FASTEST_SHAKE;
  openPicture(surface, isCalm ? 0 : shakeOf(scene, position.share));
  drawGround(surface, scene, position.share);
  drawAttacks(surface, scene, position.share);
  drawFighters(surface, scene, position.share);
  drawImpacts(surface, scene, position.share);
  drawBubbles(surface, film, scene, position.share);
}

/** The frame whose numbers are shown next to the picture: hp drops with the last beat of a tick. */
export function settledFrame(scores: readonly TickTiming[], { tick, share }: Position): number {
  const ending = scores[tick]?.spans.end.from ?? 0;
  return share > ending || share === 1 ? tick + 1 : tick;
}
