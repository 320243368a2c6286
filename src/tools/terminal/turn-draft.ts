// A person's unfinished turn, and the effect of each key on it.

import { distanceBetween, isTileVisible } from "#core/engine/grid.ts";
import type { Grid } from "#core/engine/grid.ts";
import { RULES } from "#core/engine/rules.ts";
import { ATTACKS } from "#core/engine/types.ts";
import type { Attack, AttackName, Direction, Observation, Tile, Turn } from "#core/engine/types.ts";

import type { PressedKey } from "./keys.ts";

/** An attack that still needs its target: a direction, or the tile under the cursor. */
type AimState = { attack: AttackName; cursor: Tile | null };

export type TurnDraft = {
  turn: Turn;
  aimState: AimState | null;
  message: string;
  isDone: boolean;
};

export const EMPTY_TURN_DRAFT: TurnDraft = { turn: {}, aimState: null, message: "", isDone: false };

export const KEY_HELP = [
  "move   q w e     dash: Shift and a move key",
  "       a   d     attack: 1 strike  2 bolt  3 hook  4 repulse  5 blast  6 scorch",
  "       z x c     Return: play the tick   Backspace: reset the turn   Ctrl-C: give up",
];

const LETTER_DIRECTIONS = {
  q: "nw",
  w: "n",
  e: "ne",
  a: "w",
  d: "e",
  z: "sw",
  x: "s",
  c: "se",
} as const;
const ARROW_DIRECTIONS = { up: "n", right: "e", down: "s", left: "w" } as const;
const KEY_DIRECTIONS: Readonly<Partial<Record<string, Direction>>> = {
  ...LETTER_DIRECTIONS,
  ...ARROW_DIRECTIONS,
};

export function pressKey(
  draft: TurnDraft,
  key: PressedKey,
  observation: Observation,
  grid: Grid,
): TurnDraft {
  const clearedDraft = { ...draft, message: "" };
  if (key === "backspace" || key === "escape") return EMPTY_TURN_DRAFT;
  if (draft.aimState !== null) return moveAim(clearedDraft, draft.aimState, key, observation, grid);
  if (key === "return") return { ...clearedDraft, isDone: true };
  const direction = KEY_DIRECTIONS[key.toLowerCase()];
  if (direction !== undefined)
    return key in KEY_DIRECTIONS
      ? walk(clearedDraft, direction, observation)
      : dash(clearedDraft, direction, observation);
  const attack = ATTACKS[Number(key) - 1];
  return attack === undefined ? clearedDraft : selectAttack(clearedDraft, attack, observation);
}

function walk(draft: TurnDraft, move: Direction, { moves }: Observation): TurnDraft {
  if (!moves.includes(move)) return { ...draft, message: `You can't move ${move}.` };
  const { dash: _, ...turn } = draft.turn;
  return { ...draft, turn: { ...turn, move } };
}

function dash(draft: TurnDraft, dash: Direction, { dashes, self }: Observation): TurnDraft {
  const cooldown = self.cooldowns.dash;
  if (cooldown > 0) return { ...draft, message: `The dash is ready in ${cooldown} ticks.` };
  if (dashes[dash] === undefined) return { ...draft, message: `You can't dash ${dash}.` };
  const { move: _, ...turn } = draft.turn;
  return { ...draft, turn: { ...turn, dash } };
}

function selectAttack(
  draft: TurnDraft,
  attack: AttackName,
  { self, fighters }: Observation,
): TurnDraft {
  const cooldown = self.cooldowns[attack];
  if (self.stun > 0) return { ...draft, message: "You are stunned." };
  if (cooldown > 0) return { ...draft, message: `The ${attack} is ready in ${cooldown} ticks.` };
  const { target } = RULES.attacks[attack];
  if (target === "none") return setAttack(draft, { name: attack });
  const visibleOpponent = fighters.find((fighter) => "visible" in fighter && fighter.visible);
  const startTile: Tile =
    visibleOpponent === undefined ? [self.x, self.y] : [visibleOpponent.x, visibleOpponent.y];
  return { ...draft, aimState: { attack, cursor: target === "tile" ? startTile : null } };
}

function setAttack(draft: TurnDraft, attack: Attack): TurnDraft {
  return { ...draft, turn: { ...draft.turn, attack }, aimState: null };
}

function moveAim(
  draft: TurnDraft,
  aimState: AimState,
  key: PressedKey,
  observation: Observation,
  grid: Grid,
): TurnDraft {
  const { attack, cursor } = aimState;
  const direction = KEY_DIRECTIONS[key.toLowerCase()];
  if (cursor === null) {
    return direction === undefined ? draft : setAttack(draft, { name: attack, target: direction });
  }
  if (direction !== undefined)
    return { ...draft, aimState: { attack, cursor: moveCursor(cursor, direction, grid) } };
  if (key !== "return") return draft;
  const message = describeTileProblem(attack, cursor, observation, grid);
  return message === ""
    ? setAttack(draft, { name: attack, target: cursor })
    : { ...draft, message };
}

function moveCursor([x, y]: Tile, direction: Direction, { width, height }: Grid): Tile {
  const axisShift = (plus: string, minus: string) =>
    +direction.includes(plus) - +direction.includes(minus);
  const clamp = (value: number, size: number) => Math.min(size - 1, Math.max(0, value));
  return [clamp(x + axisShift("e", "w"), width), clamp(y + axisShift("s", "n"), height)];
}

function describeTileProblem(
  attack: AttackName,
  [x, y]: Tile,
  { self }: Observation,
  grid: Grid,
): string {
  const rule = RULES.attacks[attack];
  const range = "range" in rule ? rule.range : 0;
  const [fromTile, toTile] = [self.y * grid.width + self.x, y * grid.width + x];
  if (grid.floor[toTile] === 0) return "That tile is not on the floor.";
  if (!isTileVisible(grid, fromTile, toTile)) return "That tile is out of sight.";
  return distanceBetween(grid, fromTile, toTile) > range ? `${attack} reaches ${range} tiles.` : "";
}
