import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import { onThemeChange } from "#site/ui/theme.ts";

import { fitSurface } from "./canvas.ts";
import type { CanvasSpace, DrawingSurface } from "./canvas.ts";
import { summarizeEnd } from "./end-summary.ts";
import { isShortcutEvent } from "./keyboard-shortcuts.tsx";
import type { NamesByFighter } from "./match-texts.ts";
import type { FighterBots } from "./portraits.ts";
import { startRenderLoop } from "./render-loop.ts";
import type { RenderLoop } from "./render-loop.ts";
import { paintReplayFrame, replayTimeScale, tickTimings } from "./replay-frame.ts";
import type { ReplayScenes } from "./replay-frame.ts";
import type { SimulatedReplay } from "./simulated-replay.ts";
import type { TickTiming } from "./tick-timing.ts";
import {
  keyChange,
  createViewerState,
  startPlayback,
  seek,
  setMotionless,
  tickInHash,
} from "./viewer-state.ts";
import type { ViewerState } from "./viewer-state.ts";

const REDUCED_MOTION = "(prefers-reduced-motion: reduce)";

export type UpdateViewer = (update: (current: ViewerState) => ViewerState) => void;

export type ReplayCanvas = {
  state: ViewerState;
  updateState: UpdateViewer;
  timings: readonly TickTiming[];
  boxRef: RefObject<HTMLDivElement | null>;
  canvasRef: RefObject<HTMLCanvasElement | null>;
};

export type ReplayCanvasOptions = {
  /** Has no effect if the visitor prefers reduced motion. */
  autoPlays: boolean;
  spaceInBox: (boxRef: HTMLElement) => CanvasSpace;
  names: NamesByFighter;
  bots: FighterBots;
};

export function useReplayCanvas(
  simulation: SimulatedReplay,
  options: ReplayCanvasOptions,
): ReplayCanvas {
  const [timings] = useState(() => tickTimings(simulation));
  const [state, setState] = useState(() => initialViewerState(timings, options.autoPlays));
  const boxRef = useRef<HTMLDivElement>(null);
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const loop = useRef<RenderLoop>(null);
  // A layout effect sizes the canvas before the first paint, which avoids a layout shift.
  useLayoutEffect(() => {
    if (boxRef.current === null || canvasRef.current === null) return undefined;
    const elements = {
      boxRef: boxRef.current,
      canvasRef: canvasRef.current,
      spaceInBox: options.spaceInBox,
      bots: options.bots,
    };
    return connectReplayCanvas(
      elements,
      { simulation, timings, summary: summarizeEnd(simulation, options.names) },
      state,
      setState,
      (startedLoop) => {
        loop.current = startedLoop;
      },
    );
  }, [simulation]);
  const updateState: UpdateViewer = (update) => loop.current?.updateState(update);
  return { state, updateState, timings, boxRef, canvasRef };
}

/** Starts at the first tick, unless the URL names a tick. */
function initialViewerState(timings: readonly TickTiming[], autoPlays: boolean): ViewerState {
  const prefersReducedMotion = matchMedia(REDUCED_MOTION).matches;
  const state = createViewerState(
    timings.map(({ ms }) => ms),
    prefersReducedMotion,
  );
  const tick = tickInHash(location.hash);
  if (tick !== null) return seek(state, tick);
  return prefersReducedMotion || !autoPlays ? state : startPlayback(state);
}

type CanvasElements = {
  boxRef: HTMLElement;
  canvasRef: HTMLCanvasElement;
  spaceInBox: ReplayCanvasOptions["spaceInBox"];
  bots: FighterBots;
};

/** Connects all listeners. Returns a function that disconnects them. */
function connectReplayCanvas(
  { boxRef, canvasRef, spaceInBox, bots }: CanvasElements,
  scenes: ReplayScenes,
  initialState: ViewerState,
  onState: (state: ViewerState) => void,
  onStart: (loop: RenderLoop) => void,
): () => void {
  let surface: DrawingSurface | null = null;
  const draw = (state: ViewerState): void => {
    if (surface !== null) paintReplayFrame(surface, scenes, state);
  };
  const timeScale = (state: ViewerState) => replayTimeScale(scenes.simulation, state);
  const loop = startRenderLoop(initialState, { draw, onState, timeScale });
  onStart(loop);
  const resize = (): void => {
    surface = fitSurface(canvasRef, scenes.simulation.grid, spaceInBox(boxRef), bots);
    draw(loop.state());
  };
  resize();
  const observer = new ResizeObserver(resize);
  observer.observe(boxRef);
  const controller = new AbortController();
  const { signal } = controller;
  // The space depends on the window's height, which the observed element doesn't.
  addEventListener("resize", resize, { signal });
  const motion = matchMedia(REDUCED_MOTION);
  const updateReducedMotion = () =>
    loop.updateState((state) => setMotionless(state, motion.matches));
  motion.addEventListener("change", updateReducedMotion, { signal });
  onThemeChange(resize, signal);
  document.addEventListener("keydown", (event) => handleKey(event, loop), { signal });
  addEventListener("hashchange", () => handleHashChange(loop), { signal });
  return () => {
    controller.abort();
    observer.disconnect();
    loop.stop();
  };
}

function handleHashChange(loop: RenderLoop): void {
  const tick = tickInHash(location.hash);
  if (tick !== null) loop.updateState((state) => seek(state, tick));
}

/** Keys control the viewer unless another element uses them. */
function handleKey(event: KeyboardEvent, loop: RenderLoop): void {
  const updateState = keyChange(event.key, event.shiftKey);
  if (updateState === null || !isShortcutEvent(event)) return;
  event.preventDefault();
  loop.updateState(updateState);
}
