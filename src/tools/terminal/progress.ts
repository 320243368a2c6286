// Shows a long command's progress on one line of the terminal, which is cleared at the end.

import { escapeUnprintable } from "./printable.ts";

type ProgressLine = { update: (news: string) => void; stop: () => void };

/** Shows text without a bar. Prints nothing if stderr isn't a terminal. */
export async function startProgress(): Promise<ProgressLine> {
  if (!process.stderr.isTTY) return { update: () => {}, stop: () => {} };
  const { default: cliProgress } = await import("cli-progress");
  const options = { format: "{news}", clearOnComplete: true, stream: process.stderr };
  const line = new cliProgress.SingleBar(options);
  line.start(1, 0, { news: "reading" });
  return {
    update: (news) => line.update({ news: escapeUnprintable(news) }),
    stop: () => line.stop(),
  };
}
