// Checks commit messages against the rules in CONTRIBUTING.md.
// Usage: node scripts/check-commits.ts RANGE      checks the commits of a range, such as main..
//        node scripts/check-commits.ts --file F   checks one message, for a commit-msg hook

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const SUBJECT_LENGTH = 72;
const TYPES = ["build", "chore", "ci", "docs", "feat", "fix", "perf", "refactor", "style", "test"];
const SUBJECT = new RegExp(
  String.raw`^(${TYPES.join("|")})(\([a-z0-9-]+\))?!?: [^\sA-Z]\S*( \S+)*$`,
);

export function commitMessageErrors(message: string): string[] {
  const [subject = "", secondLine = ""] = message.split("\n");
  if (/^(Merge|Revert) /.test(subject)) return [];
  const errors: string[] = [];
  if (subject.length > SUBJECT_LENGTH)
    errors.push(`The subject has ${subject.length} characters; use at most ${SUBJECT_LENGTH}.`);
  if (!SUBJECT.test(subject))
    errors.push(
      `The subject is not "type(scope): lower-case description". Types: ${TYPES.join(", ")}.`,
    );
  if (subject.endsWith(".")) errors.push("The subject ends with a period.");
  if (secondLine !== "") errors.push("A blank line must separate the subject from the body.");
  return errors;
}

function readMessages(args: readonly string[]): string[] {
  const [first, file] = args;
  if (first === "--file" && file !== undefined) return [readFileSync(file, "utf8")];
  if (first === undefined) throw new Error("Pass a range, such as main.., or --file FILE.");
  const log = execFileSync("git", ["log", "-z", "--format=%B", first], { encoding: "utf8" });
  return log.split("\0").filter((message) => message.trim() !== "");
}

if (import.meta.main) {
  for (const message of readMessages(process.argv.slice(2)))
    for (const error of commitMessageErrors(message)) {
      process.exitCode = 1;
      console.error(`${message.split("\n")[0]}\n  ${error}`);
    }
}
