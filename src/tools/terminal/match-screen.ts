// A person's view of a match. It shows no more than a bot's observation.

import type { Grid } from "#core/engine/grid.ts";
import { RULES } from "#core/engine/rules.ts";
import type { FighterId, FighterView, Observation } from "#core/engine/types.ts";

import { BOARD_LEGEND, describeFighter, drawBoard, describeZone } from "./board.ts";
import type { BoardPiece } from "./board.ts";
import { formatMatchEvent, formatTurnParts } from "./match-text.ts";
import { escapeUnprintable } from "./printable.ts";
import { KEY_HELP } from "./turn-draft.ts";
import type { TurnDraft } from "./turn-draft.ts";

export type FighterNames = Readonly<Partial<Record<FighterId, string>>>;

const NAME_WIDTH = 20;

/** Returns the view before a tick. With a draft, includes the unfinished turn. */
export function formatObservation(
  observation: Observation,
  grid: Grid,
  names: FighterNames,
  draft: TurnDraft | null,
): string[] {
  const { self, areas, pickups, zone } = observation;
  const pieces = [
    { mark: self.id, x: self.x, y: self.y },
    ...observation.fighters.flatMap(toPieces),
  ];
  const cursor = draft?.aimState?.cursor ?? null;
  const textLines = [
    `${self.id} ${(names[self.id] ?? "").padEnd(NAME_WIDTH)}${describeFighter(self)}`,
    ...observation.fighters.map((fighter) => formatOpponentLine(fighter, names[fighter.id] ?? "")),
    ...observation.events.map((event) => `  - ${formatMatchEvent(event)}`),
  ];
  return [
    `tick ${observation.tick} of ${RULES.max_ticks}  ${describeZone(zone)}`,
    ...drawBoard({ grid, pieces, areas, pickups, zone, cursor }),
    ...textLines.map(escapeUnprintable),
  ];
}

/** Like `formatObservation`, with everything that a person at the keyboard needs. */
export function formatTurnScreen(
  observation: Observation,
  grid: Grid,
  names: FighterNames,
  draft: TurnDraft,
): string[] {
  return [
    ...formatObservation(observation, grid, names, draft),
    "",
    `your turn: ${formatTurnParts(draft.turn) || "(wait)"}`,
    draft.message || promptText(draft, observation),
    "",
    ...KEY_HELP,
    BOARD_LEGEND,
  ];
}

function promptText({ aimState }: TurnDraft, { self }: Observation): string {
  if (aimState?.cursor)
    return `target of ${aimState.attack}: move [ ] with the move keys, then press Return`;
  if (aimState) return `direction of ${aimState.attack}: press a move key`;
  return self.stun > 0 ? "You are stunned and can only wait." : "";
}

function toPieces(fighter: FighterView): BoardPiece[] {
  if ("alive" in fighter) return [];
  if (fighter.visible) return [{ mark: fighter.id, x: fighter.x, y: fighter.y }];
  return fighter.last_seen === null ? [] : [{ mark: "?", ...fighter.last_seen }];
}

function formatOpponentLine(fighter: FighterView, name: string): string {
  const label = `${fighter.id} ${name.padEnd(NAME_WIDTH)}`;
  if ("alive" in fighter) return `${label}fallen`;
  return `${label}${describeFighter(fighter)}${fighter.visible ? "" : describeLastSeen(fighter.last_seen)}`;
}

function describeLastSeen(lastSeen: { x: number; y: number; tick: number } | null): string {
  if (lastSeen === null) return "  out of sight";
  return `  out of sight since ${lastSeen.x},${lastSeen.y} at tick ${lastSeen.tick}`;
}
