// The arena of a fight on its canvas: plays each tick as it arrives, then rests until the next.
import type { Grid } from "#core/engine/grid.ts";
import type { Tile } from "#core/engine/types.ts";
import { onThemeChange } from "#site/look/theme.ts";
import { fitSurface, openPicture, roomOnPage } from "#site/viewer/canvas.ts";
import type { Surface } from "#site/viewer/canvas.ts";
import { drawAttacks, drawImpacts, shakeOf } from "#site/viewer/draw-effects.ts";
import { drawFighters } from "#site/viewer/draw-fighters.ts";
import { drawGround } from "#site/viewer/draw-ground.ts";
import type { TickScene } from "#site/viewer/tick-timing.ts";

import type { Seen } from "./messages.ts";
import { drawAbove, drawBelow } from "./overlay.ts";
import type { Overlay } from "./overlay.ts";
import { sceneAtRest, sceneBetween } from "./scene.ts";

/** The share of a tick in which it is played; the rest is for the choice. */
const PLAYED_SHARE = 0.6;
const REDUCED_MOTION = "(prefers-reduced-motion: reduce)";
/** How much of the outermost wall the canvas crops on each side, in tiles. */
const CROP = 0.45;

export type PlayBoard = {
  /** A tick has been played: `previous` is what was seen before it, null at the start. */
  play(previous: Seen | null, seen: Seen): void;
  /** Null once there is nothing to choose any more. */
  show(overlay: Overlay | null): void;
  /** The tile at a point of the window. */
  tileAt(clientX: number, clientY: number): Tile;
  stop(): void;
};

type PlayedHand = { scene: TickScene; startedMs: number; ms: number };

export function openBoard(
  stage: HTMLElement,
  canvas: HTMLCanvasElement,
  grid: Grid,
  tickMs: number,
): PlayBoard {
  const motion = matchMedia(REDUCED_MOTION);
  let surface: Surface | null = null;
  let overlay: Overlay | null = null;
  let rest: TickScene | null = null;
  let playing: PlayedHand | null = null;
  let request = 0;

  function frame(now: number): void {
    request = 0;
    if (surface === null || rest === null) return;
    const share = playing === null ? 1 : Math.min(1, (now - playing.startedMs) / playing.ms);
    if (share === 1) playing = null;
    const scene = playing?.scene ?? rest;
    openPicture(surface, playing === null ? 0 : shakeOf(scene, share));
    drawGround(surface, scene, share);
    if (overlay !== null) drawBelow(surface, overlay);
    drawAttacks(surface, scene, share);
    drawFighters(surface, scene, share);
    drawImpacts(surface, scene, share);
    if (overlay !== null) drawAbove(surface, overlay, playing === null);
    if (playing !== null) paint();
  }

  const paint = () => {
    if (request === 0) request = requestAnimationFrame(frame);
  };
  const fit = () => {
    surface = fitSurface(canvas, grid, roomOnPage(stage));
    paint();
  };
  const observer = new ResizeObserver(fit);
  observer.observe(stage);
  const stopped = new AbortController();
  onThemeChange(fit, stopped.signal);
  return {
    play: (previous, seen) => {
      const scene = previous === null ? null : sceneBetween(grid, previous, seen);
      rest = sceneAtRest(grid, scene, seen);
      const ms = Math.min(scene?.score.ms ?? 0, tickMs * PLAYED_SHARE);
      const isStill = scene === null || motion.matches;
      playing = isStill ? null : { scene, startedMs: performance.now(), ms };
      paint();
    },
    show: (next) => {
      overlay = next;
      paint();
    },
    tileAt: (clientX, clientY) => {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const tile = (share: number, size: number) =>
        Math.max(0, Math.min(size - 1, Math.floor(CROP + share * (size - 2 * CROP))));
      return [
        tile((clientX - left) / width, grid.width),
        tile((clientY - top) / height, grid.height),
      ];
    },
    stop: () => {
      observer.disconnect();
      stopped.abort();
      cancelAnimationFrame(request);
    },
  };
}
