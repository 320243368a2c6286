// What a long command is doing, on one line of the terminal that is gone when it is done.

import { printable } from "./printable.ts";

type Progress = { tell: (news: string) => void; stop: () => void };

/** In words, without a bar. Says nothing where stderr is no terminal. */
export async function startProgress(): Promise<Progress> {
  if (!process.stderr.isTTY) return { tell: () => {}, stop: () => {} };
  const { default: cliProgress } = await import("cli-progress");
  const options = { format: "{news}", clearOnComplete: true, stream: process.stderr };
  const line = new cliProgress.SingleBar(options);
  line.start(1, 0, { news: "reading" });
  return { tell: (news) => line.update({ news: printable(news) }), stop: () => line.stop() };
}
