// Shows a person each tick and asks for a turn: by keys on a terminal, otherwise by lines.

import { createInterface } from "node:readline";

import type { Grid } from "#core/engine/grid.ts";
import type { Observation } from "#core/engine/types.ts";

import { readKeys, showScreen } from "./keys.ts";
import { NEW_DRAFT, pressKey } from "./play-draft.ts";
import { screenLines, viewLines } from "./play-screen.ts";
import type { FighterNames } from "./play-screen.ts";

export type Table = {
  /** The text of a turn message, or null if the person leaves. */
  ask(seen: Observation): Promise<string | null>;
  close(): void;
};

/** Plays by keys: every key redraws the screen. */
export function keyTable(grid: Grid, names: FighterNames): Table {
  const keys = readKeys();
  return {
    ask: async (seen) => {
      let draft = NEW_DRAFT;
      while (!draft.isDone) {
        showScreen(screenLines(seen, grid, names, draft));
        const key = await keys.next();
        if (key.done === true) return null;
        draft = pressKey(draft, key.value, seen, grid);
      }
      return printTurn(draft.turn, seen.tick);
    },
    close: () => void keys.return(undefined),
  };
}

/** Plays by lines, each the JSON of a turn; `show` receives what to show before each. */
export function lineTable(grid: Grid, names: FighterNames, show: (lines: string[]) => void): Table {
  const input = createInterface({ input: process.stdin });
  const lines = input[Symbol.asyncIterator]();
  return {
    ask: async (seen) => {
      show(viewLines(seen, grid, names, null));
      const line = await lines.next();
      return line.done === true ? null : turnOfLine(line.value, seen.tick);
    },
    close: () => input.close(),
  };
}

/** Type and tick may be left out of the line. Anything but an object is left to the referee. */
function turnOfLine(line: string, tick: number): string {
  try {
    const parts: unknown = line.trim() === "" ? {} : JSON.parse(line);
    const isObject = typeof parts === "object" && parts !== null && !Array.isArray(parts);
    return isObject ? printTurn(parts, tick) : line;
  } catch {
    return line;
  }
}

const printTurn = (parts: object, tick: number): string =>
  JSON.stringify({ ...parts, type: "turn", tick });
