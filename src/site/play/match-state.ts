// The state of a human match on the page. Each server message produces a new state.
import { parseGrid } from "#core/engine/grid.ts";
import type { Grid } from "#core/engine/grid.ts";

import { describeEventForPlayer } from "./match-texts.ts";
import type {
  PlayEndMessage,
  PlayHelloMessage,
  PlayServerMessage,
  PlayObservation,
} from "./messages.ts";
import { observationAtEnd } from "./scene.ts";

type EventMessage = { tick: number; text: string };

export type HumanMatchState = {
  opponentName: string;
  /** Null until the match has started. */
  hello: PlayHelloMessage | null;
  grid: Grid | null;
  /** Latest observation, and the observation before it. */
  observation: PlayObservation | null;
  previous: PlayObservation | null;
  /** Oldest first. */
  messages: readonly EventMessage[];
  end: PlayEndMessage | null;
  /** Why the match didn't start or was aborted. */
  error: string | null;
  isDraining: boolean;
};

/** Maximum number of messages shown. */
const MAX_MESSAGES = 5;

export const initialMatchState = (opponentName: string): HumanMatchState => ({
  opponentName,
  hello: null,
  grid: null,
  observation: null,
  previous: null,
  messages: [],
  end: null,
  error: null,
  isDraining: false,
});

export function applyMessage(state: HumanMatchState, message: PlayServerMessage): HumanMatchState {
  switch (message.type) {
    case "hello": {
      const { name, rows } = message.map;
      return { ...state, hello: message, grid: parseGrid(name, rows) };
    }
    case "observation":
      return applyObservation(state, message);
    case "end":
      return applyEnd(state, message);
    case "error":
      return state.hello === null || message.code === "rate_limited"
        ? { ...state, error: message.message }
        : state;
    case "server_draining":
      return { ...state, isDraining: true };
  }
}

function applyObservation(state: HumanMatchState, observation: PlayObservation): HumanMatchState {
  const { hello, opponentName } = state;
  if (hello === null) return state;
  const playerNames = { ownId: hello.fighter, opponentName };
  const newMessages = observation.events.flatMap((event) => {
    const text = describeEventForPlayer(event, playerNames);
    return text === null ? [] : [{ tick: observation.tick - 1, text }];
  });
  const messages = [...state.messages, ...newMessages].slice(-MAX_MESSAGES);
  return { ...state, observation, previous: state.observation, messages };
}

/** Appends a message unless it equals the latest one, because holding a key repeats the message. */
export function withMessage(state: HumanMatchState, tick: number, text: string): HumanMatchState {
  if (state.messages.at(-1)?.text === text) return state;
  return { ...state, messages: [...state.messages, { tick, text }].slice(-MAX_MESSAGES) };
}

function applyEnd(state: HumanMatchState, end: PlayEndMessage): HumanMatchState {
  const { observation } = state;
  if (observation === null) return { ...state, end };
  return { ...state, end, observation: observationAtEnd(observation, end), previous: null };
}

/** Handles a closed socket. Closing is an error unless the match has ended. */
export function applyClose(state: HumanMatchState): HumanMatchState {
  if (state.end !== null || state.error !== null) return state;
  return { ...state, error: connectionError(state) };
}

function connectionError({ hello, isDraining }: HumanMatchState): string {
  if (isDraining) return "The server is unavailable while it restarts. Try again in a minute.";
  return hello === null
    ? "The server isn't responding. Try again in a moment."
    : "The connection broke. Leaving a match forfeits it.";
}
