// Schedules rendering after each state change. Every change must go through `updateState`.
import { advanceViewer } from "./viewer-state.ts";
import type { ViewerState } from "./viewer-state.ts";

export type RenderLoopDeps = {
  draw: (state: ViewerState) => void;
  onState: (state: ViewerState) => void;
  /** Factor of the playback speed, for slow motion. */
  timeScale: (state: ViewerState) => number;
};

export type RenderLoop = {
  state: () => ViewerState;
  /** Updates the state and renders it in the next animation frame. */
  updateState: (update: (state: ViewerState) => ViewerState) => void;
  stop: () => void;
};

/** Maximum time step per frame, so a suspended tab doesn't skip ahead. */
const MAX_FRAME_MS = 100;

export function startRenderLoop(initialState: ViewerState, deps: RenderLoopDeps): RenderLoop {
  let state = initialState;
  let frameRequest = 0;
  let lastFrameMs: number | null = null;
  const renderFrame = (now: number): void => {
    frameRequest = 0;
    const previousState = state;
    if (lastFrameMs !== null) {
      const frameMs = Math.min(now - lastFrameMs, MAX_FRAME_MS);
      state = advanceViewer(state, frameMs * deps.timeScale(state));
    }
    lastFrameMs = state.isPlaying ? now : null;
    if (state !== previousState) deps.onState(state);
    deps.draw(state);
    if (state.isPlaying) schedule();
  };
  const schedule = (): void => {
    if (frameRequest === 0) frameRequest = requestAnimationFrame(renderFrame);
  };
  const updateState = (update: (state: ViewerState) => ViewerState): void => {
    state = update(state);
    deps.onState(state);
    schedule();
  };
  schedule();
  return { state: () => state, updateState, stop: () => cancelAnimationFrame(frameRequest) };
}
