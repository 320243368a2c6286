import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import type { WebSocket } from "ws";

import type { ServerStatus } from "#core/api/ladder.ts";
import { monthOf, windowOfMonth } from "#core/ladder/season.ts";
import { hashToken } from "#data/credentials/token.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import { runBout } from "#testing/harness/bout-process.ts";
import { createFakePublicLadder } from "#testing/harness/public-ladder.ts";
import type { FakePlayer } from "#testing/harness/public-ladder.ts";
import { QuickBot } from "#testing/harness/quick-bot.ts";
import type { ReceivedMatchEnd } from "#testing/harness/quick-bot.ts";
import { getJson } from "#testing/harness/test-match.ts";
import { spawnLadder, createTemporaryFolder } from "#testing/harness/test-server.ts";
import type { LadderProcess } from "#testing/harness/test-server.ts";
import {
  sampleBot,
  sampleId,
  sampleMatch,
  sampleSeat,
} from "#testing/store-contract/store-samples.ts";
import type { ListedMatch } from "#tools/verify/response-schemas.ts";
import type { VerificationReport } from "#tools/verify/verification.ts";

const HISTORY_GAMES = 240;
const LIVE_GAMES = 36;
const QUICK_BOTS = 8;
/** Bots that disconnect lose immediately, so matches on the ladder soon end. */
const FLAGS = ["--house", "kiter,brawler", "--match-interval", "0", "--reconnect-grace", "0"];
const HANG_MS = 120_000;

const tokenOf = (name: string): string => `token-of-${name}`;

const RETIRED_LABEL = "gone";

/**
 * Two bots reach 30 rated games while the server is running. The last bot already has 30 but is
 * retired.
 */
const players: readonly FakePlayer[] = [
  "house-kiter",
  "house-brawler",
  ...Array.from({ length: QUICK_BOTS }, (_, number) => `quick-${number}`),
  RETIRED_LABEL,
].map((name, number) => ({
  bot: sampleId("bot", number),
  name,
  label: "v1",
  house: name.startsWith("house-"),
  retired: false,
  strength: 1400 + 25 * number,
  plays: (progress) => number < QUICK_BOTS || progress > 0.45 || name === RETIRED_LABEL,
  status: name === RETIRED_LABEL ? "retired" : "active",
}));
const playerNumber = (bot: string): number => players.findIndex((player) => player.bot === bot);

async function fillStore(store: Store): Promise<void> {
  const formerVersion = (await store.seasons.list())[0]!;
  const currentVersion = { ...windowOfMonth(monthOf(new Date().toISOString())), archivedAt: null };
  await store.seasons.open([currentVersion]);
  for (const [number, { bot: id, name, house, status = "active" }] of players.entries()) {
    const created = formerVersion.opensAt;
    const owner = house ? "house" : `owner-${number}`;
    const record = sampleBot(number, { id, name, owner, house, status, created });
    await store.bots.add(record, hashToken(tokenOf(name)), null);
    const version = { id: sampleId("version", number), botId: id, label: "v1", notes: "" };
    await store.versions.add({ ...version, created, retired: false }, null);
  }
  const { matches } = createFakePublicLadder(HISTORY_GAMES, players);
  const pendingSaves = [formerVersion, currentVersion].flatMap(({ id, opensAt }, month) =>
    matches.toReversed().map((match, number) => {
      const ended = new Date(Date.parse(opensAt) + number).toISOString();
      return store.matches.save(storedMatch(match, month * HISTORY_GAMES + number, ended, id));
    }),
  );
  await Promise.all(pendingSaves);
}

function lastMonth(): string {
  const currentSeason = new Date();
  return new Date(
    Date.UTC(currentSeason.getUTCFullYear(), currentSeason.getUTCMonth() - 1, 15),
  ).toISOString();
}

function storedMatch(match: ListedMatch, number: number, ended: string, season: string) {
  const { winner, voided, bots } = match;
  const seats = bots.map((bot, seat) =>
    sampleSeat(playerNumber(bot.id), {
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

describe("bout verify on a server", () => {
  const matchEvents = new EventEmitter();
  const sockets: WebSocket[] = [];
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
  let ladder: LadderProcess;
  const onEnd: ReceivedMatchEnd[] = [];

  before(async () => {
    folder = await createTemporaryFolder();
    const store = await openStore({ data: folder.path }, lastMonth());
    await fillStore(store);
    await store.close();
    ladder = await spawnLadder(folder.path, FLAGS);
  });
  after(async () => {
    for (const socket of sockets) socket.terminate();
    ladder.child.kill("SIGKILL");
    await ladder.exited;
    await folder.remove();
  });

  async function verifyRun(...flags: string[]): Promise<VerificationReport> {
    const { code, out, err } = await runBout(["verify", ladder.baseUrl, "--json", ...flags]);
    assert.equal(err, "");
    const report = JSON.parse(out) as VerificationReport;
    assert.deepEqual([code, report.differences, report.faults], [0, [], []]);
    return report;
  }

  async function quietReport(): Promise<void> {
    while ((await getJson<ServerStatus>(ladder.baseUrl, "/api/status")).matches.length > 0)
      await sleep(100);
  }

  async function waitForGames(games: number): Promise<void> {
    while (onEnd.length < games) await once(matchEvents, "end");
  }

  it("accepts the initial history", { timeout: HANG_MS }, async () => {
    const report = await verifyRun();
    assert.equal(report.games + report.voided, HISTORY_GAMES);
    assert.equal(report.rows, QUICK_BOTS);
    assert.deepEqual(report.anchors, ["house-kiter@v1", "house-brawler@v1"]);
  });

  it("accepts the season archived at startup", { timeout: HANG_MS }, async () => {
    const report = await verifyRun("--season", monthOf(lastMonth()));
    assert.equal(report.state, "archived");
    assert.equal(report.rows, QUICK_BOTS);
  });

  it(
    "accepts the leaderboard while matches are ending, and afterwards",
    { timeout: HANG_MS },
    async () => {
      const handleEnd = (end: ReceivedMatchEnd) => {
        onEnd.push(end);
        matchEvents.emit("end");
      };
      const bots = players.filter(({ house, name }) => !house && name !== RETIRED_LABEL);
      for (const { name } of bots)
        sockets.push(
          await new QuickBot(name, tokenOf(name), { onEnd: handleEnd }).play(ladder.baseUrl),
        );
      const reports: VerificationReport[] = [];
      for (const progress of [0.25, 0.5, 0.75, 1]) {
        await waitForGames(progress * LIVE_GAMES);
        reports.push(await verifyRun());
      }
      for (const socket of sockets) socket.terminate();
      await quietReport();
      const report = await verifyRun("--season", reports[0]!.season ?? "");
      const games = reports.map(({ games }) => games);
      assert.deepEqual(
        games,
        games.toSorted((firstReport, secondReport) => firstReport - secondReport),
      );
      assert.ok(report.games > HISTORY_GAMES);
      assert.ok(report.rows > QUICK_BOTS);
      assert.equal(report.uncounted, 0);
    },
  );
});
