// Shows each tick to a person and reads their turn: by key on a terminal, otherwise line by line.

import { createInterface } from "node:readline";

import type { Grid } from "#core/engine/grid.ts";
import type { Observation } from "#core/engine/types.ts";

import { readPressedKeys, showScreen } from "./keys.ts";
import { formatTurnScreen, formatObservation } from "./match-screen.ts";
import type { FighterNames } from "./match-screen.ts";
import { EMPTY_TURN_DRAFT, pressKey } from "./turn-draft.ts";

export type TurnInput = {
  /** Returns a turn message as text; null if the person leaves. */
  readTurn(observation: Observation): Promise<string | null>;
  close(): void;
};

export function createKeyInput(grid: Grid, names: FighterNames): TurnInput {
  const keys = readPressedKeys();
  return {
    readTurn: async (observation) => {
      let draft = EMPTY_TURN_DRAFT;
      while (!draft.isDone) {
        showScreen(formatTurnScreen(observation, grid, names, draft));
        const key = await keys.next();
        if (key.done === true) return null;
        draft = pressKey(draft, key.value, observation, grid);
      }
      return formatTurn(draft.turn, observation.tick);
    },
    close: () => void keys.return(undefined),
  };
}

/** Reads one turn per line, as JSON. Calls `show` with the text to print before each turn. */
export function createLineInput(
  grid: Grid,
  names: FighterNames,
  showLines: (lines: string[]) => void,
): TurnInput {
  const input = createInterface({ input: process.stdin });
  const lines = input[Symbol.asyncIterator]();
  return {
    readTurn: async (observation) => {
      showLines(formatObservation(observation, grid, names, null));
      const line = await lines.next();
      return line.done === true ? null : parseTurnLine(line.value, observation.tick);
    },
    close: () => input.close(),
  };
}

/** Type and tick are optional. The referee handles values that aren't objects. */
function parseTurnLine(line: string, tick: number): string {
  try {
    const turnFields: unknown = line.trim() === "" ? {} : JSON.parse(line);
    const isObject =
      typeof turnFields === "object" && turnFields !== null && !Array.isArray(turnFields);
    return isObject ? formatTurn(turnFields, tick) : line;
  } catch {
    return line;
  }
}

const formatTurn = (turnFields: object, tick: number): string =>
  JSON.stringify({ ...turnFields, type: "turn", tick });
