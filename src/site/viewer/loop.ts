// The only gate between the viewer's state and the screen: every change goes through `change`.
import { advance } from "./viewer-state.ts";
import type { ViewerState } from "./viewer-state.ts";

export type LoopDeps = {
  /** Paints the picture of a state. */
  draw: (state: ViewerState) => void;
  /** Receives every new state before it is painted. */
  report: (state: ViewerState) => void;
};

export type Loop = {
  state: () => ViewerState;
  /** Replaces the state and paints it in the next frame. */
  change: (to: (state: ViewerState) => ViewerState) => void;
  stop: () => void;
};

/** Most time that one frame counts, so that a suspended tab does not jump through the bout. */
const LONGEST_FRAME_MS = 100;

export function startLoop(first: ViewerState, deps: LoopDeps): Loop {
  let state = first;
  let request = 0;
  let last: number | null = null;
  const frame = (now: number): void => {
    request = 0;
    const before = state;
    if (last !== null) state = advance(state, Math.min(now - last, LONGEST_FRAME_MS));
    last = state.playing ? now : null;
    if (state !== before) deps.report(state);
    deps.draw(state);
    if (state.playing) schedule();
  };
  const schedule = (): void => {
    if (request === 0) request = requestAnimationFrame(frame);
  };
  const change = (to: (state: ViewerState) => ViewerState): void => {
    state = to(state);
    deps.report(state);
    schedule();
  };
  schedule();
  return { state: () => state, change, stop: () => cancelAnimationFrame(request) };
}
