// `bout replay`: verifies replays by playing them again, and shows one in words.

import type { Command } from "commander";

import { sure } from "#base/units/sure.ts";
import type { Replay } from "#core/engine/types.ts";
import { whole } from "#server/configuration/flag-values.ts";
import { readReplayText } from "#tools/local/replay-file.ts";
import { LEGEND } from "#tools/terminal/board.ts";
import { framesOf, printFrame } from "#tools/terminal/frames.ts";
import { stepThrough } from "#tools/terminal/stepper.ts";

import {
  CommandFailure,
  EXIT_FAILED,
  EXIT_USAGE,
  complainOf,
  newCommand,
  runCommand,
  say,
  sayJson,
} from "./command.ts";
import { checkReplay, versionNote } from "./replay-check.ts";
import type { CheckedReplay } from "./replay-check.ts";
import { mismatchWords, namesOf, summary, verdictParts } from "./replay-summary.ts";

type Flags = { print?: true; step?: true; tick?: number; json?: true };

const EXIT_CODES = `
Exit codes: 0 the replay is what it says, 1 it is not (the first difference is named),
2 it cannot be read, or the call is wrong.`;

export async function runReplay(args: readonly string[]): Promise<void> {
  const command: Command = newCommand("replay", "Verify a replay by playing it again, and show it.")
    .usage("FILE... [flags]")
    .argument(
      "<FILE...>",
      "a .jsonl or .jsonl.gz file, or the address (http) of it or of its match page",
    )
    .option("--print", "the whole fight tick by tick, in words and as a map")
    .option("--step", "the same one tick at a time, by keys (on a terminal)")
    .option("--tick <N>", "one tick and what it led to", whole(0, 299))
    .option("--json", "verification and statistics as one line of JSON a file")
    .addHelpText("after", EXIT_CODES)
    .action(showReplays);
  await runCommand(command, args);
}

async function showReplays(files: readonly string[], flags: Flags): Promise<void> {
  const views = [flags.print, flags.step, flags.tick, flags.json];
  const chosen = views.filter((value) => value !== undefined).length;
  if (chosen > 1)
    throw new CommandFailure("--print, --step, --tick and --json exclude each other.", EXIT_USAGE);
  if (files.length > 1 && chosen > 0 && flags.json === undefined)
    throw new CommandFailure("only --json goes with several files.", EXIT_USAGE);
  if (flags.step === true && !(process.stdin.isTTY && process.stdout.isTTY))
    throw new CommandFailure("--step needs a terminal; --print does not.", EXIT_USAGE);
  for (const file of files) {
    const checked = await load(file);
    if (flags.json === true) sayJson(reportOf(file, checked));
    else if ("error" in checked) complainOf("bout replay", `${file}: ${checked.error}.`);
    else if (files.length > 1) say([[`${file}: `, ...verdictParts(checked)]]);
    else await show(checked, flags);
    if ("error" in checked) process.exitCode = EXIT_USAGE;
    else if (checked.mismatch !== null) process.exitCode ??= EXIT_FAILED;
  }
}

async function load(file: string): Promise<CheckedReplay | { error: string }> {
  const text = await readReplayText(file);
  return typeof text === "string" ? checkReplay(text) : text;
}

async function show(checked: CheckedReplay, flags: Flags): Promise<void> {
  const names = namesOf(checked.replay);
  if (flags.step === true) {
    await stepThrough(framesOf(checked.replay), names);
    say([verdictParts(checked)]);
  } else if (flags.tick === undefined) {
    if (flags.print === true) printFight(checked.replay, names);
    say(summary(checked));
  } else printOneTick(checked, flags.tick, names);
}

function printFight(replay: Replay, names: readonly string[]): void {
  console.log(`${LEGEND}\n`);
  for (const frame of framesOf(replay)) console.log(`${printFrame(frame, names).join("\n")}\n`);
}

function printOneTick({ replay, mismatch }: CheckedReplay, tick: number, names: string[]): void {
  const frames = framesOf(replay);
  // The first frame is the start. The last is the end, or where file and engine part ways.
  const last = frames.length - 2;
  if (tick > last) {
    const where = last < 0 ? "there is none at all" : `the last one to be played is ${last}`;
    throw new CommandFailure(`there is no tick ${tick}: ${where}.`, EXIT_USAGE);
  }
  console.log(printFrame(sure(frames[tick + 1], "frame"), names).join("\n"));
  if (mismatch !== null) complainOf("bout replay", `${mismatchWords(mismatch)}.`);
}

/** What `--json` prints for a file. */
function reportOf(file: string, checked: CheckedReplay | { error: string }): object {
  if ("error" in checked) return { file, ok: false, error: checked.error };
  const { replay, mismatch, stats } = checked;
  const { header, result } = replay;
  return {
    file,
    ok: mismatch === null,
    mismatch,
    note: versionNote(header),
    header: { ...header, map: header.map.name },
    result,
    stats,
  };
}
