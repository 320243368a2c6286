// What decides the current tick for a fighter.

import type { Turn } from "#core/engine/types.ts";
import type { ClientMessage, MessageFault } from "#core/protocol/parse.ts";

/** `at` is when the deciding frame arrived, in µs. */
export type Decision =
  | { readonly state: "open" }
  | { readonly state: "turn"; readonly turn: Turn; readonly at: number }
  | { readonly state: "fault"; readonly fault: MessageFault; readonly at: number };

export const OPEN: Decision = { state: "open" };

/** What a message means for an open tick. */
export function decisionOf(message: ClientMessage, tick: number, at: number): Decision {
  switch (message.type) {
    case "turn":
    case "bad_turn":
      return turnDecision(message, tick, at);
    case "bad":
      return { state: "fault", fault: message.fault, at };
    case "queue":
    case "bad_queue":
    case "leave":
    case "ready":
      return OPEN;
  }
}

type TurnMessage = Extract<ClientMessage, { type: "turn" | "bad_turn" }>;

/** The tick is checked first: a turn for an older tick is dropped whatever else it holds. */
function turnDecision(message: TurnMessage, tick: number, at: number): Decision {
  if (message.tick !== null && message.tick < tick) return OPEN;
  if (message.tick !== null && message.tick > tick)
    return schemaFault(`'tick' is ${tick} now, not later.`, at);
  if (message.type === "bad_turn") return schemaFault(message.message, at);
  return { state: "turn", turn: message.turn, at };
}

function schemaFault(message: string, at: number): Decision {
  return { state: "fault", fault: { reason: "schema", message }, at };
}
