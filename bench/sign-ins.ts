// npm run bench sign-ins: measures how a hundred sign-ins a minute affect 320 matches. Each sign-in
// computes a password hash with 19 MiB of memory. Rounds with and without sign-ins alternate.

import { firstTwo } from "#base/util/assert-defined.ts";

import { ask, middleValue, pause, withSwarm } from "./sockets/children.ts";
import type { SwarmProcesses } from "./sockets/children.ts";
import type { SwarmReport } from "./sockets/swarm.ts";

const BOTS = 640;
/** Keeps the load well below two cores, so that ticks don't wait for CPU time. */
const THINK_MS = 150;
const WARM_UP_MS = 20_000;
const ROUND_MS = 12_000;
const ROUNDS = 5;
const SIGN_INS_PER_MINUTE = 100;
const ACCOUNT_COUNT = 20;
const PASSWORD = "correct horse battery";

type Round = {
  /** p99 of the time from the later turn of a tick to the next observation, in ms. */
  waitMs: number;
  matches: number;
  failedTicks: number;
  signIns: number;
};

type Provider = (path: string, body: object) => Promise<number>;

async function connectProvider(baseUrl: string): Promise<Provider> {
  const { accounts } = (await (await fetch(`${baseUrl}/api`)).json()) as {
    accounts: { publishable_key: string };
  };
  const headers = { apikey: accounts.publishable_key, "Content-Type": "application/json" };
  return async (path, body) => {
    const url = `${baseUrl}/auth/v1${path}`;
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    await response.arrayBuffer();
    return response.status;
  };
}

const credentialsOf = (accountNumber: number) => ({
  email: `person-${accountNumber % ACCOUNT_COUNT}@example.org`,
  password: PASSWORD,
});

/**
 * Signs in at the configured rate for `durationMs`. Returns how many sign-ins succeeded and throws
 * if any failed.
 */
async function signIns(provider: Provider, durationMs: number): Promise<number> {
  const stepMs = 60_000 / SIGN_INS_PER_MINUTE;
  const pendingSignIns: Promise<number>[] = [];
  for (let elapsedMs = 0; elapsedMs < durationMs; elapsedMs += stepMs) {
    pendingSignIns.push(
      provider("/token?grant_type=password", credentialsOf(pendingSignIns.length)),
    );
    await pause(stepMs);
  }
  const statuses = await Promise.all(pendingSignIns);
  const failedStatus = statuses.find((status) => status !== 200);
  if (failedStatus !== undefined) throw new Error(`sign-in returned ${failedStatus}`);
  return pendingSignIns.length;
}

async function runRound({ swarm }: SwarmProcesses, provider: Provider | null): Promise<Round> {
  await ask<SwarmReport>(swarm, "report");
  const pendingSignIns = provider === null ? Promise.resolve(0) : signIns(provider, ROUND_MS);
  const [signInCount] = await Promise.all([pendingSignIns, pause(ROUND_MS)]);
  const { turnaroundMs, matches, idles: failedTicks } = await ask<SwarmReport>(swarm, "report");
  const failed = Object.values(failedTicks).reduce((sum, count) => sum + count, 0);
  return { waitMs: p99(turnaroundMs), matches, failedTicks: failed, signIns: signInCount };
}

function p99(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? NaN;
}

function printRound(
  name: string,
  { waitMs, matches, failedTicks, signIns: signInCount }: Round,
): void {
  console.log(
    `${name}: next observation ${waitMs.toFixed(1)} ms after the last turn (p99), ` +
      `${matches} matches ended, ${failedTicks} failed ticks, ${signInCount} sign-ins`,
  );
}

async function compareRounds(processes: SwarmProcesses): Promise<void> {
  const provider = await connectProvider(processes.baseUrl);
  for (let accountNumber = 0; accountNumber < ACCOUNT_COUNT; accountNumber += 1)
    await provider("/signup", credentialsOf(accountNumber));
  await pause(WARM_UP_MS);
  const quietRounds: Round[] = [];
  const busyRounds: Round[] = [];
  for (let number = 1; number <= ROUNDS; number += 1) {
    quietRounds.push(await runRound(processes, null));
    printRound(`round ${number} without`, quietRounds[number - 1]!);
    busyRounds.push(await runRound(processes, provider));
    printRound(`round ${number} with   `, busyRounds[number - 1]!);
  }
  const medianWaits = firstTwo(
    [quietRounds, busyRounds].map((rounds) => middleValue(rounds.map(({ waitMs }) => waitMs))),
  );
  const [before, after] = medianWaits.map((ms) => THINK_MS + ms) as [number, number];
  const failed = busyRounds.reduce((sum, { failedTicks }) => sum + failedTicks, 0);
  console.log(
    `medians of the p99, without and with ${SIGN_INS_PER_MINUTE} sign-ins a minute:\n  last turn to next observation  ${medianWaits.map((ms) => ms.toFixed(1)).join(" to ")} ms\n  whole tick, think time included ${before.toFixed(1)} to ${after.toFixed(1)} ms (${((after / before - 1) * 100).toFixed(0)} %; under 20 %)\n  failed ticks                   ${failed} (0)`,
  );
}

export async function run(): Promise<void> {
  const load = { bots: BOTS, thinkMs: THINK_MS };
  const flags = ["--accounts", "embedded", "--anonymous", "--autoconfirm"];
  await withSwarm("bout-server", load, compareRounds, flags);
}
