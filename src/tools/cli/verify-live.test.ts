// A real server that started with a history, bots that keep playing, and the command that reads it.

import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import type { WebSocket } from "ws";

import { monthOf, windowOfMonth } from "#core/ladder/season.ts";
import type { Status } from "#core/resources/ladder.ts";
import { hashToken } from "#data/access/token.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import { runBout } from "#testing/harness/bout-process.ts";
import { getJson } from "#testing/harness/duel.ts";
import { publicLadder } from "#testing/harness/public-ladder.ts";
import type { PublicPlayer } from "#testing/harness/public-ladder.ts";
import { QuickBot } from "#testing/harness/quick-bot.ts";
import type { ToldEnd } from "#testing/harness/quick-bot.ts";
import { spawnLadder, temporaryFolder } from "#testing/harness/test-server.ts";
import type { LadderProcess } from "#testing/harness/test-server.ts";
import {
  sampleBot,
  sampleId,
  sampleMatch,
  sampleSeat,
} from "#testing/store-cases/store-samples.ts";
import type { ListedMatch } from "#tools/verify/answers.ts";
import type { Report } from "#tools/verify/verification.ts";

const HISTORY = 240;
const LIVE_GAMES = 36;
const QUICK_BOTS = 8;
/** A bot that leaves loses at once, so that the ladder quickly goes quiet. */
const FLAGS = ["--house", "kiter,brawler", "--match-interval", "0", "--reconnect-grace", "0"];
/** No wait here takes this long, so a test that hangs ends. */
const HANG_MS = 120_000;

const tokenOf = (name: string): string => `token-of-${name}`;

const RETIRED = "gone";

/**
 * Two of the bots arrive late: they reach thirty games while the server runs. The last one has
 * thirty, and has retired.
 */
const players: readonly PublicPlayer[] = [
  "house-kiter",
  "house-brawler",
  ...Array.from({ length: QUICK_BOTS }, (_, number) => `quick-${number}`),
  RETIRED,
].map((name, number) => ({
  bot: sampleId("bot", number),
  name,
  label: "v1",
  house: name.startsWith("house-"),
  retired: false,
  strength: 1400 + 25 * number,
  plays: (part) => number < QUICK_BOTS || part > 0.45 || name === RETIRED,
  status: name === RETIRED ? "retired" : "active",
}));
const numberOf = (bot: string): number => players.findIndex((player) => player.bot === bot);

/** Players, and the same first games in last month and in this one. */
async function fill(store: Store): Promise<void> {
  const former = (await store.seasons.list())[0]!;
  const present = { ...windowOfMonth(monthOf(new Date().toISOString())), archivedAt: null };
  await store.seasons.open([present]);
  for (const [number, { bot: id, name, house, status = "active" }] of players.entries()) {
    const created = former.opensAt;
    const owner = house ? "house" : `owner-${number}`;
    const record = sampleBot(number, { id, name, owner, house, status, created });
    await store.bots.add(record, hashToken(tokenOf(name)), null);
    const version = { id: sampleId("version", number), botId: id, label: "v1", notes: "" };
    await store.versions.add({ ...version, created, retired: false }, null);
  }
  const { matches } = publicLadder(HISTORY, players);
  const saving = [former, present].flatMap(({ id, opensAt }, month) =>
    matches.toReversed().map((match, number) => {
      const ended = new Date(Date.parse(opensAt) + number).toISOString();
      return store.matches.save(storedMatch(match, month * HISTORY + number, ended, id));
    }),
  );
  await Promise.all(saving);
}

/** An instant in last month. */
function lastMonth(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15)).toISOString();
}

function storedMatch(match: ListedMatch, number: number, ended: string, season: string) {
  const { winner, voided, bots } = match;
  const seats = bots.map((bot, seat) =>
    sampleSeat(numberOf(bot.id), {
      botId: bot.id,
      name: bot.name,
      version: bot.version,
      fighter: seat === 0 ? "A" : "B",
      ratingBefore: bot.rating_before ?? null,
      ratingAfter: bot.rating_after ?? null,
    }),
  );
  const result = { winnerBotId: winner, voided, rated: !voided, seats };
  return sampleMatch(number, {
    season,
    started: ended,
    ended,
    ...result,
    ...(voided && { stats: null }),
  });
}

describe("bout verify of a server", () => {
  const news = new EventEmitter();
  const sockets: WebSocket[] = [];
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let ladder: LadderProcess;
  const told: ToldEnd[] = [];

  before(async () => {
    folder = await temporaryFolder();
    const store = await openStore({ data: folder.path }, lastMonth());
    await fill(store);
    await store.close();
    ladder = await spawnLadder(folder.path, FLAGS);
  });
  after(async () => {
    for (const socket of sockets) socket.terminate();
    ladder.child.kill("SIGKILL");
    await ladder.exited;
    await folder.remove();
  });

  async function verified(...flags: string[]): Promise<Report> {
    const { code, out, err } = await runBout(["verify", ladder.baseUrl, "--json", ...flags]);
    assert.equal(err, "");
    const report = JSON.parse(out) as Report;
    assert.deepEqual([code, report.differences, report.faults], [0, [], []]);
    return report;
  }

  async function quiet(): Promise<void> {
    while ((await getJson<Status>(ladder.baseUrl, "/api/status")).matches.length > 0)
      await sleep(100);
  }

  async function playUntil(games: number): Promise<void> {
    while (told.length < games) await once(news, "end");
  }

  it("agrees with the history it started with", { timeout: HANG_MS }, async () => {
    const report = await verified();
    assert.equal(report.games + report.voided, HISTORY);
    assert.equal(report.rows, QUICK_BOTS);
    assert.deepEqual(report.anchors, ["house-kiter@v1", "house-brawler@v1"]);
  });

  it("agrees with the season that was archived as it started", { timeout: HANG_MS }, async () => {
    const report = await verified("--season", monthOf(lastMonth()));
    assert.equal(report.state, "archived");
    assert.equal(report.rows, QUICK_BOTS);
  });

  it("agrees while games end, and when all have", { timeout: HANG_MS }, async () => {
    const hear = (end: ToldEnd) => {
      told.push(end);
      news.emit("end");
    };
    const bots = players.filter(({ house, name }) => !house && name !== RETIRED);
    for (const { name } of bots)
      sockets.push(await new QuickBot(name, tokenOf(name), { told: hear }).play(ladder.baseUrl));
    const reports: Report[] = [];
    for (const part of [0.25, 0.5, 0.75, 1]) {
      await playUntil(part * LIVE_GAMES);
      reports.push(await verified());
    }
    for (const socket of sockets) socket.terminate();
    await quiet();
    const report = await verified("--season", reports[0]!.season ?? "");
    const games = reports.map(({ games }) => games);
    assert.deepEqual(
      games,
      games.toSorted((one, other) => one - other),
    );
    assert.ok(report.games > HISTORY);
    assert.ok(report.rows > QUICK_BOTS);
    assert.equal(report.uncounted, 0);
  });
});
