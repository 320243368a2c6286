// Draws a live match on a canvas: each tick once, in order, faster if ticks have piled up.

import { onThemeChange } from "#site/ui/theme.ts";

import { beginFrame, canvasSpaceInWindow, fitSurface } from "./canvas.ts";
import type { DrawingSurface } from "./canvas.ts";
import { drawAttacks } from "./draw-effects.ts";
import { drawFighters } from "./draw-fighters.ts";
import { drawGround } from "./draw-ground.ts";
import { drawImpacts } from "./draw-impacts.ts";
import { playbackSpeed, stillScene, takeTick } from "./live-match.ts";
import type { LiveMatch } from "./live-match.ts";
import type { TickScene } from "./tick-timing.ts";

const REDUCED_MOTION = "(prefers-reduced-motion: reduce)";

export type LiveBoard = {
  /** Call after frames were added. */
  update(): void;
  stop(): void;
};

/** `onTick` is called when a tick starts to be drawn. */
export function createLiveBoard(
  { container, canvas }: { container: HTMLElement; canvas: HTMLCanvasElement },
  match: LiveMatch,
  { onTick }: { onTick: () => void },
): LiveBoard {
  const motion = matchMedia(REDUCED_MOTION);
  let surface: DrawingSurface | null = null;
  let scene: TickScene | null = null;
  let progress = 1;
  let lastPaintMs: number | null = null;
  let frameRequest = 0;

  function paint(): void {
    if (surface === null || match.current === null) return;
    const shown = scene ?? stillScene(match.grid, match.current);
    beginFrame(surface, 0);
    drawGround(surface, shown, progress);
    drawAttacks(surface, shown, progress);
    drawFighters(surface, shown, progress);
    drawImpacts(surface, shown, progress);
  }

  function advance(elapsedMs: number): void {
    if (scene !== null)
      progress = motion.matches
        ? 1
        : Math.min(1, progress + (elapsedMs * playbackSpeed(match)) / scene.timing.ms);
    if (progress < 1) return;
    const next = takeTick(match);
    if (next === null) return;
    scene = next;
    progress = motion.matches ? 1 : 0;
    onTick();
  }

  const isIdle = () => progress === 1 && match.waiting.length === 0;

  function handleFrame(nowMs: number): void {
    frameRequest = 0;
    advance(lastPaintMs === null ? 0 : nowMs - lastPaintMs);
    paint();
    lastPaintMs = isIdle() ? null : nowMs;
    if (!isIdle()) requestPaint();
  }

  const requestPaint = () => {
    if (frameRequest === 0) frameRequest = requestAnimationFrame(handleFrame);
  };
  const resize = () => {
    surface = fitSurface(canvas, match.grid, canvasSpaceInWindow(container), match.bots);
    requestPaint();
  };
  resize();
  const observer = new ResizeObserver(resize);
  observer.observe(container);
  const controller = new AbortController();
  onThemeChange(resize, controller.signal);
  return {
    update: requestPaint,
    stop: () => {
      controller.abort();
      observer.disconnect();
      cancelAnimationFrame(frameRequest);
    },
  };
}
