// A person's unfinished turn, and what each key does to it.

import { distanceBetween, isSeen } from "#core/engine/grid.ts";
import type { Grid } from "#core/engine/grid.ts";
import { RULES } from "#core/engine/rules.ts";
import { ATTACKS } from "#core/engine/types.ts";
import type { Attack, AttackName, Direction, Observation, Tile, Turn } from "#core/engine/types.ts";

import type { Key } from "./keys.ts";

/** An attack that still needs its target: a direction, or the tile under the cursor. */
type Aiming = { attack: AttackName; cursor: Tile | null };

export type Draft = {
  turn: Turn;
  aiming: Aiming | null;
  /** Why the last key did nothing. */
  note: string;
  /** Whether the turn is ready to be played. */
  isDone: boolean;
};

export const NEW_DRAFT: Draft = { turn: {}, aiming: null, note: "", isDone: false };

export const KEY_HELP = [
  "walk   q w e     dash: the same key with Shift",
  "       a   d     attack: 1 strike  2 bolt  3 hook  4 repulse  5 blast  6 scorch",
  "       z x c     Return: play the tick   Backspace: start the turn anew   Ctrl-C: leave",
];

const LETTERS = { q: "nw", w: "n", e: "ne", a: "w", d: "e", z: "sw", x: "s", c: "se" } as const;
const ARROWS = { up: "n", right: "e", down: "s", left: "w" } as const;
const WAYS: Readonly<Partial<Record<string, Direction>>> = { ...LETTERS, ...ARROWS };

/** The turn after one more key. */
export function pressKey(draft: Draft, key: Key, seen: Observation, grid: Grid): Draft {
  const clean = { ...draft, note: "" };
  if (key === "backspace" || key === "escape") return NEW_DRAFT;
  if (draft.aiming !== null) return aim(clean, draft.aiming, key, seen, grid);
  if (key === "return") return { ...clean, isDone: true };
  const way = WAYS[key.toLowerCase()];
  if (way !== undefined) return key in WAYS ? walk(clean, way, seen) : dash(clean, way, seen);
  const attack = ATTACKS[Number(key) - 1];
  return attack === undefined ? clean : takeUp(clean, attack, seen);
}

function walk(draft: Draft, move: Direction, { moves }: Observation): Draft {
  if (!moves.includes(move)) return { ...draft, note: `There is no step to the ${move}.` };
  const { dash: _, ...turn } = draft.turn;
  return { ...draft, turn: { ...turn, move } };
}

function dash(draft: Draft, dash: Direction, { dashes, self }: Observation): Draft {
  const wait = self.cooldowns.dash;
  if (wait > 0) return { ...draft, note: `The dash is ready in ${wait} ticks.` };
  if (dashes[dash] === undefined) return { ...draft, note: `There is no dash to the ${dash}.` };
  const { move: _, ...turn } = draft.turn;
  return { ...draft, turn: { ...turn, dash } };
}

function takeUp(draft: Draft, attack: AttackName, { self, fighters }: Observation): Draft {
  const wait = self.cooldowns[attack];
  if (self.stun > 0) return { ...draft, note: "You are stunned." };
  if (wait > 0) return { ...draft, note: `The ${attack} is ready in ${wait} ticks.` };
  const { target } = RULES.attacks[attack];
  if (target === "none") return withAttack(draft, { name: attack });
  const foe = fighters.find((fighter) => "visible" in fighter && fighter.visible);
  const start: Tile = foe === undefined ? [self.x, self.y] : [foe.x, foe.y];
  return { ...draft, aiming: { attack, cursor: target === "tile" ? start : null } };
}

function withAttack(draft: Draft, attack: Attack): Draft {
  return { ...draft, turn: { ...draft.turn, attack }, aiming: null };
}

function aim(draft: Draft, aiming: Aiming, key: Key, seen: Observation, grid: Grid): Draft {
  const { attack, cursor } = aiming;
  const way = WAYS[key.toLowerCase()];
  if (cursor === null) {
    return way === undefined ? draft : withAttack(draft, { name: attack, target: way });
  }
  if (way !== undefined) return { ...draft, aiming: { attack, cursor: moved(cursor, way, grid) } };
  if (key !== "return") return draft;
  const note = tileProblem(attack, cursor, seen, grid);
  return note === "" ? withAttack(draft, { name: attack, target: cursor }) : { ...draft, note };
}

function moved([x, y]: Tile, way: Direction, { width, height }: Grid): Tile {
  const shift = (plus: string, minus: string) => +way.includes(plus) - +way.includes(minus);
  const clamp = (value: number, size: number) => Math.min(size - 1, Math.max(0, value));
  return [clamp(x + shift("e", "w"), width), clamp(y + shift("s", "n"), height)];
}

function tileProblem(attack: AttackName, [x, y]: Tile, { self }: Observation, grid: Grid): string {
  const rule = RULES.attacks[attack];
  const range = "range" in rule ? rule.range : 0;
  const [from, to] = [self.y * grid.width + self.x, y * grid.width + x];
  if (grid.floor[to] === 0) return "That is no floor.";
  if (!isSeen(grid, from, to)) return "That tile is out of sight.";
  return distanceBetween(grid, from, to) > range ? `A ${attack} reaches ${range} tiles.` : "";
}
