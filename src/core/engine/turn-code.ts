// A recorded turn as one whole number, so that a running match keeps numbers instead of objects.

import { NONE } from "./codes.ts";
import { ATTACK_TARGETS } from "./rules.ts";
import { isDirection, isTile } from "./turn.ts";
import type { Attack, RecordedTurn, Target, Turn } from "./types.ts";
import { ATTACKS, DIRECTIONS, IDLE_REASONS } from "./types.ts";

/** The turn does not fit into a number: it has a shout, an unknown attack or a far tile. */
export const ODD_TURN = 3;

// The lowest two bits say what the number is.
const NO_TURN = 0;
const PARTS = 1;
const IDLE = 2;
const KIND_MASK = 3;

const MOVE_SHIFT = 2;
const DASH_SHIFT = 6;
const ATTACK_SHIFT = 10;
const FORM_SHIFT = 14;
const AIM_SHIFT = 16;
const WORD_MASK = 0xf;
const FORM_MASK = 3;
const AT_DIRECTION = 1;
const AT_TILE = 2;
/** Tiles with both coordinates below this fit. */
const FAR = 32;
const TILE_BITS = 5;

/**
 * The number of a turn as replays keep it: what `recordedTurn` makes of a turn and of the number's
 * turn is the same. ODD_TURN when it has no number.
 */
export function encodeTurn(turn: RecordedTurn): number {
  if (turn === null) return NO_TURN;
  if ("idle" in turn) return IDLE | (IDLE_REASONS.indexOf(turn.idle) << MOVE_SHIFT);
  const { move, dash, attack, shout } = turn;
  if (shout !== undefined) return ODD_TURN;
  const parts = PARTS | (wordOf(move) << MOVE_SHIFT) | (wordOf(dash) << DASH_SHIFT);
  if (attack === undefined) return parts;
  const code = encodeAttack(attack);
  return code === NONE ? ODD_TURN : parts | code;
}

/** The turn of a number that `encodeTurn` made, but for ODD_TURN. */
export function decodeTurn(code: number): RecordedTurn {
  const kind = code & KIND_MASK;
  if (kind === NO_TURN) return null;
  if (kind === IDLE) return { idle: IDLE_REASONS[code >> MOVE_SHIFT]! };
  const turn: Turn = {};
  const move = (code >> MOVE_SHIFT) & WORD_MASK;
  const dash = (code >> DASH_SHIFT) & WORD_MASK;
  const attack = (code >> ATTACK_SHIFT) & WORD_MASK;
  if (move > 0) turn.move = DIRECTIONS[move - 1]!;
  if (dash > 0) turn.dash = DIRECTIONS[dash - 1]!;
  if (attack > 0) turn.attack = decodeAttack(attack - 1, code >> FORM_SHIFT);
  return turn;
}

/** 0 for an absent direction, else its place from 1. */
function wordOf(direction: Turn["move"]): number {
  return direction === undefined ? 0 : DIRECTIONS.indexOf(direction) + 1;
}

/** The bits of an attack, NONE when it has none. */
function encodeAttack({ name, target }: Attack): number {
  const attack = (ATTACKS as readonly string[]).indexOf(name);
  if (attack === -1) return NONE;
  const aim = encodeAim(attack, target);
  return aim === NONE ? NONE : ((attack + 1) << ATTACK_SHIFT) | aim;
}

/** A target of another form than the attack takes is left out, as in replays. */
function encodeAim(attack: number, target: Target | undefined): number {
  const form = ATTACK_TARGETS[attack];
  if (form === "direction" && isDirection(target))
    return (AT_DIRECTION << FORM_SHIFT) | (DIRECTIONS.indexOf(target) << AIM_SHIFT);
  if (form !== "tile" || !isTile(target)) return 0;
  const [x, y] = target;
  if (x < 0 || y < 0 || x >= FAR || y >= FAR) return NONE;
  return (AT_TILE << FORM_SHIFT) | (((y << TILE_BITS) | x) << AIM_SHIFT);
}

function decodeAttack(attack: number, aimed: number): Attack {
  const name = ATTACKS[attack]!;
  const form = aimed & FORM_MASK;
  const aim = aimed >> (AIM_SHIFT - FORM_SHIFT);
  if (form === AT_DIRECTION) return { name, target: DIRECTIONS[aim]! };
  if (form === AT_TILE) return { name, target: [aim & (FAR - 1), aim >> TILE_BITS] };
  return { name };
}
