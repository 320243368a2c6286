// Questions to the person at the terminal.

import { on } from "node:events";
import { createInterface } from "node:readline/promises";

import { printable } from "#tools/terminal/printable.ts";

import { Halt } from "./halt.ts";

export type Prompt = {
  /** What is typed, without space at its ends. */
  ask(question: string): Promise<string>;
  /** The same, and nothing of it is shown. */
  askSecret(question: string): Promise<string>;
};

const GIVEN_UP = "Given up.";

/** Null without a terminal: nobody can be asked. */
export function openPrompt(): Prompt | null {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return null;
  return { ask: askAloud, askSecret };
}

async function askAloud(question: string): Promise<string> {
  const line = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<never>((_, reject) => {
    line.once("close", () => reject(new Halt(GIVEN_UP)));
  });
  const answer = await Promise.race([line.question(printable(question)), closed]);
  // Nobody waits for the end of the line any more.
  closed.catch(() => {});
  line.close();
  return answer.trim();
}

const ENTER = new Set(["\r", "\n"]);
const ERASE = new Set(["\u007F", "\b"]);
const LEAVE = new Set(["\u0003", "\u0004"]);

async function askSecret(question: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(printable(question));
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  stdin.resume();
  try {
    return await readSecret(piecesOf(stdin));
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write("\n");
  }
}

/** What is typed. The stream stays open for later questions. */
async function* piecesOf(stdin: NodeJS.ReadStream): AsyncGenerator<string> {
  const pieces = on(stdin, "data", { close: ["end"] }) as AsyncIterable<[string]>;
  for await (const [piece] of pieces) yield piece;
}

/** Reads up to the end of a line. An erased character takes the last one with it. */
export async function readSecret(input: AsyncIterable<string>): Promise<string> {
  const typed: string[] = [];
  for await (const piece of input)
    for (const letter of piece) {
      if (ENTER.has(letter)) return typed.join("");
      if (LEAVE.has(letter)) throw new Halt(GIVEN_UP);
      if (ERASE.has(letter)) typed.pop();
      else typed.push(letter);
    }
  throw new Halt(GIVEN_UP);
}
