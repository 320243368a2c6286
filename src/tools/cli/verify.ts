// `bout verify`: does a leaderboard follow from the games that are listed?

import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { printable } from "#tools/terminal/printable.ts";
import { openSource, Unreadable } from "#tools/verify/source.ts";
import { verifyLadder } from "#tools/verify/verification.ts";
import type { Report } from "#tools/verify/verification.ts";

import {
  CommandFailure,
  EXIT_FAILED,
  EXIT_USAGE,
  newCommand,
  runCommand,
  say,
  sayJson,
} from "./command.ts";
import { printVerification } from "./verify-print.ts";

type Flags = { ladder: string; season?: string; json?: true };

const NOTES = `
Only public answers are read: the list of matches, the pages of ranked bots, the leaderboard.
Exit codes: 0 all agrees, 1 something differs, 2 the call is wrong or the ladder cannot be read.`;

export async function runVerify(args: readonly string[]): Promise<void> {
  const command = newCommand("verify", "Compute a leaderboard from its games, and compare.")
    .usage("URL [flags]")
    .argument("<URL>", "the address of a ladder")
    .option("--ladder <ID>", "which ladder of the server", DEFAULT_LADDER)
    .option("--season <ID>", "a month, YYYY-MM, or preseason (default: the current one)")
    .option("--json", "the whole result as JSON")
    .addHelpText("after", NOTES)
    .action(verify);
  await runCommand(command, args);
}

async function verify(address: string, flags: Flags): Promise<void> {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CommandFailure(
      `${address} is no address of a ladder; they begin with http.`,
      EXIT_USAGE,
    );
  const report = await reportOf(url, flags);
  if (flags.json === true) sayJson({ url: url.origin, ...report }, 2);
  else say(printVerification(url.origin, report));
  if (!report.agrees) process.exitCode = EXIT_FAILED;
}

async function reportOf(url: URL, { ladder, season }: Flags): Promise<Report> {
  const progress = await startProgress();
  try {
    return await verifyLadder(openSource(url), { ladder, season }, progress.tell);
  } catch (error) {
    if (error instanceof Unreadable)
      throw new CommandFailure(printable(`${error.message}.`), EXIT_USAGE);
    throw error;
  } finally {
    progress.stop();
  }
}

type Progress = { tell: (news: string) => void; stop: () => void };

/** The amount to read is only known once it is read, so progress is in words, without a bar. */
async function startProgress(): Promise<Progress> {
  if (!process.stderr.isTTY) return { tell: () => {}, stop: () => {} };
  const { default: cliProgress } = await import("cli-progress");
  const options = { format: "{news}", clearOnComplete: true, stream: process.stderr };
  const line = new cliProgress.SingleBar(options);
  line.start(1, 0, { news: "reading" });
  return { tell: (news) => line.update({ news: printable(news) }), stop: () => line.stop() };
}
