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

import { acknowledgedIn, checkSurvivors } from "./survivors.ts";

const SAVING = fileURLToPath(new URL("./saving-process.ts", import.meta.url));
const ROUNDS = 50;
/** Most matches per round, so that the numbers of two rounds never overlap. */
const ROUND_MATCHES = 100_000;
/** How many acknowledgements a process may see before it is killed. */
const LIFE_SAVES = 30;
/** How long it may run after that, in milliseconds. */
const AFTER_MS = 8;
/**
 * Every few rounds the process is killed while it opens and recovers, within this many
 * milliseconds.
 */
const OPENING_MS = 250;
const OPENING_ROUND = 5;

type Saving = { child: ChildProcessWithoutNullStreams; told: string };

/** Starts a process that waits; the next one loads while this round's is killed and checked. */
function prepared(data: string, round: number): Saving {
  const first = String(round * ROUND_MATCHES);
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? join(data, "compiled"),
  };
  const child = spawn(process.execPath, [SAVING, data, first, String(ROUND_MATCHES)], { env });
  const saving = { child, told: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (saving.told += text));
  return saving;
}

/** Resolves a while after the process has reported this many acknowledgements. */
async function lived(saving: Saving, acknowledgements: number): Promise<void> {
  while (acknowledgedIn(saving.told).length < acknowledgements)
    await once(saving.child.stdout, "data");
  await sleep(Math.random() * AFTER_MS);
}

/** Lets a process save for a while, kills it, and returns the matches it saw acknowledged. */
async function killed(saving: Saving, round: number): Promise<number[]> {
  const { child } = saving;
  const closed = once(child, "close");
  child.stdin.write("go\n");
  if (round % OPENING_ROUND > 0) await lived(saving, Math.floor(Math.random() * LIFE_SAVES));
  else await sleep(Math.random() * OPENING_MS);
  child.kill("SIGKILL");
  const [, signal] = (await closed) as [unknown, unknown];
  assert.equal(signal, "SIGKILL");
  return acknowledgedIn(saving.told);
}

it(`T28 T30 T34 loses no acknowledged match in ${ROUNDS} kills of a saving process`, async (context) => {
  const data = await mkdtemp(join(tmpdir(), "bout-kill-"));
  const acknowledged: number[] = [];
  let [stored, swept] = [0, 0];
  let next = prepared(data, 0);
  for (let round = 0; round < ROUNDS; round++) {
    const saving = next;
    next = prepared(data, round + 1);
    acknowledged.push(...(await killed(saving, round)));
    const survivors = await checkSurvivors(data, acknowledged);
    stored = survivors.stored;
    swept += survivors.swept;
  }
  next.child.kill("SIGKILL");
  context.diagnostic(
    `${acknowledged.length} acknowledged, ${stored} stored, ${swept} orphaned replays swept`,
  );
  assert.ok(acknowledged.length > ROUNDS);
  await rm(data, { recursive: true });
});
