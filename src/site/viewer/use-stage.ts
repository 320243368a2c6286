// The arena on the page: film, canvas, window and keyboard, connected as long as it is shown.
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import { onThemeChange } from "#site/look/theme.ts";

import { fitSurface } from "./canvas.ts";
import type { Room, Surface } from "./canvas.ts";
import type { Film } from "./film.ts";
import { areKeysOn } from "./keys.tsx";
import { startLoop } from "./loop.ts";
import type { Loop } from "./loop.ts";
import { paintPicture, scoresOf } from "./picture.ts";
import type { TickTiming } from "./tick-timing.ts";
import { keyChange, newViewer, play, seek, setStill, tickInHash } from "./viewer-state.ts";
import type { ViewerState } from "./viewer-state.ts";

const REDUCED_MOTION = "(prefers-reduced-motion: reduce)";

export type Change = (to: (now: ViewerState) => ViewerState) => void;

export type Stage = {
  state: ViewerState;
  change: Change;
  scores: readonly TickTiming[];
  /** The box that the canvas is fitted into. */
  box: RefObject<HTMLDivElement | null>;
  canvas: RefObject<HTMLCanvasElement | null>;
};

export type StageOptions = {
  /** Whether it plays by itself, unless the visitor prefers reduced motion. */
  starts: boolean;
  /** The space for the canvas in its box. */
  roomIn: (box: HTMLElement) => Room;
};

/** The state of a film on stage, and what to give to its box and its canvas. */
export function useStage(film: Film, options: StageOptions): Stage {
  const [scores] = useState(() => scoresOf(film));
  const [state, setState] = useState(() => firstState(scores, options.starts));
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const loop = useRef<Loop>(null);
  // Before anything is painted, or the page would move when the canvas gets its size.
  useLayoutEffect(() => {
    if (box.current === null || canvas.current === null) return undefined;
    const screen = { box: box.current, canvas: canvas.current, roomIn: options.roomIn };
    return runStage(screen, { film, scores }, state, setState, (started) => {
      loop.current = started;
    });
  }, [film]);
  const change: Change = (to) => loop.current?.change(to);
  return { state, change, scores, box, canvas };
}

/** At the start, unless the URL names a tick. */
function firstState(scores: readonly TickTiming[], starts: boolean): ViewerState {
  const isStill = matchMedia(REDUCED_MOTION).matches;
  const state = newViewer(
    scores.map(({ ms }) => ms),
    isStill,
  );
  const tick = tickInHash(location.hash);
  if (tick !== null) return seek(state, tick);
  return isStill || !starts ? state : play(state);
}

type Screen = { box: HTMLElement; canvas: HTMLCanvasElement; roomIn: StageOptions["roomIn"] };

/** Connects everything. Returns a function that disconnects it. */
function runStage(
  { box, canvas, roomIn }: Screen,
  { film, scores }: { film: Film; scores: readonly TickTiming[] },
  first: ViewerState,
  report: (state: ViewerState) => void,
  onStart: (loop: Loop) => void,
): () => void {
  let surface: Surface | null = null;
  const draw = (state: ViewerState): void => {
    if (surface !== null) paintPicture(surface, film, scores, state);
  };
  const loop = startLoop(first, { draw, report });
  onStart(loop);
  const fit = (): void => {
    surface = fitSurface(canvas, film.grid, roomIn(box));
    draw(loop.state());
  };
  fit();
  const observer = new ResizeObserver(fit);
  observer.observe(box);
  const gone = new AbortController();
  const { signal } = gone;
  const motion = matchMedia(REDUCED_MOTION);
  const restill = () => loop.change((state) => setStill(state, motion.matches));
  motion.addEventListener("change", restill, { signal });
  onThemeChange(fit, signal);
  document.addEventListener("keydown", (event) => onKey(event, loop), { signal });
  addEventListener("hashchange", () => onHash(loop), { signal });
  return () => {
    gone.abort();
    observer.disconnect();
    loop.stop();
  };
}

function onHash(loop: Loop): void {
  const tick = tickInHash(location.hash);
  if (tick !== null) loop.change((state) => seek(state, tick));
}

/** Keys belong to the viewer unless something else on the page uses them. */
function onKey(event: KeyboardEvent, loop: Loop): void {
  const isElsewhere = event.ctrlKey || event.metaKey || event.altKey || hasOwnKeys(event.target);
  const change = keyChange(event.key, event.shiftKey);
  if (isElsewhere || change === null || !areKeysOn()) return;
  event.preventDefault();
  loop.change(change);
}

export function hasOwnKeys(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, button, a, summary, .log") !== null;
}
