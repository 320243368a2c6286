// A replay's playback state is plain data. This file contains all its transitions.

/** Multiples of normal speed. */
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16] as const;
export type Speed = (typeof SPEEDS)[number];

export type ViewerState = {
  /** Duration of each tick at normal speed, in ms. */
  readonly durations: readonly number[];
  /** An integer n is the state after n ticks. Fractions are positions within a tick. */
  position: number;
  isPlaying: boolean;
  /** Where playback stops: after one tick for a single step, otherwise at the end. */
  stopAt: number;
  speed: Speed;
  isMotionless: boolean;
};

/** Ticks per large step. */
export const LARGE_STEP_TICKS = 10;

export function createViewerState(
  durations: readonly number[],
  isMotionless: boolean,
): ViewerState {
  return {
    durations,
    position: 0,
    isPlaying: false,
    stopAt: durations.length,
    speed: 1,
    isMotionless,
  };
}

/** Starts playback. At the end, restarts from the beginning. */
export function startPlayback(state: ViewerState): ViewerState {
  const endPosition = state.durations.length;
  const position = state.position >= endPosition ? 0 : state.position;
  return { ...state, position, isPlaying: endPosition > 0, stopAt: endPosition };
}

export function pausePlayback(state: ViewerState): ViewerState {
  return { ...state, isPlaying: false };
}

export function toggle(state: ViewerState): ViewerState {
  return state.isPlaying && state.stopAt === state.durations.length
    ? pausePlayback(state)
    : startPlayback(state);
}

/** Goes to the state after `tick` ticks and pauses. */
export function seek(state: ViewerState, tick: number): ViewerState {
  const position = Math.max(0, Math.min(state.durations.length, Math.round(tick)));
  return { ...state, position, isPlaying: false };
}

/** Animates a single tick forward. All other steps jump. */
export function stepBy(state: ViewerState, ticks: number): ViewerState {
  const wholeTick = ticks > 0 ? Math.floor(state.position) : Math.ceil(state.position);
  const targetTick = wholeTick + ticks;
  if (ticks !== 1 || state.isMotionless || targetTick > state.durations.length)
    return seek(state, targetTick);
  return { ...state, position: wholeTick, isPlaying: true, stopAt: targetTick };
}

export function setSpeed(state: ViewerState, speed: Speed): ViewerState {
  return { ...state, speed };
}

/** Changes to the next speed up or down, if there is one. */
export function shiftSpeed(state: ViewerState, step: 1 | -1): ViewerState {
  const speed = SPEEDS[SPEEDS.indexOf(state.speed) + step];
  return speed === undefined ? state : { ...state, speed };
}

export function setMotionless(state: ViewerState, isMotionless: boolean): ViewerState {
  return { ...state, isMotionless };
}

export function advanceViewer(state: ViewerState, ms: number): ViewerState {
  if (!state.isPlaying) return state;
  let remainingMs = ms * state.speed;
  let { position } = state;
  while (position < state.stopAt) {
    const tick = Math.floor(position);
    const tickRemainingMs = (tick + 1 - position) * state.durations[tick]!;
    if (tickRemainingMs > remainingMs)
      return { ...state, position: position + remainingMs / state.durations[tick]! };
    remainingMs -= tickRemainingMs;
    position = tick + 1;
  }
  return { ...state, position: state.stopAt, isPlaying: false };
}

export type TickPosition = { tick: number; progress: number };

/** Returns the tick being played. When paused between ticks, returns the complete previous tick. */
export function positionOf({ position, isMotionless }: ViewerState): TickPosition {
  const wholeTick = Math.floor(position);
  if (position === wholeTick || isMotionless)
    return wholeTick === 0 ? START_POSITION : { tick: wholeTick - 1, progress: 1 };
  return { tick: wholeTick, progress: position - wholeTick };
}

const START_POSITION: TickPosition = { tick: 0, progress: 0 };

/** Returns the state change for a key, or null if the key is unused. */
export function keyChange(
  key: string,
  isShiftPressed: boolean,
): ((state: ViewerState) => ViewerState) | null {
  const ticks = isShiftPressed ? LARGE_STEP_TICKS : 1;
  switch (key) {
    case " ":
      return toggle;
    case "ArrowRight":
      return (state) => stepBy(state, ticks);
    case "ArrowLeft":
      return (state) => stepBy(state, -ticks);
    case "Home":
      return (state) => seek(state, 0);
    case "End":
      return (state) => seek(state, state.durations.length);
    case "[":
      return (state) => shiftSpeed(state, -1);
    case "]":
      return (state) => shiftSpeed(state, 1);
    default:
      return null;
  }
}

/** Parses the tick in a URL fragment such as `#tick-57`. Returns null for any other fragment. */
export function tickInHash(hash: string): number | null {
  const match = /^#tick-(\d{1,4})$/.exec(hash);
  return match === null ? null : Number(match[1]);
}
