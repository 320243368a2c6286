// What a person has chosen for the running tick, and what can be chosen.
import type { Grid } from "#core/engine/grid.ts";
import { RULES } from "#core/engine/rules.ts";
import { ATTACKS, DIRECTIONS } from "#core/engine/types.ts";
import type { AttackName, Direction, Tile, Turn } from "#core/engine/types.ts";

import type { Seen } from "./messages.ts";

export type TurnChoice = {
  step: { kind: "move" | "dash"; direction: Direction } | null;
  attack: AttackName | null;
  /** The tile to aim at; null follows the opponent. */
  aim: Tile | null;
};

export const NOTHING: TurnChoice = { step: null, attack: null, aim: null };

/** A new tick: steps and attacks were for the last one, the aim stays. */
export const nextTick = ({ aim }: TurnChoice): TurnChoice => ({ ...NOTHING, aim });

/** Where the opponent is, or was last seen; null if it never was. */
function foeTile({ fighters: [foe] }: Seen): Tile | null {
  if (foe === undefined || "alive" in foe) return null;
  if (foe.visible) return [foe.x, foe.y];
  return foe.last_seen === null ? null : [foe.last_seen.x, foe.last_seen.y];
}

export const aimedTile = ({ aim }: TurnChoice, seen: Seen): Tile | null => aim ?? foeTile(seen);

const EIGHTH_TURN = Math.PI / 4;
/** East is the first that an angle is measured from. */
const EAST = DIRECTIONS.indexOf("e");

/** The direction nearest to the line between two tiles; null for one and the same. */
export function directionTo([fromX, fromY]: Tile, [x, y]: Tile): Direction | null {
  if (fromX === x && fromY === y) return null;
  const turns = Math.round(Math.atan2(y - fromY, x - fromX) / EIGHTH_TURN) + EAST;
  return DIRECTIONS[(turns + DIRECTIONS.length) % DIRECTIONS.length] ?? null;
}

const ownTile = ({ self }: Seen): Tile => [self.x, self.y];

/** Why an attack cannot be used now, in two or three words; null if it can. */
export function hindrance(
  name: AttackName,
  choice: TurnChoice,
  seen: Seen,
  grid: Grid,
): string | null {
  const { self } = seen;
  if (self.stun > 0) return "stunned";
  if (self.cooldowns[name] > 0) return `in ${self.cooldowns[name]}`;
  if (name === "repulse") return null;
  const tile = aimedTile(choice, seen);
  if (tile === null) return "nobody seen";
  if (name === "blast" || name === "scorch") return areaHindrance(name, tile, seen, grid);
  return directionTo(ownTile(seen), tile) === null ? "aim away" : null;
}

function areaHindrance(name: "blast" | "scorch", [x, y]: Tile, seen: Seen, grid: Grid) {
  const { self } = seen;
  const [from, to] = [self.y * grid.width + self.x, y * grid.width + x];
  const distance = Math.max(Math.abs(x - self.x), Math.abs(y - self.y));
  if (grid.floor[to] !== 1) return "no floor there";
  if (distance > RULES.attacks[name].range) return "too far";
  return grid.sight[from * grid.tileCount + to] === 1 ? null : "out of sight";
}

/** Why no step goes in a direction, or null. */
export function stepHindrance(
  kind: "move" | "dash",
  direction: Direction,
  { self, moves }: Seen,
): string | null {
  if (self.stun > 0) return "stunned";
  if (kind === "dash" && self.cooldowns.dash > 0) return `in ${self.cooldowns.dash}`;
  return moves.includes(direction) ? null : "blocked";
}

/** The turn to send; what cannot be done is left out of it. */
export function turnOf(choice: TurnChoice, seen: Seen, grid: Grid): Turn {
  const { step, attack } = choice;
  const turn: Turn = {};
  if (step !== null && stepHindrance(step.kind, step.direction, seen) === null)
    turn[step.kind] = step.direction;
  if (attack !== null && hindrance(attack, choice, seen, grid) === null)
    turn.attack = { name: attack, ...targetOf(attack, choice, seen) };
  return turn;
}

function targetOf(name: AttackName, choice: TurnChoice, seen: Seen) {
  const tile = aimedTile(choice, seen);
  if (name === "repulse" || tile === null) return {};
  if (name === "blast" || name === "scorch") return { target: tile };
  const direction = directionTo(ownTile(seen), tile);
  return direction === null ? {} : { target: direction };
}

/** Moves the aim by a tile from where it is, within the map. */
export function shiftAim(
  choice: TurnChoice,
  direction: Direction,
  seen: Seen,
  grid: Grid,
): TurnChoice {
  const [x, y] = aimedTile(choice, seen) ?? ownTile(seen);
  const [dx, dy] = offsetOf(direction);
  const inside = (value: number, size: number) => Math.max(1, Math.min(size - 2, value));
  return { ...choice, aim: [inside(x + dx, grid.width), inside(y + dy, grid.height)] };
}

/** How far a step in a direction leads, in tiles. */
export function offsetOf(direction: Direction): readonly [x: number, y: number] {
  const x = direction.includes("e") ? 1 : direction.includes("w") ? -1 : 0;
  const y = direction.includes("s") ? 1 : direction.includes("n") ? -1 : 0;
  return [x, y];
}

export const attackAt = (number: number): AttackName | null => ATTACKS[number - 1] ?? null;
