import { existsSync } from "node:fs";

import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import {
  CommandFailure,
  EXIT_FAILED,
  EXIT_USAGE,
  createCommand,
  runCommand,
  printLines,
  printJson,
} from "#tools/cli/command.ts";
import { escapeUnprintable } from "#tools/terminal/printable.ts";
import { startProgress } from "#tools/terminal/progress.ts";
import { verifyArchive } from "#tools/verify/archive.ts";
import { createLadderSource, UnreadableSourceError } from "#tools/verify/source.ts";
import { verifyLadder } from "#tools/verify/verification.ts";

import { formatArchiveReport, formatVerification } from "./verify-print.ts";

type Flags = { ladder?: string; season?: string; json?: true };

const NOTES = `
For a URL, only public data is read: the list of matches, the pages of ranked bots, and the
leaderboard. For an archive, only the file is read, and its replays are simulated again.
Exit codes: 0 no differences, 1 differences, 2 invalid arguments or unreadable ladder.`;

export async function runVerify(args: readonly string[]): Promise<void> {
  const command = createCommand("verify", "Compute a leaderboard from its matches, and compare.")
    .usage("URL|FILE [flags]")
    .argument("<URL|FILE>", "URL of a ladder, or an archive file (.tar.gz)")
    .option("--ladder <ID>", `ladder to verify (default: ${DEFAULT_LADDER})`)
    .option(
      "--season <ID>",
      "season to verify: a month (YYYY-MM) or preseason (default: the current season)",
    )
    .option("--json", "print the whole result as JSON")
    .addHelpText("after", NOTES)
    .action(verify);
  await runCommand(command, args);
}

async function verify(target: string, flags: Flags): Promise<void> {
  const url = URL.parse(target);
  const isInvalidTarget = url === null ? !existsSync(target) : !/^https?:$/.test(url.protocol);
  if (isInvalidTarget)
    throw new CommandFailure(
      `${target} is neither a file nor a server URL. Use http:// or https://.`,
      EXIT_USAGE,
    );
  const agrees = url === null ? await verifyFile(target, flags) : await verifyAddress(url, flags);
  if (!agrees) process.exitCode = EXIT_FAILED;
}

async function verifyAddress(url: URL, { ladder, season, json }: Flags): Promise<boolean> {
  const query = { ladder: ladder ?? DEFAULT_LADDER, season };
  const report = await withProgress((reportProgress) =>
    verifyLadder(createLadderSource(url), query, reportProgress),
  );
  if (json === true) printJson({ url: url.origin, ...report }, 2);
  else printLines(formatVerification(url.origin, report));
  return report.agrees;
}

async function verifyFile(file: string, { ladder, season, json }: Flags): Promise<boolean> {
  if (ladder !== undefined || season !== undefined)
    throw new CommandFailure("--ladder and --season can't be used with an archive.", EXIT_USAGE);
  const report = await withProgress((reportProgress) => verifyArchive(file, reportProgress));
  if (json === true) printJson({ file, ...report }, 2);
  else printLines(formatArchiveReport(report));
  return report.agrees;
}

async function withProgress<T>(
  runWithProgress: (reportProgress: (statusText: string) => void) => Promise<T>,
): Promise<T> {
  const progress = await startProgress();
  try {
    return await runWithProgress(progress.update);
  } catch (error) {
    if (error instanceof UnreadableSourceError)
      throw new CommandFailure(escapeUnprintable(`${error.message}.`), EXIT_USAGE);
    throw error;
  } finally {
    progress.stop();
  }
}
