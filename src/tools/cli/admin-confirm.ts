// The question before what cannot be undone.

import { once } from "node:events";
import { createInterface } from "node:readline/promises";

import { printable } from "#tools/terminal/printable.ts";

import { CommandFailure, EXIT_USAGE } from "./command.ts";

/** What will happen for good, and to whom. */
export type Warning = { what: string; whom: string };

type Input = NodeJS.ReadableStream & { isTTY?: boolean };

/** Goes on if the person at the terminal types the name of what is lost. */
export async function confirm(
  { what, whom }: Warning,
  input: Input,
  output: NodeJS.WritableStream,
): Promise<void> {
  if (input.isTTY !== true)
    throw new CommandFailure(`${what}: ${whom}. Say --yes if you mean it.`, EXIT_USAGE);
  output.write(printable(`${what}: ${whom}.`) + "\n");
  const typed = await lineTyped(input, output);
  if (typed.trim() !== whom) throw new CommandFailure("nothing was done.", EXIT_USAGE);
}

/** Empty if the person ends the input, or gives up with a key. */
async function lineTyped(input: Input, output: NodeJS.WritableStream): Promise<string> {
  const asking = createInterface({ input, output, terminal: true });
  const ended = once(asking, "close").then(() => "");
  try {
    const answer = asking.question("Type its name to go on: ").catch(() => {
      output.write("\n");
      return "";
    });
    return await Promise.race([answer, ended]);
  } finally {
    asking.close();
  }
}
