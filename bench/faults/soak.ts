// T01: 640 bots, 320 matches, an hour. No lost result, no time-out caused by the server, no failed
// request, no growth of memory, which a table at the end shows. Some of the bots are witnesses: they
// keep every end they are told and compare it with what is stored.
// node bench/faults/soak.ts [MINUTES]

import { MINUTE_MS } from "#base/units/time.ts";
import { registerQuickBots } from "#testing/harness/quick-bot.ts";
import type { ToldEnd } from "#testing/harness/quick-bot.ts";
import { allMatches, assertStored } from "#testing/harness/told-ends.ts";

import { ask, pause, withSwarm } from "../sockets/children.ts";
import type { Crew, Usage } from "../sockets/children.ts";
import { memoryTable } from "../sockets/memory.ts";
import type { Memory } from "../sockets/memory.ts";
import type { SwarmReport } from "../sockets/swarm.ts";

const BOTS = 640;
const WITNESSES = 40;
const THINK_MS = 150;
const MEGABYTE = 2 ** 20;
/** Minutes after which memory has settled. */
const SETTLED = 10;
/** Observations of one match tick. */
const SEATS = 2;

const LOOK_EVERY_MS = 1000;
const LOOKED_AT = [
  "/api/status",
  "/api/lobby",
  "/api/leaderboard",
  "/api/matches?limit=20&stats=1",
  "/api/bots/witness-0",
  "/",
];

const minutes = Number(process.argv[2] ?? 60);

type Looks = { asked: number; failed: string[] };

/** Requests one page after another, as spectators do, until told to stop. */
function lookOn(baseUrl: string, signal: AbortSignal): Looks {
  const looks: Looks = { asked: 0, failed: [] };
  void (async () => {
    for (; !signal.aborted; await pause(LOOK_EVERY_MS)) {
      const path = LOOKED_AT[looks.asked % LOOKED_AT.length];
      looks.asked += 1;
      const { status } = await fetch(baseUrl + path);
      if (status !== 200) looks.failed.push(`${status} ${path}`);
    }
  })();
  return looks;
}

async function playWitnesses(baseUrl: string): Promise<ToldEnd[]> {
  const ends: ToldEnd[] = [];
  const options = { thinkMs: THINK_MS, told: (end: ToldEnd) => ends.push(end) };
  const bots = await registerQuickBots(baseUrl, "witness", WITNESSES, options);
  await Promise.all(bots.map((bot) => bot.play(baseUrl)));
  return ends;
}

type Totals = { ends: number; timeouts: number; memory: number[] };

const mebibytes = (bytes = 0): string => `${(bytes / MEGABYTE).toFixed(0)} MiB`;

async function playMinute({ server, swarm }: Crew, totals: Totals): Promise<void> {
  await pause(MINUTE_MS);
  const { rss = 0, running } = await ask<Usage>(server, "usage");
  const { matches, idles, observations } = await ask<SwarmReport>(swarm, "report");
  totals.ends += matches;
  totals.timeouts += idles.timeout ?? 0;
  totals.memory.push(rss);
  console.log(
    `minute ${totals.memory.length}: ${totals.ends} ends heard, ${running} matches at once, ` +
      `${(observations / SEATS / (MINUTE_MS / 1000)).toFixed(0)} match ticks a second, ` +
      `failed ticks ${JSON.stringify(idles)}, ${mebibytes(rss)}`,
  );
}

async function soak(crew: Crew): Promise<void> {
  const { rss } = await ask<Usage>(crew.server, "usage");
  console.log(`as the bots have come: ${mebibytes(rss)}`);
  const over = new AbortController();
  const told = await playWitnesses(crew.baseUrl);
  const looks = lookOn(crew.baseUrl, over.signal);
  const totals: Totals = { ends: 0, timeouts: 0, memory: [] };
  while (totals.memory.length < minutes) await playMinute(crew, totals);
  over.abort();
  console.log(memoryTable(await ask<Memory>(crew.server, "memory")));
  await compare(crew.baseUrl, totals, [...told], looks);
}

async function compare(
  baseUrl: string,
  { ends, timeouts, memory }: Totals,
  told: ToldEnd[],
  { asked, failed }: Looks,
): Promise<void> {
  const matches = await allMatches(baseUrl);
  assertStored(matches, told);
  const settled = memory[Math.min(SETTLED, memory.length) - 1]!;
  console.log(
    [
      `${matches.length} matches stored, ${ends} ends heard by the swarm (at most twice as many)`,
      `${told.length} ends kept by witnesses: each is stored once and says the same`,
      `time-outs charged: ${timeouts}`,
      `${asked} pages asked for, not answered with 200: ${JSON.stringify(failed)}`,
      `memory after minute ${memory.indexOf(settled) + 1}: ${mebibytes(settled)}, at the end: ${mebibytes(memory.at(-1))}`,
    ].join("\n"),
  );
  if (ends > 2 * matches.length || timeouts > 0 || failed.length > 0) process.exitCode = 1;
}

await withSwarm("bout-server", { bots: BOTS - WITNESSES, thinkMs: THINK_MS }, soak);
process.exit();
