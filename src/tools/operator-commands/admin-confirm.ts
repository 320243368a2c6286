import { once } from "node:events";
import { createInterface } from "node:readline/promises";

import { CommandFailure, EXIT_USAGE } from "#tools/cli/command.ts";
import { escapeUnprintable } from "#tools/terminal/printable.ts";

export type ActionWarning = { effect: string; target: string };

type TerminalInput = NodeJS.ReadableStream & { isTTY?: boolean };

/**
 * Resolves once the target's name has been typed. Rejects on any other input, and if there is no
 * terminal.
 */
export async function confirmAction(
  { effect, target }: ActionWarning,
  input: TerminalInput,
  output: NodeJS.WritableStream,
): Promise<void> {
  if (input.isTTY !== true)
    throw new CommandFailure(`${effect}: ${target}. To confirm, add --yes.`, EXIT_USAGE);
  output.write(escapeUnprintable(`${effect}: ${target}.`) + "\n");
  const typedLine = await readTypedLine(input, output);
  if (typedLine.trim() !== target) throw new CommandFailure("nothing was changed.", EXIT_USAGE);
}

/** Empty at the end of input or after Ctrl-C. */
async function readTypedLine(input: TerminalInput, output: NodeJS.WritableStream): Promise<string> {
  const lineReader = createInterface({ input, output, terminal: true });
  const inputClosed = once(lineReader, "close").then(() => "");
  try {
    const answer = lineReader.question("Type the name to confirm: ").catch(() => {
      output.write("\n");
      return "";
    });
    return await Promise.race([answer, inputClosed]);
  } finally {
    lineReader.close();
  }
}
