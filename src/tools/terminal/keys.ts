// Keys and screens of a terminal.

import { on } from "node:events";
import { emitKeypressEvents } from "node:readline";

/** The character a key types, or the name of a key that types none. */
export type Key = string;

type KeyPress = { sequence?: string; name?: string; ctrl?: boolean };

const NAMED = new Set([
  "up",
  "down",
  "left",
  "right",
  "home",
  "end",
  "backspace",
  "escape",
  "space",
]);

/** Yields the keys pressed until the reader stops, or until Ctrl-C or Ctrl-D. */
export async function* readKeys(): AsyncGenerator<Key> {
  const { stdin } = process;
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdin.resume();
  try {
    for await (const [, press] of on(stdin, "keypress") as AsyncIterable<[unknown, KeyPress]>) {
      if (press.ctrl === true && (press.name === "c" || press.name === "d")) return;
      yield keyOf(press);
    }
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
  }
}

function keyOf({ sequence = "", name = "" }: KeyPress): Key {
  if (name === "return" || name === "enter") return "return";
  return NAMED.has(name) ? name : sequence;
}

/** Clears the terminal and shows these lines. */
export function showScreen(lines: readonly string[]): void {
  process.stdout.write(`\u001B[2J\u001B[H${lines.join("\n")}\n`);
}
