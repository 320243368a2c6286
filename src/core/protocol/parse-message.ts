import { DIRECTIONS } from "#core/engine/types.ts";
import type { Attack, Direction, Target, Turn } from "#core/engine/types.ts";
import type { LadderId, MatchId } from "#core/ids/ids.ts";

export type MessageError = { reason: "malformed_json" | "schema"; message: string };

/** An invalid message of a known type keeps its type. */
export type ClientMessage =
  | { type: "queue"; version: string; ladderId: LadderId | null }
  | { type: "leave" }
  | { type: "ready"; matchId: MatchId | null }
  | { type: "turn"; tick: number; turn: Turn }
  | { type: "bad_queue"; message: string }
  /** `tick` is null if it can't be read. */
  | { type: "bad_turn"; tick: number | null; message: string }
  | { type: "bad"; error: MessageError };

type MessageFields = { readonly [key: string]: unknown };

const directions: ReadonlySet<unknown> = new Set(DIRECTIONS);
const isDirection = (value: unknown): value is Direction => directions.has(value);

const schemaError = (message: string): ClientMessage => ({
  type: "bad",
  error: { reason: "schema", message },
});

export const BINARY_FRAME_ERROR = schemaError("Messages are text frames; this one was binary.");

/** Parses one text frame. Returns an invalid message as a value and never throws. */
export function parseClientMessage(text: string): ClientMessage {
  const value = parseJson(text);
  if (value === undefined)
    return { type: "bad", error: { reason: "malformed_json", message: "The frame is not JSON." } };
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return schemaError("A message is a JSON object with a 'type'.");
  const fields = value as MessageFields;
  switch (fields.type) {
    case "turn":
      return parseTurn(fields);
    case "queue":
      return parseQueue(fields);
    case "leave":
      return { type: "leave" };
    case "ready":
      return { type: "ready", matchId: readMatchId(fields.match_id) };
    default:
      return schemaError("'type' is one of queue, leave, ready, turn.");
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A `ready` whose id isn't a string matches no match and is ignored. */
function readMatchId(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : "";
}

function parseQueue(fields: MessageFields): ClientMessage {
  const { version, ladder_id: ladderId } = fields;
  if (typeof version !== "string")
    return { type: "bad_queue", message: "'version' of queue is a string, the version label." };
  if (ladderId === undefined || ladderId === null)
    return { type: "queue", version, ladderId: null };
  if (typeof ladderId !== "string")
    return { type: "bad_queue", message: "'ladder_id' of queue is a string." };
  return { type: "queue", version, ladderId };
}

const BAD_TICK = "'tick' of turn is a whole number, the tick of the observation it answers.";

// Checks the tick first: a turn for an older tick is dropped, whatever else it contains.
function parseTurn(fields: MessageFields): ClientMessage {
  const { tick } = fields;
  if (typeof tick !== "number" || !Number.isInteger(tick) || tick < 0)
    return { type: "bad_turn", tick: null, message: BAD_TICK };
  const turn: Turn = {};
  const errorText =
    readDirection(fields, "move", turn) ??
    readDirection(fields, "dash", turn) ??
    readAttack(fields, turn) ??
    readShout(fields, turn);
  return errorText === null
    ? { type: "turn", tick, turn }
    : { type: "bad_turn", tick, message: errorText };
}

function readDirection(fields: MessageFields, part: "move" | "dash", turn: Turn): string | null {
  const value = fields[part];
  if (value === undefined || value === null) return null;
  if (!isDirection(value)) return `'${part}' is one of ${DIRECTIONS.join(", ")}.`;
  turn[part] = value;
  return null;
}

function readAttack(fields: MessageFields, turn: Turn): string | null {
  const value = fields.attack;
  if (value === undefined || value === null) return null;
  if (typeof value !== "object" || Array.isArray(value))
    return "'attack' is an object {name, target}.";
  const { name, target } = value as MessageFields;
  if (typeof name !== "string") return "'attack.name' is a string, a key of hello.rules.attacks.";
  turn.attack = toAttack(name, target);
  return null;
}

/** Omits a malformed target. The engine refuses attacks that need one. */
function toAttack(name: string, target: unknown): Attack {
  if (isDirection(target) || isTile(target)) return { name, target };
  return { name };
}

const isTile = (value: unknown): value is Target =>
  Array.isArray(value) &&
  value.length === 2 &&
  Number.isInteger(value[0]) &&
  Number.isInteger(value[1]);

function readShout(fields: MessageFields, turn: Turn): string | null {
  const value = fields.shout;
  if (value === undefined || value === null) return null;
  if (typeof value !== "string") return "'shout' is a string of at most 40 characters.";
  turn.shout = value;
  return null;
}
