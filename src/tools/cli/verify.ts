// `bout verify`: does a leaderboard follow from the games that are listed?

import { existsSync } from "node:fs";

import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { printable } from "#tools/terminal/printable.ts";
import { startProgress } from "#tools/terminal/progress.ts";
import { verifyArchive } from "#tools/verify/archive.ts";
import { openSource, Unreadable } from "#tools/verify/source.ts";
import { verifyLadder } from "#tools/verify/verification.ts";

import {
  CommandFailure,
  EXIT_FAILED,
  EXIT_USAGE,
  newCommand,
  runCommand,
  say,
  sayJson,
} from "./command.ts";
import { printArchive, printVerification } from "./verify-print.ts";

type Flags = { ladder?: string; season?: string; json?: true };

const NOTES = `
Of an address, only public answers are read: the list of matches, the pages of ranked bots, the
leaderboard. Of an archive, nothing but the file is read, and its replays are played again.
Exit codes: 0 all agrees, 1 something differs, 2 the call is wrong or the ladder cannot be read.`;

export async function runVerify(args: readonly string[]): Promise<void> {
  const command = newCommand("verify", "Compute a leaderboard from its games, and compare.")
    .usage("URL|FILE [flags]")
    .argument("<URL|FILE>", "the address of a ladder, or the archive of one, a .tar.gz file")
    .option("--ladder <ID>", `which ladder of the server (default: ${DEFAULT_LADDER})`)
    .option("--season <ID>", "a month, YYYY-MM, or preseason (default: the current season)")
    .option("--json", "the whole result as JSON")
    .addHelpText("after", NOTES)
    .action(verify);
  await runCommand(command, args);
}

async function verify(place: string, flags: Flags): Promise<void> {
  const url = URL.parse(place);
  const isWrong = url === null ? !existsSync(place) : !/^https?:$/.test(url.protocol);
  if (isWrong)
    throw new CommandFailure(
      `${place} is neither a file nor an address of a ladder; those begin with http.`,
      EXIT_USAGE,
    );
  const agrees = url === null ? await verifyFile(place, flags) : await verifyAddress(url, flags);
  if (!agrees) process.exitCode = EXIT_FAILED;
}

async function verifyAddress(url: URL, { ladder, season, json }: Flags): Promise<boolean> {
  const asked = { ladder: ladder ?? DEFAULT_LADDER, season };
  const report = await withProgress((tell) => verifyLadder(openSource(url), asked, tell));
  if (json === true) sayJson({ url: url.origin, ...report }, 2);
  else say(printVerification(url.origin, report));
  return report.agrees;
}

async function verifyFile(file: string, { ladder, season, json }: Flags): Promise<boolean> {
  if (ladder !== undefined || season !== undefined)
    throw new CommandFailure("an archive is of one ladder, without seasons.", EXIT_USAGE);
  const report = await withProgress((tell) => verifyArchive(file, tell));
  if (json === true) sayJson({ file, ...report }, 2);
  else say(printArchive(report));
  return report.agrees;
}

async function withProgress<T>(run: (tell: (news: string) => void) => Promise<T>): Promise<T> {
  const progress = await startProgress();
  try {
    return await run(progress.tell);
  } catch (error) {
    if (error instanceof Unreadable)
      throw new CommandFailure(printable(`${error.message}.`), EXIT_USAGE);
    throw error;
  } finally {
    progress.stop();
  }
}
