// The door of the bot socket: a frame's text becomes one value of a closed vocabulary. Never
// throws.

import { DIRECTIONS } from "#core/engine/types.ts";
import type { Attack, Direction, Target, Turn } from "#core/engine/types.ts";
import type { LadderId, MatchId } from "#core/words/ids.ts";

export type MessageFault = { reason: "malformed_json" | "schema"; message: string };

/** What a bot sent. A known message with a fault in it keeps the message's type. */
export type ClientMessage =
  | { type: "queue"; version: string; ladderId: LadderId | null }
  | { type: "leave" }
  | { type: "ready"; matchId: MatchId | null }
  | { type: "turn"; tick: number; turn: Turn }
  | { type: "bad_queue"; message: string }
  /** `tick` is null if it cannot be read either. */
  | { type: "bad_turn"; tick: number | null; message: string }
  | { type: "bad"; fault: MessageFault };

type Fields = { readonly [key: string]: unknown };

const directions: ReadonlySet<unknown> = new Set(DIRECTIONS);
const isDirection = (value: unknown): value is Direction => directions.has(value);

const schema = (message: string): ClientMessage => ({
  type: "bad",
  fault: { reason: "schema", message },
});

/** A binary frame is rejected whatever it holds. */
export const BINARY_FRAME = schema("Messages are text frames; this one was binary.");

/** Reads one text frame. */
export function parseMessage(text: string): ClientMessage {
  const value = parseJson(text);
  if (value === undefined)
    return { type: "bad", fault: { reason: "malformed_json", message: "The frame is not JSON." } };
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return schema("A message is a JSON object with a 'type'.");
  const fields = value as Fields;
  switch (fields.type) {
    case "turn":
      return parseTurn(fields);
    case "queue":
      return parseQueue(fields);
    case "leave":
      return { type: "leave" };
    case "ready":
      return { type: "ready", matchId: matchIdOf(fields.match_id) };
    default:
      return schema("'type' is one of queue, leave, ready, turn.");
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Anything but text names no match, so such a `ready` is ignored. */
function matchIdOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : "";
}

function parseQueue(fields: Fields): ClientMessage {
  const { version, ladder_id: ladderId } = fields;
  if (typeof version !== "string")
    return { type: "bad_queue", message: "'version' of queue is a text label." };
  if (ladderId === undefined || ladderId === null)
    return { type: "queue", version, ladderId: null };
  if (typeof ladderId !== "string")
    return { type: "bad_queue", message: "'ladder_id' of queue is a text." };
  return { type: "queue", version, ladderId };
}

const BAD_TICK = "'tick' of turn is a whole number, the tick of the observation it answers.";

// The tick is checked first: a turn for an older tick is dropped whatever else it holds.
function parseTurn(fields: Fields): ClientMessage {
  const { tick } = fields;
  if (typeof tick !== "number" || !Number.isInteger(tick) || tick < 0)
    return { type: "bad_turn", tick: null, message: BAD_TICK };
  const turn: Turn = {};
  const problem =
    readDirection(fields, "move", turn) ??
    readDirection(fields, "dash", turn) ??
    readAttack(fields, turn) ??
    readShout(fields, turn);
  return problem === null
    ? { type: "turn", tick, turn }
    : { type: "bad_turn", tick, message: problem };
}

function readDirection(fields: Fields, part: "move" | "dash", turn: Turn): string | null {
  const value = fields[part];
  if (value === undefined || value === null) return null;
  if (!isDirection(value)) return `'${part}' is one of ${DIRECTIONS.join(", ")}.`;
  turn[part] = value;
  return null;
}

function readAttack(fields: Fields, turn: Turn): string | null {
  const value = fields.attack;
  if (value === undefined || value === null) return null;
  if (typeof value !== "object" || Array.isArray(value))
    return "'attack' is an object {name, target}.";
  const { name, target } = value as Fields;
  if (typeof name !== "string") return "'attack.name' is a text, a key of hello.rules.attacks.";
  turn.attack = attackOf(name, target);
  return null;
}

/** A malformed target is left out; the engine refuses an attack that needs one. */
function attackOf(name: string, target: unknown): Attack {
  if (isDirection(target) || isTile(target)) return { name, target };
  return { name };
}

const isTile = (value: unknown): value is Target =>
  Array.isArray(value) &&
  value.length === 2 &&
  Number.isInteger(value[0]) &&
  Number.isInteger(value[1]);

function readShout(fields: Fields, turn: Turn): string | null {
  const value = fields.shout;
  if (value === undefined || value === null) return null;
  if (typeof value !== "string") return "'shout' is a text of at most 40 characters.";
  turn.shout = value;
  return null;
}
