// What a person in a fight sees: no more than a bot is told.

import type { Grid } from "#core/engine/grid.ts";
import { RULES } from "#core/engine/rules.ts";
import type { FighterId, FighterView, Observation } from "#core/engine/types.ts";

import { LEGEND, bodyWords, drawBoard, zoneWords } from "./board.ts";
import type { Piece } from "./board.ts";
import { KEY_HELP } from "./play-draft.ts";
import type { Draft } from "./play-draft.ts";
import { printable } from "./printable.ts";
import { eventWords, partsWords } from "./words.ts";

/** Names of the fighters by their letters. */
export type FighterNames = Readonly<Partial<Record<FighterId, string>>>;

const NAME_WIDTH = 20;

/** The view before a tick; with a draft, it includes the unfinished turn. */
export function viewLines(
  seen: Observation,
  grid: Grid,
  names: FighterNames,
  draft: Draft | null,
): string[] {
  const { self, areas, pickups, zone } = seen;
  const pieces = [{ mark: self.id, x: self.x, y: self.y }, ...seen.fighters.flatMap(pieceOf)];
  const cursor = draft?.aiming?.cursor ?? null;
  const words = [
    `${self.id} ${(names[self.id] ?? "").padEnd(NAME_WIDTH)}${bodyWords(self)}`,
    ...seen.fighters.map((fighter) => foeLine(fighter, names[fighter.id] ?? "")),
    ...seen.events.map((event) => `  - ${eventWords(event)}`),
  ];
  return [
    `tick ${seen.tick} of at most ${RULES.max_ticks}  ${zoneWords(zone)}`,
    ...drawBoard({ grid, pieces, areas, pickups, zone, cursor }),
    ...words.map(printable),
  ];
}

/** The same with everything that a person at the keys needs. */
export function screenLines(
  seen: Observation,
  grid: Grid,
  names: FighterNames,
  draft: Draft,
): string[] {
  return [
    ...viewLines(seen, grid, names, draft),
    "",
    `your turn: ${partsWords(draft.turn) || "(wait)"}`,
    draft.note || question(draft, seen),
    "",
    ...KEY_HELP,
    LEGEND,
  ];
}

function question({ aiming }: Draft, { self }: Observation): string {
  if (aiming?.cursor)
    return `where to the ${aiming.attack}? Move [ ] by the walking keys, then Return`;
  if (aiming) return `${aiming.attack} in which direction? Press a walking key`;
  return self.stun > 0 ? "You are stunned: all you can do is wait." : "";
}

function pieceOf(fighter: FighterView): Piece[] {
  if ("alive" in fighter) return [];
  if (fighter.visible) return [{ mark: fighter.id, x: fighter.x, y: fighter.y }];
  return fighter.last_seen === null ? [] : [{ mark: "?", ...fighter.last_seen }];
}

function foeLine(fighter: FighterView, name: string): string {
  const label = `${fighter.id} ${name.padEnd(NAME_WIDTH)}`;
  if ("alive" in fighter) return `${label}fallen`;
  return `${label}${bodyWords(fighter)}${fighter.visible ? "" : hiddenWords(fighter.last_seen)}`;
}

function hiddenWords(lastSeen: { x: number; y: number; tick: number } | null): string {
  if (lastSeen === null) return "  out of sight";
  return `  out of sight since ${lastSeen.x},${lastSeen.y} at tick ${lastSeen.tick}`;
}
