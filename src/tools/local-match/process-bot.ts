// A bot that runs as a program. Messages go both ways as on the socket, one per line.

import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

import { FIXED_LIMITS } from "#core/limits/limits.ts";

import type { Player, PlayerChannel } from "./local-match.ts";
import { NO_PROCESS_GROUP, killGroup } from "./process-groups.ts";
import type { ProcessGroupListener } from "./process-groups.ts";

const EXIT_TIMEOUT_MS = 500;

/**
 * Starts the program. It may play several matches, or exit after each match to be started again.
 */
export async function openProcessBot(
  command: readonly string[],
  onProcessGroup: ProcessGroupListener,
): Promise<Player> {
  const restart = () => spawnBot(command, onProcessGroup);
  const child = restart();
  await once(child, "spawn").catch(throwSpawnError);
  return createPlayer(restart, child);
}

function spawnBot(
  [executable = "", ...args]: readonly string[],
  onProcessGroup: ProcessGroupListener,
): ChildProcessWithoutNullStreams {
  const child = spawn(executable, args, { stdio: "pipe", detached: true });
  const { pid } = child;
  if (pid !== undefined) {
    onProcessGroup(pid);
    child.on("exit", () => {
      killGroup(pid);
      onProcessGroup(NO_PROCESS_GROUP);
    });
  }
  child.stderr.pipe(process.stderr, { end: false });
  // Ignores write errors. If the program has exited, its exit code is reported instead.
  child.stdin.on("error", () => {});
  return child;
}

function throwSpawnError({ code, message }: NodeJS.ErrnoException): never {
  throw new Error(code === "ENOENT" ? "program not found" : message);
}

function createPlayer(
  restart: () => ChildProcessWithoutNullStreams,
  firstChild: ChildProcessWithoutNullStreams,
): Player {
  let child = firstChild;
  let channel: PlayerChannel | null = null;
  let hello = "";
  let hasAnswered = false;
  let hasPlayed = false;

  function listenToChild(): void {
    splitLines(child, handleMessage, (problem) => channel?.abort(problem));
    child.on("error", (error) => channel?.abort(error.message));
    child.on("close", (code, signal) => handleClose(code, signal));
  }

  function handleMessage(line: string): void {
    hasAnswered = true;
    channel?.send(line);
  }

  /** A program that exits after a match may not have read the next match's `hello`. */
  function handleClose(code: number | null, signal: string | null): void {
    if (channel === null || hasAnswered || !hasPlayed || code !== 0)
      return channel?.abort(`the program exited (${signal ?? `exit code ${code}`})`);
    hasPlayed = false;
    child = restart();
    listenToChild();
    child.stdin.write(`${hello}\n`);
  }

  listenToChild();
  return {
    handleMessage: (text, nextChannel) => {
      channel = nextChannel;
      const isHello = text.startsWith('{"type":"hello"');
      if (isHello) [hello, hasAnswered] = [text, false];
      else hasPlayed = true;
      if (hasExited(child)) handleClose(child.exitCode, child.signalCode);
      else child.stdin.write(`${text}\n`);
    },
    close: async () => {
      channel = null;
      await endProcess(child);
    },
  };
}

function splitLines(
  { stdout }: ChildProcessWithoutNullStreams,
  handleMessage: (line: string) => void,
  reportProblem: (problem: string) => void,
): void {
  let buffer = "";
  stdout.setEncoding("utf8");
  stdout.on("data", (chunk: string) => {
    const lines = (buffer + chunk).split(/\r?\n/);
    buffer = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") handleMessage(line);
    if (buffer.length > FIXED_LIMITS.message_bytes)
      reportProblem(`the program wrote a line of more than ${FIXED_LIMITS.message_bytes} bytes`);
  });
}

const hasExited = ({ exitCode, signalCode }: ChildProcessWithoutNullStreams): boolean =>
  exitCode !== null || signalCode !== null;

async function endProcess(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (hasExited(child)) return;
  const exitEvent = once(child, "exit");
  child.stdin.end();
  await Promise.race([exitEvent, sleep(EXIT_TIMEOUT_MS, null, { ref: false })]);
  if (child.pid !== undefined) killGroup(child.pid);
  await exitEvent;
}
