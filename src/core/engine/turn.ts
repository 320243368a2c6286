import { NONE, UNKNOWN_ATTACK } from "./codes.ts";
import type { Fight } from "./fight.ts";
import type { Grid } from "./grid.ts";
import { BAD_SHOUT, NO_SHOUT, SHOUT, clearIntent } from "./intent.ts";
import type { Intent } from "./intent.ts";
import { ATTACK_TARGETS, RULES } from "./rules.ts";
import type { TargetForm } from "./rules.ts";
import { cleanShout, cutText, isSpeakable } from "./shout.ts";
import { ATTACKS, DIRECTIONS } from "./types.ts";
import type { Attack, Direction, RecordedTurn, Target, Tile, Turn } from "./types.ts";

/** Longest attack name a replay keeps, in code points. */
const RECORDED_NAME_LENGTH = 40;
/**
 * One code point more than a shout may have, so that a refused shout is still refused in a replay.
 */
const RECORDED_SHOUT_LENGTH = RULES.shout.max_length + 1;

/** Stands for any tile off the map. The border is wall, so it is refused like any other wall. */
const OFF_THE_MAP = 0;

/**
 * Sets what a fighter does in the next tick; null and failed turns idle. Expects a cleaned shout.
 * Parts that do not fit are left to the engine's refusals, or ignored where no refusal exists.
 */
export function setTurn(fight: Fight, seat: number, turn: RecordedTurn): void {
  const intent = fight.intents[seat]!;
  clearIntent(intent);
  if (turn === null) return;
  // A failed turn has none of these parts, so it needs no case of its own.
  const { move, dash, attack, shout } = turn as Turn;
  if (move !== undefined) intent.move = codeOf(DIRECTIONS, move);
  if (dash !== undefined) intent.dash = codeOf(DIRECTIONS, dash);
  if (attack !== undefined) setAttack(intent, fight.grid, attack);
  if (shout !== undefined) setShout(intent, shout);
}

/**
 * The same in numbers, for planners: directions 0 to 7, an attack 0 to 5 and its target, a
 * direction or a tile of the map. NONE leaves a part out.
 */
export function setIntent(
  fight: Fight,
  seat: number,
  move: number,
  dash: number,
  attack: number,
  aim: number,
): void {
  const intent = fight.intents[seat]!;
  intent.move = move;
  intent.dash = dash;
  intent.attack = attack;
  intent.aim = aim;
  intent.shout = NO_SHOUT;
}

/**
 * A turn as replays keep it: the attack's name and the shout are cut to a bounded length, and a
 * target is kept only if it has the form that the attack takes. The engine plays both alike.
 */
export function recordedTurn({ move, dash, attack, shout }: Turn): Turn {
  const recorded: Turn = {};
  if (move !== undefined) recorded.move = move;
  if (dash !== undefined) recorded.dash = dash;
  if (attack !== undefined) recorded.attack = recordedAttack(attack);
  if (shout !== undefined) recorded.shout = cutText(shout, RECORDED_SHOUT_LENGTH);
  return recorded;
}

function recordedAttack({ name, target }: Attack): Attack {
  const form = ATTACK_TARGETS[codeOf(ATTACKS, name)];
  const recorded = { name: cutText(name, RECORDED_NAME_LENGTH) };
  if (form === "direction" && isDirection(target)) return { ...recorded, target };
  if (form === "tile" && isTile(target)) return { ...recorded, target: [target[0], target[1]] };
  return recorded;
}

function setAttack(intent: Intent, grid: Grid, { name, target }: Attack): void {
  const attack = codeOf(ATTACKS, name);
  const form = ATTACK_TARGETS[attack];
  const aim = aimOf(grid, form, target);
  const isRight = form === "none" || aim !== NONE;
  intent.attack = isRight ? attack : UNKNOWN_ATTACK;
  intent.aim = isRight ? aim : attack;
}

function setShout(intent: Intent, shout: string): void {
  intent.shout = isSpeakable(shout) ? SHOUT : BAD_SHOUT;
  intent.text = shout;
}

/** The target as a number, or NONE if it does not have the expected form. */
function aimOf(grid: Grid, form: TargetForm | undefined, target: Target | undefined): number {
  if (form === "direction") return codeOf(DIRECTIONS, target);
  if (form === "tile" && isTile(target)) return tileCode(grid, target);
  return NONE;
}

/** The index of a word in its vocabulary, or NONE. */
function codeOf(words: readonly unknown[], word: unknown): number {
  for (let code = 0; code < words.length; code += 1) {
    if (words[code] === word) return code;
  }
  return NONE;
}

function tileCode({ width, height }: Grid, [x, y]: Tile): number {
  const isOnMap = x >= 0 && y >= 0 && x < width && y < height;
  return isOnMap ? y * width + x : OFF_THE_MAP;
}

export function isDirection(target: Target | undefined): target is Direction {
  return codeOf(DIRECTIONS, target) !== NONE;
}

export function isTile(target: Target | undefined): target is Tile {
  if (!Array.isArray(target) || target.length !== 2) return false;
  return Number.isInteger(target[0]) && Number.isInteger(target[1]);
}

/** A turn with its shout as it is kept. */
export function cleanTurn(turn: Turn): Turn {
  return turn.shout === undefined ? turn : { ...turn, shout: cleanShout(turn.shout) };
}

/** Neither an idle tick nor a failed turn. */
export function isTurn(turn: RecordedTurn): turn is Exclude<RecordedTurn, { idle: string } | null> {
  return turn !== null && !("idle" in turn);
}
