// Measures how many matches per second the SQLite store saves durably, concurrently and one at a
// time, and how long its lists take with `--stored N` matches (default 20,000).

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { deflateSync } from "node:zlib";

import { MILLISECOND_US, SECOND_MS } from "#base/util/time.ts";
import { openSqliteFile } from "#data/sqlite/sqlite-file.ts";
import { sqlitePath } from "#data/sqlite/sqlite-path.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import { SAMPLE_COMPETITION } from "#testing/store-contract/store-case.ts";
import { fillMatches, playersOf } from "#testing/store-contract/store-fill.ts";
import {
  addSamplePlayers,
  sampleId,
  sampleMatch,
  sampleSeat,
} from "#testing/store-contract/store-samples.ts";

const BOTS = 60;
const DEFAULT_STORED = 20_000;
const CONCURRENT_SAVES = 320;
const GROUPED_SAVES = 5_000;
const SINGLE_SAVES = 300;
const LIST_RUNS = 25;

export async function run(): Promise<void> {
  const options = { stored: { type: "string", default: String(DEFAULT_STORED) } } as const;
  const { values } = parseArgs({ options, strict: false });
  const stored = Number(values.stored);
  const data = await mkdtemp(join(tmpdir(), "bout-bench-store-"));
  await fillStore(data, stored);
  const store = await openStore({ data });
  await benchSaves(store, stored);
  await benchLists(store, stored);
  await store.close();
  await rm(data, { recursive: true });
}

async function fillStore(data: string, stored: number): Promise<void> {
  const store = await openStore({ data });
  await addSamplePlayers(store, BOTS);
  await store.close();
  const { database } = await openSqliteFile(sqlitePath(data), "write");
  await fillMatches(database, stored, BOTS, deflateSync(sampleMatch(1).stats ?? ""));
  await database.destroy();
}

async function benchSaves(store: Store, stored: number): Promise<void> {
  const singleRate = await timeSaves(store, stored, SINGLE_SAVES, 1);
  const groupedRate = await timeSaves(
    store,
    stored + SINGLE_SAVES,
    GROUPED_SAVES,
    CONCURRENT_SAVES,
  );
  console.log(`durable matches with ${stored} stored, SQLite:`);
  console.log(`  one by one       ${formatRate(singleRate)}`);
  console.log(`  ${CONCURRENT_SAVES} at once      ${formatRate(groupedRate)}`);
  console.log(`  ratio            ${(groupedRate.perSecond / singleRate.perSecond).toFixed(1)}`);
}

type SaveRate = { perSecond: number; processorMs: number };

const formatRate = ({ perSecond, processorMs }: SaveRate) =>
  `${perSecond.toFixed(0)} a second, ${processorMs.toFixed(2)} ms of CPU time each`;

/** Includes the CPU time of all threads in this process. */
async function timeSaves(
  store: Store,
  first: number,
  count: number,
  concurrency: number,
): Promise<SaveRate> {
  const start = performance.now();
  const before = process.cpuUsage();
  let nextNumber = first;
  const saveNext = async () => {
    while (nextNumber < first + count) await store.matches.save(drawnMatch(nextNumber++));
  };
  await Promise.all(Array.from({ length: concurrency }, saveNext));
  const { user, system } = process.cpuUsage(before);
  return {
    perSecond: (count * SECOND_MS) / (performance.now() - start),
    processorMs: (user + system) / MILLISECOND_US / count,
  };
}

function drawnMatch(number: number): FinishedMatch {
  const seats = playersOf(number, BOTS).map((player) => sampleSeat(player));
  return sampleMatch(number, { winnerBotId: null, seats });
}

async function benchLists(store: Store, stored: number): Promise<void> {
  const list = { ladderId: "public", limit: 50, withStats: false };
  const [botId, before] = [sampleId("bot", 3), sampleId("match", Math.floor(stored / 2))];
  const queries = {
    ladder: list,
    "ladder, older": { ...list, before },
    bot: { ...list, botId },
    "bot, older": { ...list, botId, before },
    "500 with stats": { ...list, limit: 500, withStats: true },
  };
  console.log("lists, median milliseconds:");
  for (const [name, query] of Object.entries(queries)) {
    const median = await medianTime(() => store.matches.list(query));
    console.log(`  ${name.padEnd(16)} ${median.toFixed(2)}`);
  }
  console.log(
    `  ${"pair counts".padEnd(16)} ${(await medianTime(() => store.stats.pairs(SAMPLE_COMPETITION))).toFixed(2)}`,
  );
}

async function medianTime(call: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let repeat = 0; repeat < LIST_RUNS; repeat++) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(LIST_RUNS / 2)] ?? 0;
}
