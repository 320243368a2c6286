import { constants, setPriority } from "node:os";

import { optionsProblem } from "#server/composition/server-address.ts";
import { readServeOptions, serveHelp } from "#server/configuration/flags.ts";
import { printCommandError, EXIT_USAGE, printLines, printJson } from "#tools/cli/command.ts";
import { createStyledPart } from "#tools/terminal/color.ts";
import type { OutputLine, TextStyle } from "#tools/terminal/color.ts";
import { startProgress } from "#tools/terminal/progress.ts";

import { LEVELS } from "./diagnosis.ts";
import type { Diagnosis, Level } from "./diagnosis.ts";
import { runAllChecks } from "./doctor.ts";

const EXIT_CODES: Readonly<Record<Level, number>> = { ok: 0, warn: 1, fail: 2 };
const NOTES = `
Exit codes: 0 no problems, 1 warnings, 2 failures or invalid arguments.`;
const CHECK_WIDTH = 22;
const RUNBOOK = "See docs/runbook.md for fixes by symptom.";

export async function runDoctor(args: readonly string[]): Promise<void> {
  if (args.includes("--help") || args.includes("-h"))
    return printLines([...serveHelp("doctor").split("\n"), ...NOTES.split("\n")]);
  const options = readServeOptions(
    args.filter((finding) => finding !== "--json"),
    process.env,
    "doctor",
  );
  const problem = "error" in options ? options.error : optionsProblem(options);
  if ("error" in options || problem !== null) {
    printCommandError("bout doctor", `${problem}. See bout doctor --help.`);
    process.exitCode = EXIT_USAGE;
    return;
  }
  setPriority(constants.priority.PRIORITY_LOW);
  const progress = await startProgress();
  const findings = await runAllChecks(options, process.env, progress.update).finally(progress.stop);
  const worstFound = worstLevel(findings);
  if (args.includes("--json")) printJson({ level: worstFound, findings }, 2);
  else printLines(formatFindings(findings));
  process.exitCode = EXIT_CODES[worstFound];
}

const worstLevel = (findings: readonly Diagnosis[]): Level =>
  LEVELS.findLast((level) => findings.some((finding) => finding.level === level)) ?? "ok";

const STYLES: Readonly<Record<Level, TextStyle>> = { ok: "green", warn: "yellow", fail: "red" };

function formatFindings(findings: readonly Diagnosis[]): OutputLine[] {
  const counts = LEVELS.map(
    (level) => `${findings.filter((finding) => finding.level === level).length} ${level}`,
  );
  const indent = " ".repeat("fail".length + CHECK_WIDTH + 4);
  return [
    ...findings.flatMap(({ check, level, found, advice }): OutputLine[] => [
      [
        createStyledPart(level.padEnd(4), STYLES[level]),
        `  ${check.padEnd(CHECK_WIDTH)}  ${found}`,
      ],
      ...(advice === null ? [] : [`${indent}${advice}`]),
    ]),
    counts.join(", "),
    ...(worstLevel(findings) === "ok" ? [] : [RUNBOOK]),
  ];
}
