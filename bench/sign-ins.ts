// npm run bench sign-ins: what a hundred sign-ins a minute cost 320 matches. Each takes a password
// hash of 19 MiB. Rounds with and without them alternate.

import { bothOf } from "#base/units/sure.ts";

import { ask, median, pause, withSwarm } from "./sockets/children.ts";
import type { Crew } from "./sockets/children.ts";
import type { SwarmReport } from "./sockets/swarm.ts";

const BOTS = 640;
/** Slow enough that two cores are far from full: otherwise ticks would wait for a core. */
const THINK_MS = 150;
const WARM_UP_MS = 20_000;
const ROUND_MS = 12_000;
const ROUNDS = 5;
const PER_MINUTE = 100;
const PEOPLE = 20;
const PASSWORD = "correct horse battery";

type Round = {
  /** From the later turn of a tick to the next observation, p99 in ms. */
  waitMs: number;
  matches: number;
  /** Failed ticks of the matches that ended. */
  idles: number;
  signIns: number;
};

type Provider = (path: string, body: object) => Promise<number>;

async function providerAt(baseUrl: string): Promise<Provider> {
  const { accounts } = (await (await fetch(`${baseUrl}/api`)).json()) as {
    accounts: { publishable_key: string };
  };
  const headers = { apikey: accounts.publishable_key, "Content-Type": "application/json" };
  return async (path, body) => {
    const url = `${baseUrl}/auth/v1${path}`;
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    await answer.arrayBuffer();
    return answer.status;
  };
}

const credentialsOf = (person: number) => ({
  email: `person-${person % PEOPLE}@example.org`,
  password: PASSWORD,
});

/** Signs in at the rate until the time is over; the number of those that went well. */
async function signIns(provider: Provider, forMs: number): Promise<number> {
  const stepMs = 60_000 / PER_MINUTE;
  const all: Promise<number>[] = [];
  for (let passed = 0; passed < forMs; passed += stepMs) {
    all.push(provider("/token?grant_type=password", credentialsOf(all.length)));
    await pause(stepMs);
  }
  const statuses = await Promise.all(all);
  const failed = statuses.find((status) => status !== 200);
  if (failed !== undefined) throw new Error(`a sign-in was answered with ${failed}`);
  return all.length;
}

async function round({ swarm }: Crew, provider: Provider | null): Promise<Round> {
  await ask<SwarmReport>(swarm, "report");
  const done = provider === null ? Promise.resolve(0) : signIns(provider, ROUND_MS);
  const [signedIn] = await Promise.all([done, pause(ROUND_MS)]);
  const { turnaroundMs, matches, idles } = await ask<SwarmReport>(swarm, "report");
  const failed = Object.values(idles).reduce((sum, count) => sum + count, 0);
  return { waitMs: p99(turnaroundMs), matches, idles: failed, signIns: signedIn };
}

function p99(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.99)] ?? NaN;
}

function print(name: string, { waitMs, matches, idles, signIns: done }: Round): void {
  console.log(
    `${name}: next observation ${waitMs.toFixed(1)} ms after the last turn (p99), ` +
      `${matches} matches ended, ${idles} failed ticks, ${done} sign-ins`,
  );
}

async function compare(crew: Crew): Promise<void> {
  const provider = await providerAt(crew.baseUrl);
  for (let person = 0; person < PEOPLE; person += 1)
    await provider("/signup", credentialsOf(person));
  await pause(WARM_UP_MS);
  const quiet: Round[] = [];
  const busy: Round[] = [];
  for (let number = 1; number <= ROUNDS; number += 1) {
    quiet.push(await round(crew, null));
    print(`round ${number} without`, quiet[number - 1]!);
    busy.push(await round(crew, provider));
    print(`round ${number} with   `, busy[number - 1]!);
  }
  const waits = bothOf([quiet, busy].map((rounds) => median(rounds.map(({ waitMs }) => waitMs))));
  const [before, after] = waits.map((ms) => THINK_MS + ms) as [number, number];
  const failed = busy.reduce((sum, { idles }) => sum + idles, 0);
  console.log(`medians of the p99, without and with ${PER_MINUTE} sign-ins a minute:
  last turn to next observation  ${waits.map((ms) => ms.toFixed(1)).join(" to ")} ms
  whole tick, thought included   ${before.toFixed(1)} to ${after.toFixed(1)} ms (${((after / before - 1) * 100).toFixed(0)} %; under 20 %)
  failed ticks                   ${failed} (0)`);
}

/** Prints the figures of docs/performance.md about sign-ins. */
export async function run(): Promise<void> {
  const load = { bots: BOTS, thinkMs: THINK_MS };
  const flags = ["--accounts", "embedded", "--anonymous", "--autoconfirm"];
  await withSwarm("bout-server", load, compare, flags);
}
