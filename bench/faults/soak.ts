// T01: 640 bots play 320 concurrent matches for an hour. Checks for lost results, timeouts caused
// by the server, failed requests and memory growth (printed as a table). Some bots are witnesses:
// they compare every result they receive with the stored result.
// node bench/faults/soak.ts [MINUTES]

import { MINUTE_MS } from "#base/util/time.ts";
import { registerQuickBots } from "#testing/harness/quick-bot.ts";
import type { ReceivedMatchEnd } from "#testing/harness/quick-bot.ts";
import { fetchAllMatches, assertEndsStored } from "#testing/harness/stored-match-checks.ts";

import { ask, pause, withSwarm } from "../sockets/children.ts";
import type { SwarmProcesses, ProcessUsage } from "../sockets/children.ts";
import { memoryTable } from "../sockets/memory.ts";
import type { MemoryUsage } from "../sockets/memory.ts";
import type { SwarmReport } from "../sockets/swarm.ts";

const BOTS = 640;
const WITNESSES = 40;
const THINK_MS = 150;
const MEGABYTE = 2 ** 20;
const SETTLED_AFTER_MINUTES = 10;
/** Observations per match tick, one for each seat. */
const SEATS_PER_MATCH = 2;

const REQUEST_INTERVAL_MS = 1000;
const REQUESTED_PATHS = [
  "/api/status",
  "/api/lobby",
  "/api/leaderboard",
  "/api/matches?limit=20&stats=1",
  "/api/bots/witness-0",
  "/",
];

const minutes = Number(process.argv[2] ?? 60);

type SpectatorTotals = { requestCount: number; failedRequests: string[] };

function spectate(baseUrl: string, signal: AbortSignal): SpectatorTotals {
  const spectators: SpectatorTotals = { requestCount: 0, failedRequests: [] };
  void (async () => {
    for (; !signal.aborted; await pause(REQUEST_INTERVAL_MS)) {
      const path = REQUESTED_PATHS[spectators.requestCount % REQUESTED_PATHS.length];
      spectators.requestCount += 1;
      const { status } = await fetch(baseUrl + path);
      if (status !== 200) spectators.failedRequests.push(`${status} ${path}`);
    }
  })();
  return spectators;
}

async function startWitnesses(baseUrl: string): Promise<ReceivedMatchEnd[]> {
  const matchEnds: ReceivedMatchEnd[] = [];
  const options = { thinkMs: THINK_MS, onEnd: (end: ReceivedMatchEnd) => matchEnds.push(end) };
  const bots = await registerQuickBots(baseUrl, "witness", WITNESSES, options);
  await Promise.all(bots.map((bot) => bot.play(baseUrl)));
  return matchEnds;
}

type Totals = { endCount: number; timeouts: number; memory: number[] };

const formatMib = (bytes = 0): string => `${(bytes / MEGABYTE).toFixed(0)} MiB`;

async function playMinute({ server, swarm }: SwarmProcesses, totals: Totals): Promise<void> {
  await pause(MINUTE_MS);
  const { rss = 0, running } = await ask<ProcessUsage>(server, "usage");
  const { matches, idles, observations } = await ask<SwarmReport>(swarm, "report");
  totals.endCount += matches;
  totals.timeouts += idles.timeout ?? 0;
  totals.memory.push(rss);
  console.log(
    `minute ${totals.memory.length}: ${totals.endCount} results received, ${running} concurrent matches, ` +
      `${(observations / SEATS_PER_MATCH / (MINUTE_MS / 1000)).toFixed(0)} match ticks a second, ` +
      `failed ticks ${JSON.stringify(idles)}, ${formatMib(rss)}`,
  );
}

async function runSoak(processes: SwarmProcesses): Promise<void> {
  const { rss } = await ask<ProcessUsage>(processes.server, "usage");
  console.log(`bots connected: ${formatMib(rss)}`);
  const stopController = new AbortController();
  const witnessEnds = await startWitnesses(processes.baseUrl);
  const spectators = spectate(processes.baseUrl, stopController.signal);
  const totals: Totals = { endCount: 0, timeouts: 0, memory: [] };
  while (totals.memory.length < minutes) await playMinute(processes, totals);
  stopController.abort();
  console.log(memoryTable(await ask<MemoryUsage>(processes.server, "memory")));
  await compareResults(processes.baseUrl, totals, [...witnessEnds], spectators);
}

async function compareResults(
  baseUrl: string,
  { endCount, timeouts, memory }: Totals,
  witnessEnds: ReceivedMatchEnd[],
  { requestCount, failedRequests }: SpectatorTotals,
): Promise<void> {
  const matches = await fetchAllMatches(baseUrl);
  assertEndsStored(matches, witnessEnds);
  const settledBytes = memory[Math.min(SETTLED_AFTER_MINUTES, memory.length) - 1]!;
  console.log(
    [
      `${matches.length} matches stored, ${endCount} results received by the swarm (max twice as many)`,
      `${witnessEnds.length} results recorded by witnesses: each is stored once and unchanged`,
      `timeouts charged: ${timeouts}`,
      `${requestCount} pages requested, without status 200: ${JSON.stringify(failedRequests)}`,
      `memory after minute ${memory.indexOf(settledBytes) + 1}: ${formatMib(settledBytes)}, at the end: ${formatMib(memory.at(-1))}`,
    ].join("\n"),
  );
  if (endCount > 2 * matches.length || timeouts > 0 || failedRequests.length > 0)
    process.exitCode = 1;
}

await withSwarm("bout-server", { bots: BOTS - WITNESSES, thinkMs: THINK_MS }, runSoak);
process.exit();
