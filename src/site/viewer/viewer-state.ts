// Everything that can change while a replay is watched, as plain data, and every way to change it.

/** Multiples of normal speed. */
export const SPEEDS = [0.5, 1, 2, 4, 8] as const;
export type Speed = (typeof SPEEDS)[number];

export type ViewerState = {
  /** The duration of each tick at normal speed, in ms; one per tick. */
  readonly durations: readonly number[];
  /** Integers are the states between ticks: n is after n ticks. Fractions are within a tick. */
  at: number;
  /** Whether time passes by itself. */
  playing: boolean;
  /** Where playback stops: one tick further after a single step, otherwise the end. */
  until: number;
  speed: Speed;
  /** No motion within ticks: the picture jumps from state to state. */
  still: boolean;
};

/** The larger step, in ticks. */
export const LEAP = 10;

export function newViewer(durations: readonly number[], still: boolean): ViewerState {
  return { durations, at: 0, playing: false, until: durations.length, speed: 1, still };
}

/** Starts playback; at the end, it starts over. */
export function play(state: ViewerState): ViewerState {
  const last = state.durations.length;
  const at = state.at >= last ? 0 : state.at;
  return { ...state, at, playing: last > 0, until: last };
}

export function pause(state: ViewerState): ViewerState {
  return { ...state, playing: false };
}

export function toggle(state: ViewerState): ViewerState {
  return state.playing && state.until === state.durations.length ? pause(state) : play(state);
}

/** Goes to the state after `tick` ticks and stops there. */
export function seek(state: ViewerState, tick: number): ViewerState {
  const at = Math.max(0, Math.min(state.durations.length, Math.round(tick)));
  return { ...state, at, playing: false };
}

/** One tick forward is played; any other number of ticks is a jump. */
export function stepBy(state: ViewerState, ticks: number): ViewerState {
  const whole = ticks > 0 ? Math.floor(state.at) : Math.ceil(state.at);
  const goal = whole + ticks;
  if (ticks !== 1 || state.still || goal > state.durations.length) return seek(state, goal);
  return { ...state, at: whole, playing: true, until: goal };
}

export function setSpeed(state: ViewerState, speed: Speed): ViewerState {
  return { ...state, speed };
}

/** The next speed up or down, if there is one. */
export function shiftSpeed(state: ViewerState, by: 1 | -1): ViewerState {
  const speed = SPEEDS[SPEEDS.indexOf(state.speed) + by];
  return speed === undefined ? state : { ...state, speed };
}

export function setStill(state: ViewerState, still: boolean): ViewerState {
  return { ...state, still };
}

/** Lets real time pass, in ms. */
export function advance(state: ViewerState, ms: number): ViewerState {
  if (!state.playing) return state;
  let left = ms * state.speed;
  let { at } = state;
  while (at < state.until) {
    const tick = Math.floor(at);
    const rest = (tick + 1 - at) * state.durations[tick]!;
    if (rest > left) return { ...state, at: at + left / state.durations[tick]! };
    left -= rest;
    at = tick + 1;
  }
  return { ...state, at: state.until, playing: false };
}

/** What is shown: a tick and how much of it has been played, 0 to 1. */
export type Position = { tick: number; share: number };

/** The tick being played; when paused, all of the tick that led here. */
export function positionOf({ at, still }: ViewerState): Position {
  const whole = Math.floor(at);
  if (at === whole || still) return whole === 0 ? START : { tick: whole - 1, share: 1 };
  return { tick: whole, share: at - whole };
}

const START: Position = { tick: 0, share: 0 };

/** What a key does in the viewer, or null for a key it does not use. */
export function keyChange(
  key: string,
  shift: boolean,
): ((state: ViewerState) => ViewerState) | null {
  const ticks = shift ? LEAP : 1;
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

/** The tick in a URL fragment such as `#tick-57`, or null. */
export function tickInHash(hash: string): number | null {
  const found = /^#tick-(\d{1,4})$/.exec(hash);
  return found === null ? null : Number(found[1]);
}
