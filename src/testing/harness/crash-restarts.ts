// Repeatedly kills a server under load and restarts it on the same data. After each restart,
// compares the data with what bots received.

import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

import type { ServerStatus } from "#core/api/ladder.ts";

import { registerQuickBots } from "./quick-bot.ts";
import type { QuickBot, ReceivedMatchEnd } from "./quick-bot.ts";
import { assertMatchesIntact, assertDataUndamaged } from "./stored-match-checks.ts";
import { getJson } from "./test-match.ts";
import { launchLadder, spawnLadder } from "./test-server.ts";
import type { LadderProcess } from "./test-server.ts";

/** One in this many kills hits the server while it is opening its data. */
const OPENING_KILL_INTERVAL = 4;
const OPENING_MS = 1000;
/** Think time of the slower half of the bots, in ms. Staggers the ends of matches. */
const SLOW_MS = 3;
const MAX_DELAY_MS = 8;

export type RestartReport = {
  kills: number;
  whileOpening: number;
  /** Number of kills while bots were in matches whose `end` they hadn't received. */
  duringMatches: number;
  matchEnds: number;
  stored: number;
};

type RestartRun = {
  data: string;
  bots: QuickBot[];
  matchEvents: EventEmitter;
  matchEnds: ReceivedMatchEnd[];
  botsInMatches: number;
  verifiedMatchIds: Set<string>;
  report: RestartReport;
};

/**
 * Plays with `crowd` bots on `data`, and kills the server `kills` times. After each restart,
 * asserts that every reported match is stored once with its rating and replay. Calls `tell` for
 * each kill. Rejects if anything is lost, duplicated or damaged.
 */
export async function surviveRestarts(
  data: string,
  kills: number,
  botCount: number,
  reportProgress: (report: RestartReport) => void = () => {},
): Promise<RestartReport> {
  const run = createRun(data);
  let ladder = await spawnLadder(data);
  try {
    await registerBots(run, ladder.baseUrl, botCount);
    while (run.report.kills < kills) {
      run.botsInMatches = 0;
      await Promise.all(run.bots.map((bot) => bot.play(ladder.baseUrl)));
      await waitForKillMoment(run, botCount);
      await killServer(ladder, run);
      if (run.report.kills % OPENING_KILL_INTERVAL === OPENING_KILL_INTERVAL - 1)
        await killWhileOpening(run);
      ladder = await spawnLadder(data);
      await assertConsistent(ladder.baseUrl, run);
      reportProgress(run.report);
    }
  } finally {
    ladder.child.kill("SIGKILL");
    await ladder.exited;
  }
  assert.equal((await assertDataUndamaged(data)).size, run.report.stored);
  return run.report;
}

function createRun(data: string): RestartRun {
  const report = { kills: 0, whileOpening: 0, duringMatches: 0, matchEnds: 0, stored: 0 };
  const matchEvents = new EventEmitter();
  return {
    data,
    bots: [],
    matchEvents,
    matchEnds: [],
    botsInMatches: 0,
    verifiedMatchIds: new Set(),
    report,
  };
}

async function registerBots(run: RestartRun, baseUrl: string, botCount: number): Promise<void> {
  const { bots, matchEvents, matchEnds } = run;
  const onHello = () => {
    run.botsInMatches += 1;
    matchEvents.emit("hello");
  };
  const onEnd = (end: ReceivedMatchEnd) => {
    run.botsInMatches -= 1;
    matchEnds.push(end);
    matchEvents.emit("end");
  };
  const fastCount = Math.ceil(botCount / 2);
  bots.push(...(await registerQuickBots(baseUrl, "quick", fastCount, { onHello, onEnd })));
  const slowOptions = { onHello, onEnd, thinkMs: SLOW_MS };
  bots.push(...(await registerQuickBots(baseUrl, "slow", botCount - fastCount, slowOptions)));
}

/**
 * Resolves shortly after a random number of match ends. If that number is 0, resolves shortly after
 * a match starts.
 */
async function waitForKillMoment(
  { matchEvents, matchEnds }: RestartRun,
  botCount: number,
): Promise<void> {
  const target = matchEnds.length + randomInt(botCount);
  if (matchEnds.length === target) await once(matchEvents, "hello");
  while (matchEnds.length < target) await once(matchEvents, "end");
  await sleep(randomInt(MAX_DELAY_MS));
}

async function killServer(
  { child, exited }: LadderProcess,
  { report, botsInMatches }: RestartRun,
): Promise<void> {
  child.kill("SIGKILL");
  report.kills += 1;
  if (botsInMatches > 0) report.duringMatches += 1;
  await exited;
}

async function killWhileOpening({ data, report }: RestartRun): Promise<void> {
  const { child, exited } = launchLadder(data);
  await sleep(randomInt(OPENING_MS));
  child.kill("SIGKILL");
  await exited;
  report.kills += 1;
  report.whileOpening += 1;
}

/** Requires a server that has just started and has no connected bots. */
async function assertConsistent(
  baseUrl: string,
  { matchEnds, verifiedMatchIds, report }: RestartRun,
): Promise<void> {
  const { online, matches } = await getJson<ServerStatus>(baseUrl, "/api/status");
  assert.deepEqual([online, matches], [[], []]);
  report.stored = await assertMatchesIntact(baseUrl, matchEnds, verifiedMatchIds);
  report.matchEnds = matchEnds.length;
}
