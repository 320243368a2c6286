// Draws a human match on a canvas. Animates each tick when it arrives, then waits for the next
// tick.
import type { Grid } from "#core/engine/grid.ts";
import type { Tile } from "#core/engine/types.ts";
import { onThemeChange } from "#site/ui/theme.ts";
import { fitSurface, beginFrame, canvasSpaceOnPage } from "#site/viewer/canvas.ts";
import type { DrawingSurface } from "#site/viewer/canvas.ts";
import { drawBubbles, recentShouts } from "#site/viewer/draw-bubbles.ts";
import { drawAttacks, screenShake } from "#site/viewer/draw-effects.ts";
import { drawEndCard } from "#site/viewer/draw-end-card.ts";
import { drawFighters } from "#site/viewer/draw-fighters.ts";
import { drawGround } from "#site/viewer/draw-ground.ts";
import { drawImpacts } from "#site/viewer/draw-impacts.ts";
import type { EndSummary } from "#site/viewer/end-summary.ts";
import type { FighterBots } from "#site/viewer/portraits.ts";
import type { TickScene } from "#site/viewer/tick-timing.ts";

import { drawFog, drawOverlayAbove, drawOverlayBelow } from "./choice-overlay.ts";
import type { ChoiceOverlay } from "./choice-overlay.ts";
import type { PlayObservation } from "./messages.ts";
import { restingScene as sceneAtRest, sceneBetweenObservations } from "./scene.ts";

/** Fraction of a tick used for the animation. The remaining time is for choosing. */
const ANIMATED_FRACTION = 0.6;
const REDUCED_MOTION = "(prefers-reduced-motion: reduce)";
/** A shout is shown for less time. */
const MAX_SHOWN_TICKS = 8;
/** Width that the canvas crops from each side of the outer wall, in tiles. */
const WALL_CROP_TILES = 0.45;

export type MatchBoard = {
  /**
   * Called after a tick. `previous` is the observation before the tick, or null for the first
   * observation.
   */
  animateTick(previous: PlayObservation | null, observation: PlayObservation): void;
  /** Pass null when there is nothing left to choose. */
  setOverlay(overlay: ChoiceOverlay | null): void;
  /** Shows the numbers of a finished match. */
  setSummary(summary: EndSummary): void;
  /** Returns the tile at a point in client coordinates. */
  tileAt(clientX: number, clientY: number): Tile;
  stop(): void;
};

type TickAnimation = { scene: TickScene; startedMs: number; ms: number };

export type BoardOptions = { grid: Grid; tickMs: number; bots: FighterBots };

export function createBoard(
  container: HTMLElement,
  canvas: HTMLCanvasElement,
  { grid, tickMs, bots }: BoardOptions,
): MatchBoard {
  const motion = matchMedia(REDUCED_MOTION);
  let surface: DrawingSurface | null = null;
  let overlay: ChoiceOverlay | null = null;
  let rest: TickScene | null = null;
  let animation: TickAnimation | null = null;
  let summary: EndSummary | null = null;
  /** Recent ticks, for shouts that are still shown. */
  let shownTicks: TickScene["tick"][] = [];
  let frameRequest = 0;

  function paintFrame(now: number): void {
    frameRequest = 0;
    if (surface === null || rest === null) return;
    const progress =
      animation === null ? 1 : Math.min(1, (now - animation.startedMs) / animation.ms);
    if (progress === 1) animation = null;
    const scene = animation?.scene ?? rest;
    beginFrame(surface, animation === null ? 0 : screenShake(scene, progress));
    if (overlay !== null) drawFog(surface, overlay.observation);
    drawGround(surface, scene, progress);
    if (overlay !== null) drawOverlayBelow(surface, overlay);
    drawAttacks(surface, scene, progress);
    drawFighters(surface, scene, progress);
    drawImpacts(surface, scene, progress);
    drawBubbles(surface, recentShouts(shownTicks, scene.tick.tick), scene, progress);
    if (overlay !== null) drawOverlayAbove(surface, overlay, animation === null);
    if (summary !== null) drawEndCard(surface, summary, scene);
    if (animation !== null) requestPaint();
  }

  const requestPaint = () => {
    if (frameRequest === 0) frameRequest = requestAnimationFrame(paintFrame);
  };
  const resize = () => {
    surface = fitSurface(canvas, grid, canvasSpaceOnPage(container), bots);
    requestPaint();
  };
  const observer = new ResizeObserver(resize);
  observer.observe(container);
  const controller = new AbortController();
  onThemeChange(resize, controller.signal);
  return {
    animateTick: (previous, observation) => {
      const scene =
        previous === null ? null : sceneBetweenObservations(grid, previous, observation);
      rest = sceneAtRest(grid, scene, observation);
      if (scene !== null) shownTicks = [...shownTicks, scene.tick].slice(-MAX_SHOWN_TICKS);
      const ms = Math.min(scene?.timing.ms ?? 0, tickMs * ANIMATED_FRACTION);
      const isMotionless = scene === null || motion.matches;
      animation = isMotionless ? null : { scene, startedMs: performance.now(), ms };
      requestPaint();
    },
    setOverlay: (nextOverlay) => {
      overlay = nextOverlay;
      requestPaint();
    },
    setSummary: (endSummary) => {
      summary = endSummary;
      requestPaint();
    },
    tileAt: (clientX, clientY) => {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const tile = (progress: number, size: number) =>
        Math.max(
          0,
          Math.min(size - 1, Math.floor(WALL_CROP_TILES + progress * (size - 2 * WALL_CROP_TILES))),
        );
      return [
        tile((clientX - left) / width, grid.width),
        tile((clientY - top) / height, grid.height),
      ];
    },
    stop: () => {
      observer.disconnect();
      controller.abort();
      cancelAnimationFrame(frameRequest);
    },
  };
}
