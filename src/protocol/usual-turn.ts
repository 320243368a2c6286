// Turns as nearly all bots write them: the parts in the order of the guide, without a shout, as
// JSON.stringify of JavaScript or json.dumps of Python prints them. They are read in place, without
// the objects that JSON.parse makes. Whatever else there is, is left to it.

import { ATTACKS, DIRECTIONS } from "#engine/types.ts";
import type { Attack, Direction, Target, Turn } from "#engine/types.ts";

const QUOTE = 0x22;
const ZERO = 0x30;
const NINE = 0x39;
const SPACE = 0x20;
const BYTE = 8;

/** Digits of a number that is read here. */
const MOST_DIGITS = 9;

/** What stands between the values, without or with a space behind colons and commas. */
const styleOf = (gap: "" | " ") => ({
  head: `{"type":${gap}"turn",${gap}"tick":${gap}`,
  move: `,${gap}"move":${gap}"`,
  dash: `,${gap}"dash":${gap}"`,
  attack: `,${gap}"attack":${gap}{"name":${gap}"`,
  direction: `,${gap}"target":${gap}"`,
  tile: `,${gap}"target":${gap}[`,
  comma: `,${gap}`,
});
type Style = ReturnType<typeof styleOf>;
const COMPACT = styleOf("");
const SPACED = styleOf(" ");
/** Where the two differ first. */
const FIRST_GAP = '{"type":'.length;

/** One or two letters as a number; there is no second one where its code is 0 or NaN. */
const lettersOf = (first: number, second: number): number => (first << BYTE) | second;
const BY_LETTERS = new Map<number, Direction>(
  DIRECTIONS.map((word) => [lettersOf(word.charCodeAt(0), word.charCodeAt(1)), word]),
);

/** The tick and the parts of a turn that is written in one of these ways, else null. */
export function readUsualTurn(text: string): { type: "turn"; tick: number; turn: Turn } | null {
  const style = text.charCodeAt(FIRST_GAP) === SPACE ? SPACED : COMPACT;
  if (!text.startsWith(style.head)) return null;
  let at = endOfNumber(text, style.head.length);
  if (at === -1) return null;
  const tick = numberIn(text, style.head.length, at);
  const turn: Turn = {};
  const move = directionAfter(text, at, style.move);
  if (move !== undefined) {
    turn.move = move;
    at += style.move.length + move.length + 1;
  }
  const dash = directionAfter(text, at, style.dash);
  if (dash !== undefined) {
    turn.dash = dash;
    at += style.dash.length + dash.length + 1;
  }
  if (text.startsWith(style.attack, at)) {
    at = readAttack(text, at + style.attack.length, style, turn);
    if (at === -1) return null;
  }
  return at === text.length - 1 && text.endsWith("}") ? { type: "turn", tick, turn } : null;
}

/** Adds the attack whose name begins here; says where what follows its object begins, or -1. */
function readAttack(text: string, from: number, style: Style, turn: Turn): number {
  const name = ATTACKS.find(
    (one) => text.startsWith(one, from) && text.charCodeAt(from + one.length) === QUOTE,
  );
  if (name === undefined) return -1;
  const attack: Attack = { name };
  let at = from + name.length + 1;
  const aim = directionAfter(text, at, style.direction);
  if (aim !== undefined) {
    attack.target = aim;
    at += style.direction.length + aim.length + 1;
  } else if (text.startsWith(style.tile, at)) {
    at = readTile(text, at + style.tile.length, style, attack);
    if (at === -1) return -1;
  }
  turn.attack = attack;
  return text.startsWith("}", at) ? at + 1 : -1;
}

/** Adds the tile whose column begins here; says where what follows its bracket begins, or -1. */
function readTile(text: string, from: number, { comma }: Style, attack: Attack): number {
  const middle = endOfNumber(text, from);
  if (middle === -1 || !text.startsWith(comma, middle)) return -1;
  const row = middle + comma.length;
  const end = endOfNumber(text, row);
  if (end === -1 || !text.startsWith("]", end)) return -1;
  const tile: Target = [numberIn(text, from, middle), numberIn(text, row, end)];
  attack.target = tile;
  return end + 1;
}

/** The direction that follows such a beginning, up to its quote. */
function directionAfter(text: string, from: number, beginning: string): Direction | undefined {
  if (!text.startsWith(beginning, from)) return undefined;
  const at = from + beginning.length;
  const first = text.charCodeAt(at);
  const second = text.charCodeAt(at + 1);
  if (second === QUOTE) return BY_LETTERS.get(lettersOf(first, 0));
  if (text.charCodeAt(at + 2) !== QUOTE) return undefined;
  return BY_LETTERS.get(lettersOf(first, second));
}

/** Where the digits end that begin here; -1 when they are no number that JSON has, or a long one. */
function endOfNumber(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at += 1;
  const digits = at - from;
  const isBad = digits === 0 || digits > MOST_DIGITS;
  return isBad || (digits > 1 && text.charCodeAt(from) === ZERO) ? -1 : at;
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

function numberIn(text: string, from: number, end: number): number {
  let value = 0;
  for (let at = from; at < end; at += 1) value = 10 * value + text.charCodeAt(at) - ZERO;
  return value;
}
