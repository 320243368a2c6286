// A whole server under a crowd, killed again and again on the same data, and checked each time
// against what the crowd was told.

import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

import type { Status } from "#core/resources/ladder.ts";

import { getJson } from "./duel.ts";
import { registerQuickBots } from "./quick-bot.ts";
import type { QuickBot, ToldEnd } from "./quick-bot.ts";
import { launchLadder, spawnLadder } from "./test-server.ts";
import type { LadderProcess } from "./test-server.ts";
import { assertKept, assertUndamaged } from "./told-ends.ts";

/** Every this many kills, the server is killed while it opens its data, within this time. */
const OPENING_ROUND = 4;
const OPENING_MS = 1000;
/** Think time of the slower half, so that matches end one after another. */
const SLOW_MS = 3;
/** How long a server may live on after the moment its kill waited for. */
const AFTER_MS = 8;

export type Restarts = {
  kills: number;
  /** Kills while the server opened its data. */
  whileOpening: number;
  /** Kills while bots were in matches whose end they had not heard. */
  amidMatches: number;
  /** The ends that bots heard. */
  ends: number;
  stored: number;
};

type Storm = {
  data: string;
  bots: QuickBot[];
  /** Tells of each `hello` and `end`. */
  news: EventEmitter;
  ends: ToldEnd[];
  /** Bots in matches of the current server. */
  seated: number;
  /** Matches whose replay has been read. */
  read: Set<string>;
  report: Restarts;
};

/**
 * Plays with `crowd` bots on `data` and kills the server `kills` times. After each kill, asserts
 * that a restarted server has every reported match once, with its rating and replay. `tell` hears
 * of each kill. Rejects if anything is lost, doubled or damaged.
 */
export async function surviveRestarts(
  data: string,
  kills: number,
  crowd: number,
  tell: (report: Restarts) => void = () => {},
): Promise<Restarts> {
  const storm = emptyStorm(data);
  let ladder = await spawnLadder(data);
  try {
    await enlist(storm, ladder.baseUrl, crowd);
    while (storm.report.kills < kills) {
      storm.seated = 0;
      await Promise.all(storm.bots.map((bot) => bot.play(ladder.baseUrl)));
      await chosenMoment(storm, crowd);
      await kill(ladder, storm);
      if (storm.report.kills % OPENING_ROUND === OPENING_ROUND - 1) await killOpening(storm);
      ladder = await spawnLadder(data);
      await assertSound(ladder.baseUrl, storm);
      tell(storm.report);
    }
  } finally {
    ladder.child.kill("SIGKILL");
    await ladder.exited;
  }
  assert.equal((await assertUndamaged(data)).size, storm.report.stored);
  return storm.report;
}

function emptyStorm(data: string): Storm {
  const report = { kills: 0, whileOpening: 0, amidMatches: 0, ends: 0, stored: 0 };
  const news = new EventEmitter();
  return { data, bots: [], news, ends: [], seated: 0, read: new Set(), report };
}

async function enlist(storm: Storm, baseUrl: string, crowd: number): Promise<void> {
  const { bots, news, ends } = storm;
  const begun = () => {
    storm.seated += 1;
    news.emit("hello");
  };
  const told = (end: ToldEnd) => {
    storm.seated -= 1;
    ends.push(end);
    news.emit("end");
  };
  const quick = Math.ceil(crowd / 2);
  bots.push(...(await registerQuickBots(baseUrl, "quick", quick, { begun, told })));
  const slow = { begun, told, thinkMs: SLOW_MS };
  bots.push(...(await registerQuickBots(baseUrl, "slow", crowd - quick, slow)));
}

/** A moment shortly after a random number of ends or, for none, shortly after a match began. */
async function chosenMoment({ news, ends }: Storm, crowd: number): Promise<void> {
  const target = ends.length + randomInt(crowd);
  if (ends.length === target) await once(news, "hello");
  while (ends.length < target) await once(news, "end");
  await sleep(randomInt(AFTER_MS));
}

async function kill({ child, exited }: LadderProcess, { report, seated }: Storm): Promise<void> {
  child.kill("SIGKILL");
  report.kills += 1;
  if (seated > 0) report.amidMatches += 1;
  await exited;
}

async function killOpening({ data, report }: Storm): Promise<void> {
  const { child, exited } = launchLadder(data);
  await sleep(randomInt(OPENING_MS));
  child.kill("SIGKILL");
  await exited;
  report.kills += 1;
  report.whileOpening += 1;
}

/** Checks a server that was just started and has no bots yet. */
async function assertSound(baseUrl: string, { ends, read, report }: Storm): Promise<void> {
  const { online, matches } = await getJson<Status>(baseUrl, "/api/status");
  assert.deepEqual([online, matches], [[], []]);
  report.stored = await assertKept(baseUrl, ends, read);
  report.ends = ends.length;
}
