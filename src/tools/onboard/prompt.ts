import { on } from "node:events";
import { createInterface } from "node:readline/promises";

import { escapeUnprintable } from "#tools/terminal/printable.ts";

import { OnboardError } from "./onboard-error.ts";

export type Prompt = {
  /** Returns the typed line, trimmed. */
  ask(question: string): Promise<string>;
  /** Like `ask`, without echoing the input. */
  askSecret(question: string): Promise<string>;
};

const GIVEN_UP_MESSAGE = "Cancelled.";

/** Returns null if there is no terminal. */
export function createPrompt(): Prompt | null {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return null;
  return { ask: askVisibly, askSecret };
}

async function askVisibly(question: string): Promise<string> {
  const lineReader = createInterface({ input: process.stdin, output: process.stderr });
  const inputClosed = new Promise<never>((_, reject) => {
    lineReader.once("close", () => reject(new OnboardError(GIVEN_UP_MESSAGE)));
  });
  const answer = await Promise.race([
    lineReader.question(escapeUnprintable(question)),
    inputClosed,
  ]);
  // Ignores a rejection that occurs after the prompt has ended.
  inputClosed.catch(() => {});
  lineReader.close();
  return answer.trim();
}

const ENTER_KEYS = new Set(["\r", "\n"]);
const ERASE_KEYS = new Set(["\u007F", "\b"]);
const CANCEL_KEYS = new Set(["\u0003", "\u0004"]);

async function askSecret(question: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(escapeUnprintable(question));
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  stdin.resume();
  try {
    return await readSecret(readPieces(stdin));
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write("\n");
  }
}

/** Keeps the stream open for later prompts. */
async function* readPieces(stdin: NodeJS.ReadStream): AsyncGenerator<string> {
  const pieces = on(stdin, "data", { close: ["end"] }) as AsyncIterable<[string]>;
  for await (const [piece] of pieces) yield piece;
}

/** Reads up to the end of the line. Backspace deletes the last character. */
export async function readSecret(input: AsyncIterable<string>): Promise<string> {
  const typedCharacters: string[] = [];
  for await (const piece of input)
    for (const character of piece) {
      if (ENTER_KEYS.has(character)) return typedCharacters.join("");
      if (CANCEL_KEYS.has(character)) throw new OnboardError(GIVEN_UP_MESSAGE);
      if (ERASE_KEYS.has(character)) typedCharacters.pop();
      else typedCharacters.push(character);
    }
  throw new OnboardError(GIVEN_UP_MESSAGE);
}
