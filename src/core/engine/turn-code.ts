// Encodes recorded turns as integers. A running match then stores numbers instead of objects.

import { NONE } from "./integer-codes.ts";
import { ATTACK_TARGETS } from "./rules.ts";
import { isDirection, isTile } from "./turn.ts";
import type { Attack, RecordedTurn, Target, Turn } from "./types.ts";
import { ATTACKS, DIRECTIONS, IDLE_REASONS } from "./types.ts";

/**
 * Code of a turn that doesn't fit into an integer: with a shout, an unknown attack or a distant
 * target tile.
 */
export const UNENCODABLE_TURN = 3;

const KIND_NO_TURN = 0;
const KIND_PARTS = 1;
const KIND_IDLE = 2;
const KIND_MASK = 3;

const MOVE_SHIFT = 2;
const DASH_SHIFT = 6;
const ATTACK_SHIFT = 10;
const FORM_SHIFT = 14;
const AIM_SHIFT = 16;
const WORD_MASK = 0xf;
const FORM_MASK = 3;
const FORM_DIRECTION = 1;
const FORM_TILE = 2;
/** A target tile fits if both coordinates are lower. */
const COORDINATE_LIMIT = 32;
const TILE_BITS = 5;

/**
 * Returns the integer code of a turn, or UNENCODABLE_TURN. The code holds everything that replays
 * store, so `toRecordedTurn` returns the same for the original and the decoded turn.
 */
export function encodeTurn(turn: RecordedTurn): number {
  if (turn === null) return KIND_NO_TURN;
  if ("idle" in turn) return KIND_IDLE | (IDLE_REASONS.indexOf(turn.idle) << MOVE_SHIFT);
  const { move, dash, attack, shout } = turn;
  if (shout !== undefined) return UNENCODABLE_TURN;
  const parts =
    KIND_PARTS | (directionCode(move) << MOVE_SHIFT) | (directionCode(dash) << DASH_SHIFT);
  if (attack === undefined) return parts;
  const code = encodeAttack(attack);
  return code === NONE ? UNENCODABLE_TURN : parts | code;
}

/** Returns the turn for a code from `encodeTurn`. The code must not be UNENCODABLE_TURN. */
export function decodeTurn(code: number): RecordedTurn {
  const kind = code & KIND_MASK;
  if (kind === KIND_NO_TURN) return null;
  if (kind === KIND_IDLE) return { idle: IDLE_REASONS[code >> MOVE_SHIFT]! };
  const turn: Turn = {};
  const move = (code >> MOVE_SHIFT) & WORD_MASK;
  const dash = (code >> DASH_SHIFT) & WORD_MASK;
  const attack = (code >> ATTACK_SHIFT) & WORD_MASK;
  if (move > 0) turn.move = DIRECTIONS[move - 1]!;
  if (dash > 0) turn.dash = DIRECTIONS[dash - 1]!;
  if (attack > 0) turn.attack = decodeAttack(attack - 1, code >> FORM_SHIFT);
  return turn;
}

function directionCode(direction: Turn["move"]): number {
  return direction === undefined ? 0 : DIRECTIONS.indexOf(direction) + 1;
}

function encodeAttack({ name, target }: Attack): number {
  const attack = (ATTACKS as readonly string[]).indexOf(name);
  if (attack === -1) return NONE;
  const aim = encodeAim(attack, target);
  return aim === NONE ? NONE : ((attack + 1) << ATTACK_SHIFT) | aim;
}

/** Like replays, omits a target of the wrong kind. */
function encodeAim(attack: number, target: Target | undefined): number {
  const form = ATTACK_TARGETS[attack];
  if (form === "direction" && isDirection(target))
    return (FORM_DIRECTION << FORM_SHIFT) | (DIRECTIONS.indexOf(target) << AIM_SHIFT);
  if (form !== "tile" || !isTile(target)) return 0;
  const [x, y] = target;
  if (x < 0 || y < 0 || x >= COORDINATE_LIMIT || y >= COORDINATE_LIMIT) return NONE;
  return (FORM_TILE << FORM_SHIFT) | (((y << TILE_BITS) | x) << AIM_SHIFT);
}

function decodeAttack(attack: number, targetBits: number): Attack {
  const name = ATTACKS[attack]!;
  const form = targetBits & FORM_MASK;
  const aim = targetBits >> (AIM_SHIFT - FORM_SHIFT);
  if (form === FORM_DIRECTION) return { name, target: DIRECTIONS[aim]! };
  if (form === FORM_TILE) return { name, target: [aim & (COORDINATE_LIMIT - 1), aim >> TILE_BITS] };
  return { name };
}
