import type { Fight } from "./fight.ts";
import type { Grid } from "./grid.ts";
import { NONE, UNKNOWN_ATTACK } from "./integer-codes.ts";
import { BAD_SHOUT, NO_SHOUT, SHOUT, clearIntent } from "./intent.ts";
import type { Intent } from "./intent.ts";
import { ATTACK_TARGETS, RULES } from "./rules.ts";
import type { TargetForm } from "./rules.ts";
import { cleanShout, truncateText, isValidShout } from "./shout.ts";
import { ATTACKS, DIRECTIONS } from "./types.ts";
import type { Attack, Direction, RecordedTurn, Target, Tile, Turn } from "./types.ts";

const RECORDED_NAME_LENGTH = 40;
/** One code point longer than a valid shout. A refused shout is then refused in the replay too. */
const RECORDED_SHOUT_LENGTH = RULES.shout.max_length + 1;

/** Stands for every target off the map. Tile 0 is a border wall, so the engine refuses it. */
const OFF_MAP_TILE = 0;

/**
 * Sets a fighter's intent for the next tick from a turn with a cleaned shout. Null and failed turns
 * idle. The engine refuses invalid parts later; parts without a refusal are ignored.
 */
export function setSeatTurn(fight: Fight, seat: number, turn: RecordedTurn): void {
  const intent = fight.intents[seat]!;
  clearIntent(intent);
  if (turn === null) return;
  // A failed turn has none of these fields, so it needs no special case.
  const { move, dash, attack, shout } = turn as Turn;
  if (move !== undefined) intent.move = indexOfWord(DIRECTIONS, move);
  if (dash !== undefined) intent.dash = indexOfWord(DIRECTIONS, dash);
  if (attack !== undefined) setAttack(intent, fight.grid, attack);
  if (shout !== undefined) setShout(intent, shout);
}

/**
 * Sets an intent from codes, for planners: directions 0 to 7, attacks 0 to 5, and a direction or
 * tile as `aim`. NONE omits a part.
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
 * Returns a turn as replays store it. Truncates the attack's name and the shout, and drops a target
 * of the wrong kind. The engine plays it like the original.
 */
export function toRecordedTurn({ move, dash, attack, shout }: Turn): Turn {
  const recordedFields: Turn = {};
  if (move !== undefined) recordedFields.move = move;
  if (dash !== undefined) recordedFields.dash = dash;
  if (attack !== undefined) recordedFields.attack = toRecordedAttack(attack);
  if (shout !== undefined) recordedFields.shout = truncateText(shout, RECORDED_SHOUT_LENGTH);
  return recordedFields;
}

function toRecordedAttack({ name, target }: Attack): Attack {
  const form = ATTACK_TARGETS[indexOfWord(ATTACKS, name)];
  const recordedFields = { name: truncateText(name, RECORDED_NAME_LENGTH) };
  if (form === "direction" && isDirection(target)) return { ...recordedFields, target };
  if (form === "tile" && isTile(target))
    return { ...recordedFields, target: [target[0], target[1]] };
  return recordedFields;
}

function setAttack(intent: Intent, grid: Grid, { name, target }: Attack): void {
  const attack = indexOfWord(ATTACKS, name);
  const form = ATTACK_TARGETS[attack];
  const aim = aimOf(grid, form, target);
  const isValidTarget = form === "none" || aim !== NONE;
  intent.attack = isValidTarget ? attack : UNKNOWN_ATTACK;
  intent.aim = isValidTarget ? aim : attack;
}

function setShout(intent: Intent, shout: string): void {
  intent.shout = isValidShout(shout) ? SHOUT : BAD_SHOUT;
  intent.text = shout;
}

function aimOf(grid: Grid, form: TargetForm | undefined, target: Target | undefined): number {
  if (form === "direction") return indexOfWord(DIRECTIONS, target);
  if (form === "tile" && isTile(target)) return tileCode(grid, target);
  return NONE;
}

function indexOfWord(words: readonly unknown[], word: unknown): number {
  for (let code = 0; code < words.length; code += 1) {
    if (words[code] === word) return code;
  }
  return NONE;
}

function tileCode({ width, height }: Grid, [x, y]: Tile): number {
  const isOnMap = x >= 0 && y >= 0 && x < width && y < height;
  return isOnMap ? y * width + x : OFF_MAP_TILE;
}

export function isDirection(target: Target | undefined): target is Direction {
  return indexOfWord(DIRECTIONS, target) !== NONE;
}

export function isTile(target: Target | undefined): target is Tile {
  if (!Array.isArray(target) || target.length !== 2) return false;
  return Number.isInteger(target[0]) && Number.isInteger(target[1]);
}

export function cleanTurn(turn: Turn): Turn {
  return turn.shout === undefined ? turn : { ...turn, shout: cleanShout(turn.shout) };
}

/**
 * Returns whether the fighter had a valid turn, meaning that it hadn't fallen and its turn didn't
 * fail.
 */
export function isTurn(turn: RecordedTurn): turn is Exclude<RecordedTurn, { idle: string } | null> {
  return turn !== null && !("idle" in turn);
}
