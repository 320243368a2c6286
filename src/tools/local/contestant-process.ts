// A bot that is a program: one message per line, in and out, as on the socket.

import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

import { FIXED } from "#core/words/limits.ts";

import type { Player, Wire } from "./local-match.ts";
import { NO_PROGRAM, killGroup } from "./programs.ts";
import type { NoteProgram } from "./programs.ts";

/** How long a program may take to exit once its input has ended. */
const LEAVE_MS = 500;

/**
 * Starts the program. It may play match after match, or exit after each match and be started again.
 */
export async function openProcess(command: readonly string[], note: NoteProgram): Promise<Player> {
  const startAnew = () => start(command, note);
  const child = startAnew();
  await once(child, "spawn").catch(explainSpawn);
  return playerOf(startAnew, child);
}

function start(
  [program = "", ...args]: readonly string[],
  note: NoteProgram,
): ChildProcessWithoutNullStreams {
  const child = spawn(program, args, { stdio: "pipe", detached: true });
  const { pid } = child;
  if (pid !== undefined) {
    note(pid);
    child.on("exit", () => {
      killGroup(pid);
      note(NO_PROGRAM);
    });
  }
  child.stderr.pipe(process.stderr, { end: false });
  // When writing to a program that has just exited, its exit says what happened.
  child.stdin.on("error", () => {});
  return child;
}

function explainSpawn({ code, message }: NodeJS.ErrnoException): never {
  throw new Error(code === "ENOENT" ? "there is no such program" : message);
}

function playerOf(
  startAnew: () => ChildProcessWithoutNullStreams,
  first: ChildProcessWithoutNullStreams,
): Player {
  let child = first;
  let wire: Wire | null = null;
  let hello = "";
  let hasAnswered = false;
  let hasPlayed = false;

  function attend(): void {
    splitLines(child, hear, (problem) => wire?.fail(problem));
    child.on("error", (error) => wire?.fail(error.message));
    child.on("close", (code, signal) => closed(code, signal));
  }

  function hear(line: string): void {
    hasAnswered = true;
    wire?.say(line);
  }

  /** A program that exits after a match may not have read the hello of the next one. */
  function closed(code: number | null, signal: string | null): void {
    if (wire === null || hasAnswered || !hasPlayed || code !== 0)
      return wire?.fail(`the program ended (${signal ?? `exit code ${code}`})`);
    hasPlayed = false;
    child = startAnew();
    attend();
    child.stdin.write(`${hello}\n`);
  }

  attend();
  return {
    hear: (text, to) => {
      wire = to;
      const isHello = text.startsWith('{"type":"hello"');
      if (isHello) [hello, hasAnswered] = [text, false];
      else hasPlayed = true;
      if (isGone(child)) closed(child.exitCode, child.signalCode);
      else child.stdin.write(`${text}\n`);
    },
    close: async () => {
      wire = null;
      await leave(child);
    },
  };
}

function splitLines(
  { stdout }: ChildProcessWithoutNullStreams,
  hear: (line: string) => void,
  fail: (problem: string) => void,
): void {
  let rest = "";
  stdout.setEncoding("utf8");
  stdout.on("data", (chunk: string) => {
    const lines = (rest + chunk).split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") hear(line);
    if (rest.length > FIXED.message_bytes)
      fail(`the program writes a line of more than ${FIXED.message_bytes} bytes`);
  });
}

const isGone = ({ exitCode, signalCode }: ChildProcessWithoutNullStreams): boolean =>
  exitCode !== null || signalCode !== null;

async function leave(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (isGone(child)) return;
  const gone = once(child, "exit");
  child.stdin.end();
  await Promise.race([gone, sleep(LEAVE_MS, null, { ref: false })]);
  if (child.pid !== undefined) killGroup(child.pid);
  await gone;
}
