import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { LIMITS } from "#core/words/limits.ts";
import { openStore } from "#server/composition/open-store.ts";
import type { Heard } from "#testing/fixtures/message-check.ts";
import { BotClient, register } from "#testing/harness/bot-client.ts";
import { challenge, knock, playPath, refusalOf } from "#testing/harness/challenger.ts";
import type { Challenger } from "#testing/harness/challenger.ts";
import { getJson, ladderFor, replayOf } from "#testing/harness/duel.ts";
import { exchange, upgradeHead } from "#testing/harness/raw-socket.ts";
import { serveLadder, spawnLadder, temporaryFolder } from "#testing/harness/test-server.ts";

const HOUSE = ["--house", "kiter,brawler"];
/** So short that a fight is over in seconds. */
const QUICK = { play_tick_ms: 20 };
const LOOK_EVERY_MS = 20;

type Stored = {
  mode: string;
  winner: string | null;
  reason: string;
  rated: boolean;
  final_tick: number;
  bots: { name: string; version: string; fighter: string }[];
};

const storedAs = (baseUrl: string, { match_id }: Heard): Promise<Stored> =>
  getJson<Stored>(baseUrl, `/api/matches/${String(match_id)}`);

type Seen = Heard & { tick: number };

/** Says ready, sends what `turn` makes of each observation, and returns the end. */
async function fight({ page }: Challenger, turn: (seen: Seen) => object | null): Promise<Heard> {
  page.socket.on("message", (data) => {
    const seen = JSON.parse((data as Buffer).toString()) as Seen;
    const answer = seen.type === "observation" ? turn(seen) : null;
    if (answer !== null) page.say({ type: "turn", tick: seen.tick, ...answer });
  });
  page.say({ type: "ready" });
  return page.next("end");
}

/** Everything that counts ranked matches or lists them. */
async function figuresOf(baseUrl: string): Promise<object> {
  const paths = [
    "/api/leaderboard",
    "/api/matches?stats=1",
    "/api/matches?bot=house-kiter",
    "/api/seasons/current",
    "/api/seasons/current/matchups?bot=house-kiter",
    "/api/ladders/public/results",
    "/api/bots/house-kiter/ratings",
  ];
  const answers = await Promise.all(paths.map((path) => getJson<object>(baseUrl, path)));
  const bot = await getJson<Record<string, unknown>>(baseUrl, "/api/bots/house-kiter");
  const { played_ladders, recent_matches, versions } = bot;
  return { answers, recent_matches, versions, played_ladders };
}

suite("a fight of a person", async () => {
  const { baseUrl, arena, health } = await ladderFor({ after }, HOUSE, QUICK);

  test("is played by the clock, stored, and counts for nobody", async () => {
    const first = await challenge(baseUrl);
    first.page.say({ type: "ready" });
    await first.page.next("observation", ({ tick }) => tick === 1);
    first.page.socket.terminate();
    while (arena.running().length > 0) await sleep(LOOK_EVERY_MS);
    const before = await figuresOf(baseUrl);
    const challenger = await challenge(baseUrl);
    const { hello } = challenger;
    const { tick_ms, budget_ms, reconnect_ms } = hello.deadlines as Record<string, number>;
    assert.deepEqual([hello.mode, hello.fighter, hello.bot_id], ["human", "A", "human"]);
    assert.deepEqual([tick_ms, budget_ms, reconnect_ms], [20, 6000, 0]);
    type Status = { matches: Heard[]; capacity: object; online: Heard[] };
    const status = await getJson<Status>(baseUrl, "/api/status");
    const shown = status.matches.find(({ id }) => id === hello.match_id);
    assert.deepEqual(shown?.display_names, ["human", "Kiter"]);
    assert.ok(JSON.stringify(shown?.bots).startsWith('["human"'));
    assert.deepEqual(status.capacity, { running: 0, max: LIMITS.max_concurrent });
    assert.equal(status.online.filter(({ name }) => name === "house-kiter").length, 1);
    const end = await fight(challenger, () => ({ move: "n", shout: "vote for me" }));
    assert.deepEqual(
      [end.mode, end.rated, end.unrated_reason, end.rating_change],
      ["human", false, "mode", null],
    );
    assert.deepEqual(await challenger.page.closed, { code: 1000, reason: "the fight is over" });
    const stored = await storedAs(baseUrl, hello);
    assert.deepEqual([stored.mode, stored.rated, stored.reason], ["human", false, end.reason]);
    assert.deepEqual(
      stored.bots.map(({ name, version, fighter }) => [name, version, fighter]),
      [
        ["human", "-", "A"],
        ["house-kiter", "v1", "B"],
      ],
    );
    const { ticks } = await replayOf(baseUrl, end);
    const turns = ticks.map(({ turns: [person] }) => JSON.stringify(person));
    assert.ok(turns.includes('{"move":"n"}'), "its moves are played");
    assert.ok(!turns.some((turn) => turn.includes("vote")), "people have no shout");
    assert.deepEqual(await figuresOf(baseUrl), before);
    assert.deepEqual([arena.running(), health.report().games.count], [[], 0]);
    assert.equal(health.report().timings.reply.count, 0);
  });

  test("of a page that never answers is played with empty turns, and given up", async () => {
    const challenger = await challenge(baseUrl);
    const { failed_ticks_to_disqualify } = challenger.hello.deadlines as Record<string, number>;
    assert.equal(failed_ticks_to_disqualify, LIMITS.play_silent_ticks);
    const end = await fight(challenger, () => null);
    assert.deepEqual([end.winner, end.reason], ["B", "forfeit"]);
    const { ticks } = await replayOf(baseUrl, end);
    assert.equal(ticks.length, LIMITS.play_silent_ticks);
    assert.ok(ticks.every(({ turns: [person] }) => person !== null));
    assert.deepEqual(ticks[0]?.turns[0], {});
  });

  test("of a page that never says ready is no match", async () => {
    const hasty = await ladderFor({ after }, [...HOUSE, "--startup-seconds", "0.5"]);
    const { page, hello } = await challenge(hasty.baseUrl);
    const end = await page.next("end");
    assert.deepEqual([end.winner, end.reason, end.voided], [null, "forfeit", true]);
    const { status } = await fetch(`${hasty.baseUrl}/api/matches/${String(hello.match_id)}`);
    assert.equal(status, 404);
  });

  const partings: [how: string, go: (challenger: Challenger) => void, code: number][] = [
    ["leaves", ({ page }) => page.socket.close(), 1005],
    ["breaks off", ({ page }) => page.socket.terminate(), 1006],
    [
      "floods",
      ({ page }) => {
        for (let frames = 0; frames < 50; frames += 1) page.say({ type: "turn", tick: 0 });
      },
      4009,
    ],
    ["sends too much", ({ page }) => page.socket.send("x".repeat(17_000)), 1009],
  ];
  for (const [how, go, code] of partings)
    test(`of a page that ${how} is given up at once`, async () => {
      const challenger = await challenge(baseUrl);
      challenger.page.say({ type: "ready" });
      await challenger.page.next("observation", ({ tick }) => tick === 1);
      go(challenger);
      assert.equal((await challenger.page.closed).code, code);
      while (arena.running().length > 0) await sleep(LOOK_EVERY_MS);
      const { reason, winner, final_tick } = await storedAs(baseUrl, challenger.hello);
      assert.deepEqual([reason, winner === "human"], ["forfeit", false]);
      assert.ok(final_tick < 20, `after ${final_tick} ticks`);
    });
});

suite("no fight of a person begins", () => {
  test("from another Origin, or without a house bot to fight", async () => {
    const { baseUrl } = await ladderFor({ after }, HOUSE);
    const head = upgradeHead(
      { Origin: "https://elsewhere.example", Authorization: null },
      `GET ${playPath("kiter")} HTTP/1.1`,
    );
    assert.match(await exchange(baseUrl, head), /^HTTP\/1\.1 403 /);
    await challenge(baseUrl).then(({ page }) => page.socket.terminate());
    for (const opponent of ["champion", "house-kiter", "", "__proto__", "nobody&opponent=kiter"])
      assert.deepEqual(
        await refusalOf(await knock(baseUrl, opponent)),
        ["unknown_opponent", 4010],
        opponent,
      );
    const own = await knock(baseUrl, "kiter", { origin: baseUrl });
    assert.equal((await Promise.race([own.next("hello"), own.next("error")])).type, "hello");
    own.socket.terminate();
  });

  test("for a ninth player, nor a second one of an address", async () => {
    const many = await ladderFor({ after }, HOUSE);
    const pages: Challenger[] = [];
    while (pages.length < LIMITS.play_concurrent) pages.push(await challenge(many.baseUrl));
    assert.deepEqual(await refusalOf(await knock(many.baseUrl)), ["play_full", 4011]);
    pages.pop()?.page.socket.terminate();
    while (many.arena.running().length >= LIMITS.play_concurrent) await sleep(LOOK_EVERY_MS);
    pages.push(await challenge(many.baseUrl));
    for (const { page } of pages) page.socket.terminate();

    const limited = await ladderFor({ after }, [...HOUSE, "--rate-limits", "on"]);
    const { page } = await challenge(limited.baseUrl);
    assert.deepEqual(await refusalOf(await knock(limited.baseUrl)), ["already_fighting", 4012]);
    page.socket.terminate();
    while (limited.arena.running().length > 0) await sleep(LOOK_EVERY_MS);
    await challenge(limited.baseUrl).then((next) => next.page.socket.terminate());
  });

  test("again and again from one address", async () => {
    const { baseUrl, arena } = await ladderFor({ after }, [...HOUSE, "--rate-limits", "on"]);
    const codes: unknown[] = [];
    for (let starts = 0; starts <= LIMITS.play_starts_per_minute; starts += 1) {
      const page = await knock(baseUrl);
      const first = await Promise.race([page.next("hello"), page.next("error")]);
      codes.push(first.code);
      page.socket.terminate();
      while (arena.running().length > 0) await sleep(LOOK_EVERY_MS);
    }
    assert.equal(codes.at(-1), "rate_limited");
    const { matches } = await getJson<{ matches: Heard[] }>(baseUrl, "/api/status");
    assert.deepEqual(matches, []);
  });

  test("on a server that was told --play off", async () => {
    const { baseUrl } = await ladderFor({ after }, [...HOUSE, "--play", "off"]);
    const head = upgradeHead({ Authorization: null }, `GET ${playPath("kiter")} HTTP/1.1`);
    assert.match(await exchange(baseUrl, head), /^HTTP\/1\.1 404 /);
    assert.equal((await getJson<{ play: unknown }>(baseUrl, "/api")).play, null);
  });
});

test("a house bot fights people while it plays on the ladder", async () => {
  const { baseUrl, arena } = await ladderFor({ after }, ["--house", "kiter"], QUICK);
  const guest = await BotClient.connect(baseUrl, await register(baseUrl, "guest"));
  guest.queue();
  guest.autoplay();
  await guest.next("observation");
  const challengers = await Promise.all([challenge(baseUrl), challenge(baseUrl)]);
  assert.deepEqual([arena.running().length, arena.capacity().running], [3, 1]);
  assert.equal((await guest.next("end")).rated, true);
  const ends = await Promise.all(challengers.map((one) => fight(one, () => ({}))));
  assert.deepEqual(
    ends.map(({ winner }) => winner),
    ["B", "B"],
  );
  guest.socket.terminate();
});

test("T31 a drain waits for fights of people, and none of them is lost", async (context) => {
  const folder = await temporaryFolder();
  context.after(folder.remove);
  const { baseUrl, arena, shutDown } = await serveLadder(folder.path, HOUSE, QUICK);
  const challengers = await Promise.all([challenge(baseUrl), challenge(baseUrl, "brawler")]);
  const ends = challengers.map((one) => fight(one, () => ({})));
  while (!arena.running().every(({ tick }) => tick > 0)) await sleep(LOOK_EVERY_MS);
  const stopped = shutDown();
  const late = await knock(baseUrl);
  assert.equal((await late.next("server_draining")).type, "server_draining");
  assert.equal((await late.closed).code, 1012);
  for (const { page } of challengers) await page.next("server_draining");
  assert.deepEqual(
    (await Promise.all(ends)).map(({ winner }) => winner),
    ["B", "B"],
  );
  assert.equal(await stopped, true);
  const again = await startAgain(folder.path);
  for (const { hello } of challengers)
    assert.equal((await storedAs(again.baseUrl, hello)).reason, "last_standing");
  await again.shutDown();
});

const startAgain = (data: string) => serveLadder(data, ["--house", "none"]);

test("T31 a drain waits no longer for pages that say nothing", async (context) => {
  const folder = await temporaryFolder();
  context.after(folder.remove);
  const { baseUrl, arena, shutDown } = await serveLadder(folder.path, HOUSE, QUICK);
  const ends = [fight(await challenge(baseUrl), () => null)];
  while (!arena.running().every(({ tick }) => tick > 0)) await sleep(LOOK_EVERY_MS);
  const stopped = shutDown();
  const [end] = await Promise.all(ends);
  assert.deepEqual([end?.winner, end?.reason], ["B", "forfeit"]);
  assert.equal(await stopped, true);
});

test("T29 kill -9 amid fights of people leaves nothing half stored", async (context) => {
  const folder = await temporaryFolder();
  context.after(folder.remove);
  const ladder = await spawnLadder(folder.path, HOUSE);
  const { page, hello } = await challenge(ladder.baseUrl);
  const left = await challenge(ladder.baseUrl);
  left.page.socket.terminate();
  page.say({ type: "ready" });
  await page.next("observation", ({ tick }) => tick === 3);
  ladder.child.kill("SIGKILL");
  await ladder.exited;
  const again = await startAgain(folder.path);
  const { status } = await fetch(`${again.baseUrl}/api/matches/${String(hello.match_id)}`);
  assert.equal(status, 404);
  assert.deepEqual(again.arena.running(), []);
  await again.shutDown();
  const store = await openStore({ data: folder.path });
  assert.deepEqual(await store.database.faults(), []);
  const kept = (await store.replays.ids()).map((id) => `${id}.jsonl.gz`);
  await store.close();
  assert.deepEqual((await readdir(join(folder.path, "replays"))).toSorted(), kept.toSorted());
});
