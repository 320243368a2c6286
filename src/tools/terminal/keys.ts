import { on } from "node:events";
import { emitKeypressEvents } from "node:readline";

/** The typed character, or the key's name if it types no character. */
export type PressedKey = string;

type KeyPress = { sequence?: string; name?: string; ctrl?: boolean };

const NAMED_KEYS = new Set([
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

/** Yields pressed keys until the consumer stops, or until Ctrl-C or Ctrl-D. */
export async function* readPressedKeys(): AsyncGenerator<PressedKey> {
  const { stdin } = process;
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdin.resume();
  try {
    for await (const [, keyPress] of on(stdin, "keypress") as AsyncIterable<[unknown, KeyPress]>) {
      if (keyPress.ctrl === true && (keyPress.name === "c" || keyPress.name === "d")) return;
      yield toPressedKey(keyPress);
    }
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
  }
}

function toPressedKey({ sequence = "", name = "" }: KeyPress): PressedKey {
  if (name === "return" || name === "enter") return "return";
  return NAMED_KEYS.has(name) ? name : sequence;
}

export function showScreen(lines: readonly string[]): void {
  process.stdout.write(`\u001B[2J\u001B[H${lines.join("\n")}\n`);
}
