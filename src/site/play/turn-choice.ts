import type { Grid } from "#core/engine/grid.ts";
import { RULES } from "#core/engine/rules.ts";
import { ATTACKS, DIRECTIONS } from "#core/engine/types.ts";
import type { AttackName, Direction, Tile, Turn } from "#core/engine/types.ts";

import type { PlayObservation } from "./messages.ts";

export type TurnChoice = {
  step: { kind: "move" | "dash"; direction: Direction } | null;
  attack: AttackName | null;
  /** Tile to aim at, or null to follow the opponent. */
  aim: Tile | null;
};

export const EMPTY_CHOICE: TurnChoice = { step: null, attack: null, aim: null };

/** Clears step and attack for the next tick. Keeps the aim. */
export const choiceForNextTick = ({ aim }: TurnChoice): TurnChoice => ({ ...EMPTY_CHOICE, aim });

/** Returns the opponent's last known position, or null. */
function opponentTile({ fighters: [opponent] }: PlayObservation): Tile | null {
  if (opponent === undefined || "alive" in opponent) return null;
  if (opponent.visible) return [opponent.x, opponent.y];
  return opponent.last_seen === null ? null : [opponent.last_seen.x, opponent.last_seen.y];
}

export const aimedTile = ({ aim }: TurnChoice, observation: PlayObservation): Tile | null =>
  aim ?? opponentTile(observation);

const EIGHTH_TURN = Math.PI / 4;
/** Angles start at east. */
const EAST = DIRECTIONS.indexOf("e");

/**
 * Returns the direction closest to the line between two tiles, or null if they're the same tile.
 */
export function directionTo([fromX, fromY]: Tile, [x, y]: Tile): Direction | null {
  if (fromX === x && fromY === y) return null;
  const turns = Math.round(Math.atan2(y - fromY, x - fromX) / EIGHTH_TURN) + EAST;
  return DIRECTIONS[(turns + DIRECTIONS.length) % DIRECTIONS.length] ?? null;
}

const ownTile = ({ self }: PlayObservation): Tile => [self.x, self.y];

/** Says in two or three words why an attack can't be used now. Returns null if it can. */
export function attackHindrance(
  name: AttackName,
  choice: TurnChoice,
  observation: PlayObservation,
  grid: Grid,
): string | null {
  const { self } = observation;
  if (self.stun > 0) return "stunned";
  if (self.cooldowns[name] > 0) return `in ${self.cooldowns[name]}`;
  if (name === "repulse") return null;
  const tile = aimedTile(choice, observation);
  if (tile === null) return "no target";
  if (name === "blast" || name === "scorch") return areaHindrance(name, tile, observation, grid);
  return directionTo(ownTile(observation), tile) === null ? "aim away" : null;
}

function areaHindrance(
  name: "blast" | "scorch",
  [x, y]: Tile,
  observation: PlayObservation,
  grid: Grid,
) {
  const { self } = observation;
  const [from, to] = [self.y * grid.width + self.x, y * grid.width + x];
  const distance = Math.max(Math.abs(x - self.x), Math.abs(y - self.y));
  if (grid.floor[to] !== 1) return "no floor there";
  if (distance > RULES.attacks[name].range) return "too far";
  return grid.sight[from * grid.tileCount + to] === 1 ? null : "out of sight";
}

/** Says why a step in a direction is impossible. Returns null if it's possible. */
export function stepHindrance(
  kind: "move" | "dash",
  direction: Direction,
  { self, moves }: PlayObservation,
): string | null {
  if (self.stun > 0) return "stunned";
  if (kind === "dash" && self.cooldowns.dash > 0) return `in ${self.cooldowns.dash}`;
  return moves.includes(direction) ? null : "blocked";
}

/** Returns the turn to send. Omits impossible actions. */
export function turnForChoice(choice: TurnChoice, observation: PlayObservation, grid: Grid): Turn {
  const { step, attack } = choice;
  const turn: Turn = {};
  if (step !== null && stepHindrance(step.kind, step.direction, observation) === null)
    turn[step.kind] = step.direction;
  if (attack !== null && attackHindrance(attack, choice, observation, grid) === null)
    turn.attack = { name: attack, ...attackTarget(attack, choice, observation) };
  return turn;
}

function attackTarget(name: AttackName, choice: TurnChoice, observation: PlayObservation) {
  const tile = aimedTile(choice, observation);
  if (name === "repulse" || tile === null) return {};
  if (name === "blast" || name === "scorch") return { target: tile };
  const direction = directionTo(ownTile(observation), tile);
  return direction === null ? {} : { target: direction };
}

/** Moves the aim by one tile within the map. */
export function shiftAim(
  choice: TurnChoice,
  direction: Direction,
  observation: PlayObservation,
  grid: Grid,
): TurnChoice {
  const [x, y] = aimedTile(choice, observation) ?? ownTile(observation);
  const [dx, dy] = offsetOf(direction);
  const clampToMap = (value: number, size: number) => Math.max(1, Math.min(size - 2, value));
  return { ...choice, aim: [clampToMap(x + dx, grid.width), clampToMap(y + dy, grid.height)] };
}

/** Returns the x and y offset of a direction, in tiles. */
export function offsetOf(direction: Direction): readonly [x: number, y: number] {
  const x = direction.includes("e") ? 1 : direction.includes("w") ? -1 : 0;
  const y = direction.includes("s") ? 1 : direction.includes("n") ? -1 : 0;
  return [x, y];
}

export const attackAt = (number: number): AttackName | null => ATTACKS[number - 1] ?? null;
