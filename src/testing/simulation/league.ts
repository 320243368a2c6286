// The second ladder of the simulation: a few maps, two of the house, and a share of the players.

import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { DEFAULT_LADDER, PUBLIC } from "#core/ladder/ladder.ts";
import type { LadderId } from "#core/words/ids.ts";

import type { SeededDice } from "./dice.ts";

const LEAGUE = "league";
/** Of the players: never anywhere else; on both ladders by turns. */
const SHARE_LEAGUE = 0.15;
const SHARE_BOTH = 0.2;
const MAPS = 3;

/** Tight bounds hold bots back. */
export function drawLeague(dice: SeededDice, isTight: boolean): LadderDefinition {
  const first = dice.below(PUBLIC.maps.length - MAPS);
  return {
    ...PUBLIC,
    id: LEAGUE,
    name: "League",
    description: "",
    maps: PUBLIC.maps.slice(first, first + MAPS),
    house: ["kiter", "ts-starter"],
    maxConcurrent: isTight ? 1 + dice.below(3) : null,
    ownerConcurrency: isTight ? 1 : null,
  };
}

/** Where a player's bot queues, one of them each time. */
export function drawLadders(dice: SeededDice): readonly LadderId[] {
  if (dice.chance(SHARE_LEAGUE)) return [LEAGUE];
  return dice.chance(SHARE_BOTH) ? [DEFAULT_LADDER, LEAGUE] : [DEFAULT_LADDER];
}
