import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { fitSurface } from "./canvas.ts";
import type { Surface } from "./canvas.ts";
import { castLines } from "./caster.ts";
import { HpChart } from "./chart.tsx";
import { Controls } from "./controls.tsx";
import type { Film } from "./film.ts";
import { Hud } from "./hud.tsx";
import { EventLog, TickPanel } from "./log.tsx";
import { startLoop } from "./loop.ts";
import type { Loop } from "./loop.ts";
import { paintPicture, scoresOf, settledFrame } from "./picture.ts";
import {
  keyChange,
  newViewer,
  play,
  positionOf,
  seek,
  setStill,
  tickInHash,
} from "./viewer-state.ts";
import type { ViewerState } from "./viewer-state.ts";
import type { Names } from "./words.ts";

/** How long a caster's line is shown, in ticks. */
const LINE_TICKS = 5;
const REDUCED_MOTION = "(prefers-reduced-motion: reduce)";
const DARK = "(prefers-color-scheme: dark)";

/** The arena with everything around it. Rendered only in the browser. */
export function Viewer({ film, names }: { film: Film; names: Names }) {
  const scores = useMemo(() => scoresOf(film), [film]);
  const lines = useMemo(() => castLines(film, names), [film, names]);
  const [state, setState] = useState(() => firstState(scores));
  const stage = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const loop = useRef<Loop>(null);
  useEffect(() => {
    if (stage.current === null || canvas.current === null) return undefined;
    const screen = { stage: stage.current, canvas: canvas.current };
    return runStage(screen, film, state, setState, (started) => (loop.current = started));
  }, [film]);
  const change = (to: (now: ViewerState) => ViewerState): void => loop.current?.change(to);
  const goTo = (tick: number): void => change((now) => seek(now, tick));
  const position = positionOf(state);
  const settled = Math.min(settledFrame(scores, position), film.frames.length - 1);
  const line = lines.findLast(({ tick }) => {
    return tick <= position.tick && tick > position.tick - LINE_TICKS && position.share > 0;
  });
  return (
    <div class="viewer">
      <div class="viewer-main">
        <Hud film={film} frame={film.frames[settled]!} names={names} />
        <div class="stage" ref={stage}>
          <canvas ref={canvas} role="img" aria-label="The arena; its events are in the list" />
          <p class="cast-line">{line?.text ?? " "}</p>
        </div>
        <Controls state={state} change={change} />
        <h2 class="visually-hidden">Hit points over time</h2>
        <HpChart film={film} names={names} lines={lines} at={settled} onSeek={goTo} />
      </div>
      <div class="viewer-side">
        <h2>What happened</h2>
        <EventLog film={film} names={names} lines={lines} tick={position.tick} onSeek={goTo} />
        <TickPanel film={film} names={names} tick={position.tick} />
      </div>
    </div>
  );
}

/** Plays from the start, unless the URL names a tick or the visitor prefers reduced motion. */
function firstState(scores: readonly { ms: number }[]): ViewerState {
  const isStill = matchMedia(REDUCED_MOTION).matches;
  const state = newViewer(
    scores.map(({ ms }) => ms),
    isStill,
  );
  const tick = tickInHash(location.hash);
  if (tick !== null) return seek(state, tick);
  return isStill ? state : play(state);
}

type Screen = { stage: HTMLElement; canvas: HTMLCanvasElement };

/** Connects film, canvas, window and keyboard. Returns a function that disconnects them. */
function runStage(
  { stage, canvas }: Screen,
  film: Film,
  first: ViewerState,
  report: (state: ViewerState) => void,
  onStart: (loop: Loop) => void,
): () => void {
  const scores = scoresOf(film);
  let surface: Surface | null = null;
  const draw = (state: ViewerState): void => {
    if (surface !== null) paintPicture(surface, film, scores, state);
  };
  const loop = startLoop(first, { draw, report });
  onStart(loop);
  const fit = (): void => {
    surface = fitSurface(canvas, film.grid, stage.clientWidth);
    draw(loop.state());
  };
  const observer = new ResizeObserver(fit);
  observer.observe(stage);
  const gone = new AbortController();
  const { signal } = gone;
  const motion = matchMedia(REDUCED_MOTION);
  const restill = () => loop.change((state) => setStill(state, motion.matches));
  motion.addEventListener("change", restill, { signal });
  matchMedia(DARK).addEventListener("change", fit, { signal });
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
  const { target } = event;
  const isElsewhere = event.ctrlKey || event.metaKey || event.altKey || hasOwnKeys(target);
  const change = keyChange(event.key, event.shiftKey);
  if (isElsewhere || change === null) return;
  event.preventDefault();
  loop.change(change);
}

function hasOwnKeys(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, button, a, summary, .log") !== null;
}
