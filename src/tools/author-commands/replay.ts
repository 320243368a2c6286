import type { Command } from "commander";

import { assertDefined } from "#base/util/assert-defined.ts";
import type { Replay } from "#core/engine/types.ts";
import { parseWhole } from "#server/configuration/flag-values.ts";
import {
  CommandFailure,
  EXIT_FAILED,
  EXIT_USAGE,
  printCommandError,
  createCommand,
  runCommand,
  printLines,
  printJson,
} from "#tools/cli/command.ts";
import { readReplayText } from "#tools/local-match/replay-file.ts";
import { BOARD_LEGEND } from "#tools/terminal/board.ts";
import { collectReplaySteps, formatReplayStep } from "#tools/terminal/replay-frames.ts";
import { runReplayStepper } from "#tools/terminal/replay-stepper.ts";

import { checkReplay, describeVersionMismatch } from "./replay-check.ts";
import type { CheckedReplay } from "./replay-check.ts";
import {
  describeMismatch,
  fighterLabels,
  formatReplaySummary,
  formatReplayVerdict,
} from "./replay-summary.ts";

type Flags = { print?: true; step?: true; tick?: number; json?: true };

const EXIT_CODES = `
Exit codes: 0 the replay is genuine, 1 it is not (the first difference is printed),
2 unreadable file or invalid arguments.`;

export async function runReplay(args: readonly string[]): Promise<void> {
  const command: Command = createCommand("replay", "Verify a replay and show it.")
    .usage("FILE... [flags]")
    .argument("<FILE...>", ".jsonl or .jsonl.gz file, or the URL of a replay or match page")
    .option("--print", "show all ticks with maps, then the summary")
    .option("--step", "show one tick at a time (requires a terminal)")
    .option("--tick <N>", "show one tick: turns, events and the map after it", parseWhole(0, 299))
    .option("--json", "print verification and statistics as JSON, one line per file")
    .addHelpText("after", EXIT_CODES)
    .action(showReplays);
  await runCommand(command, args);
}

async function showReplays(files: readonly string[], flags: Flags): Promise<void> {
  const views = [flags.print, flags.step, flags.tick, flags.json];
  const viewCount = views.filter((value) => value !== undefined).length;
  if (viewCount > 1)
    throw new CommandFailure("--print, --step, --tick and --json can't be combined.", EXIT_USAGE);
  if (files.length > 1 && viewCount > 0 && flags.json === undefined)
    throw new CommandFailure("with several files, only --json is possible.", EXIT_USAGE);
  if (flags.step === true && !(process.stdin.isTTY && process.stdout.isTTY))
    throw new CommandFailure("--step requires a terminal. Use --print instead.", EXIT_USAGE);
  for (const file of files) {
    const checked = await loadReplay(file);
    if (flags.json === true) printJson(createReplayReport(file, checked));
    else if ("error" in checked) printCommandError("bout replay", `${file}: ${checked.error}.`);
    else if (files.length > 1) printLines([[`${file}: `, ...formatReplayVerdict(checked)]]);
    else await showReplay(checked, flags);
    if ("error" in checked) process.exitCode = EXIT_USAGE;
    else if (checked.mismatch !== null) process.exitCode ??= EXIT_FAILED;
  }
}

async function loadReplay(file: string): Promise<CheckedReplay | { error: string }> {
  const text = await readReplayText(file);
  return typeof text === "string" ? checkReplay(text) : text;
}

async function showReplay(checked: CheckedReplay, flags: Flags): Promise<void> {
  const names = fighterLabels(checked.replay);
  if (flags.step === true) {
    await runReplayStepper(collectReplaySteps(checked.replay), names);
    printLines([formatReplayVerdict(checked)]);
  } else if (flags.tick === undefined) {
    if (flags.print === true) printMatch(checked.replay, names);
    printLines(formatReplaySummary(checked));
  } else printOneTick(checked, flags.tick, names);
}

function printMatch(replay: Replay, names: readonly string[]): void {
  console.log(`${BOARD_LEGEND}\n`);
  for (const frame of collectReplaySteps(replay))
    console.log(`${formatReplayStep(frame, names).join("\n")}\n`);
}

function printOneTick({ replay, mismatch }: CheckedReplay, tick: number, names: string[]): void {
  const frames = collectReplaySteps(replay);
  // The first frame is the initial state. The last frame is the end of the match or the first
  // mismatch.
  const lastTick = frames.length - 2;
  if (tick > lastTick) {
    const availableTicks = lastTick < 0 ? "no tick was played" : `the last tick is ${lastTick}`;
    throw new CommandFailure(`there is no tick ${tick}; ${availableTicks}.`, EXIT_USAGE);
  }
  console.log(formatReplayStep(assertDefined(frames[tick + 1], "frame"), names).join("\n"));
  if (mismatch !== null) printCommandError("bout replay", `${describeMismatch(mismatch)}.`);
}

function createReplayReport(file: string, checked: CheckedReplay | { error: string }): object {
  if ("error" in checked) return { file, ok: false, error: checked.error };
  const { replay, mismatch, stats } = checked;
  const { header, result } = replay;
  return {
    file,
    ok: mismatch === null,
    mismatch,
    note: describeVersionMismatch(header),
    header: { ...header, map: header.map.name },
    result,
    stats,
  };
}
