// `bout doctor`: whether a server can run here, and runs well.

import { constants, setPriority } from "node:os";

import { optionsProblem } from "#server/composition/address.ts";
import { readServeOptions, serveHelp } from "#server/configuration/flags.ts";
import { complainOf, EXIT_USAGE, say, sayJson } from "#tools/cli/command.ts";
import { styled } from "#tools/terminal/color.ts";
import type { Line, TextStyle } from "#tools/terminal/color.ts";
import { startProgress } from "#tools/terminal/progress.ts";

import { LEVELS } from "./diagnosis.ts";
import type { Diagnosis, Level } from "./diagnosis.ts";
import { examine } from "./doctor.ts";

const EXIT_CODES: Readonly<Record<Level, number>> = { ok: 0, warn: 1, fail: 2 };
const NOTES = `
Exit codes: 0 all is well, 1 there are warnings, 2 something fails, or the call is wrong.`;
const WIDEST = 22;
const RUNBOOK = "See docs/runbook.md for fixes by symptom.";

export async function runDoctor(args: readonly string[]): Promise<void> {
  if (args.includes("--help") || args.includes("-h"))
    return say([...serveHelp("doctor").split("\n"), ...NOTES.split("\n")]);
  const options = readServeOptions(
    args.filter((one) => one !== "--json"),
    process.env,
    "doctor",
  );
  const problem = "error" in options ? options.error : optionsProblem(options);
  if ("error" in options || problem !== null) {
    complainOf("bout doctor", `${problem}. See bout doctor --help.`);
    process.exitCode = EXIT_USAGE;
    return;
  }
  setPriority(constants.priority.PRIORITY_LOW);
  const progress = await startProgress();
  const findings = await examine(options, process.env, progress.tell).finally(progress.stop);
  const worst = worstOf(findings);
  if (args.includes("--json")) sayJson({ level: worst, findings }, 2);
  else say(printed(findings));
  process.exitCode = EXIT_CODES[worst];
}

const worstOf = (findings: readonly Diagnosis[]): Level =>
  LEVELS.findLast((level) => findings.some((one) => one.level === level)) ?? "ok";

const STYLES: Readonly<Record<Level, TextStyle>> = { ok: "green", warn: "yellow", fail: "red" };

function printed(findings: readonly Diagnosis[]): Line[] {
  const counts = LEVELS.map(
    (level) => `${findings.filter((one) => one.level === level).length} ${level}`,
  );
  const indent = " ".repeat("fail".length + WIDEST + 4);
  return [
    ...findings.flatMap(({ check, level, found, advice }): Line[] => [
      [styled(level.padEnd(4), STYLES[level]), `  ${check.padEnd(WIDEST)}  ${found}`],
      ...(advice === null ? [] : [`${indent}${advice}`]),
    ]),
    counts.join(", "),
    ...(worstOf(findings) === "ok" ? [] : [RUNBOOK]),
  ];
}
