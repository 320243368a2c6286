// A fighter's decision in a tick: still open, a turn, or a fault.

import type { Turn } from "#core/engine/types.ts";
import type { ClientMessage, MessageError } from "#core/protocol/parse-message.ts";

/** `at` is the arrival time of the frame in µs. */
export type Decision =
  | { readonly state: "open" }
  | { readonly state: "turn"; readonly turn: Turn; readonly at: number }
  | { readonly state: "fault"; readonly fault: MessageError; readonly at: number };

export const OPEN: Decision = { state: "open" };

export function decisionOf(message: ClientMessage, tick: number, at: number): Decision {
  switch (message.type) {
    case "turn":
    case "bad_turn":
      return turnDecision(message, tick, at);
    case "bad":
      return { state: "fault", fault: message.error, at };
    case "queue":
    case "bad_queue":
    case "leave":
    case "ready":
      return OPEN;
  }
}

type TurnMessage = Extract<ClientMessage, { type: "turn" | "bad_turn" }>;

/** Checks the tick first, so that a turn for an earlier tick is ignored even if it is invalid. */
function turnDecision(message: TurnMessage, tick: number, at: number): Decision {
  if (message.tick !== null && message.tick < tick) return OPEN;
  if (message.tick !== null && message.tick > tick)
    return schemaFault(`'tick' is later than the current tick, ${tick}.`, at);
  if (message.type === "bad_turn") return schemaFault(message.message, at);
  return { state: "turn", turn: message.turn, at };
}

function schemaFault(message: string, at: number): Decision {
  return { state: "fault", fault: { reason: "schema", message }, at };
}
