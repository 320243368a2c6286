import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { parseAcknowledged, checkAfterCrash } from "./acknowledged-matches.ts";

const SAVING_PROCESS = fileURLToPath(new URL("./saving-process.ts", import.meta.url));
const ROUNDS = 50;
/** Maximum number of matches per round. Keeps the match numbers of different rounds separate. */
const ROUND_MATCHES = 100_000;
/** Upper limit for the random number of acknowledgements to wait for before a kill. */
const SAVES_PER_LIFETIME = 30;
/** Maximum delay between the last awaited acknowledgement and the kill, in milliseconds. */
const MAX_KILL_DELAY_MS = 8;
/**
 * In every `OPENING_ROUND`th round, the process is killed within this many milliseconds, while it
 * is opening the database.
 */
const MAX_OPENING_MS = 250;
const OPENING_ROUND = 5;

type SavingProcess = { child: ChildProcessWithoutNullStreams; output: string };

/**
 * Starts the next round's process early, so that it loads while the current round is killed and
 * checked.
 */
function startSaving(data: string, round: number): SavingProcess {
  const first = String(round * ROUND_MATCHES);
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? join(data, "compiled"),
  };
  const child = spawn(process.execPath, [SAVING_PROCESS, data, first, String(ROUND_MATCHES)], {
    env,
  });
  const saving = { child, output: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (saving.output += text));
  return saving;
}

async function waitForSaves(saving: SavingProcess, acknowledgements: number): Promise<void> {
  while (parseAcknowledged(saving.output).length < acknowledgements)
    await once(saving.child.stdout, "data");
  await sleep(Math.random() * MAX_KILL_DELAY_MS);
}

async function killAndReadSaves(saving: SavingProcess, round: number): Promise<number[]> {
  const { child } = saving;
  const closed = once(child, "close");
  child.stdin.write("go\n");
  if (round % OPENING_ROUND > 0)
    await waitForSaves(saving, Math.floor(Math.random() * SAVES_PER_LIFETIME));
  else await sleep(Math.random() * MAX_OPENING_MS);
  child.kill("SIGKILL");
  const [, signal] = (await closed) as [unknown, unknown];
  assert.equal(signal, "SIGKILL");
  return parseAcknowledged(saving.output);
}

it(`T28 T30 T34 loses no acknowledged match in ${ROUNDS} kills of a saving process`, async (context) => {
  const data = await mkdtemp(join(tmpdir(), "bout-kill-"));
  const acknowledged: number[] = [];
  let [stored, sweptCount] = [0, 0];
  let next = startSaving(data, 0);
  for (let round = 0; round < ROUNDS; round++) {
    const saving = next;
    next = startSaving(data, round + 1);
    acknowledged.push(...(await killAndReadSaves(saving, round)));
    const survivors = await checkAfterCrash(data, acknowledged);
    stored = survivors.stored;
    sweptCount += survivors.sweptCount;
  }
  next.child.kill("SIGKILL");
  context.diagnostic(
    `${acknowledged.length} acknowledged, ${stored} stored, ${sweptCount} orphaned replays swept`,
  );
  assert.ok(acknowledged.length > ROUNDS);
  await rm(data, { recursive: true });
});
