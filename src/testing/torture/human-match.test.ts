import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { openStore } from "#server/composition/open-store.ts";
import type { SocketMessage } from "#testing/fixtures/message-check.ts";
import { BotClient, registerBot } from "#testing/harness/bot-client.ts";
import {
  startHumanMatch,
  connectToHumanMatch,
  humanMatchPath,
  waitForRefusal,
} from "#testing/harness/human-match-client.ts";
import type { HumanMatchClient } from "#testing/harness/human-match-client.ts";
import { sendRawRequest, createUpgradeRequest } from "#testing/harness/raw-socket.ts";
import { getJson, startSuiteLadder, fetchVerifiedReplay } from "#testing/harness/test-match.ts";
import { serveLadder, spawnLadder, createTemporaryFolder } from "#testing/harness/test-server.ts";

const HOUSE = ["--house", "kiter,brawler"];
const FAST_TICKS = { play_tick_ms: 20 };
const POLL_MS = 20;

type StoredMatch = {
  mode: string;
  winner: string | null;
  reason: string;
  rated: boolean;
  final_tick: number;
  bots: { name: string; version: string; fighter: string }[];
};

const readStoredMatch = (baseUrl: string, { match_id }: SocketMessage): Promise<StoredMatch> =>
  getJson<StoredMatch>(baseUrl, `/api/matches/${String(match_id)}`);

type Observation = SocketMessage & { tick: number };

async function playMatch(
  { page }: HumanMatchClient,
  turn: (observation: Observation) => object | null,
): Promise<SocketMessage> {
  page.socket.on("message", (data) => {
    const observation = JSON.parse((data as Buffer).toString()) as Observation;
    const response = observation.type === "observation" ? turn(observation) : null;
    if (response !== null) page.send({ type: "turn", tick: observation.tick, ...response });
  });
  page.send({ type: "ready" });
  return page.waitFor("end");
}

async function readStats(baseUrl: string): Promise<object> {
  const paths = [
    "/api/leaderboard",
    "/api/matches?stats=1",
    "/api/matches?bot=house-kiter",
    "/api/seasons/current",
    "/api/seasons/current/matchups?bot=house-kiter",
    "/api/ladders/public/results",
    "/api/bots/house-kiter/ratings",
  ];
  const responses = await Promise.all(paths.map((path) => getJson<object>(baseUrl, path)));
  const bot = await getJson<Record<string, unknown>>(baseUrl, "/api/bots/house-kiter");
  const { played_ladders, recent_matches, versions } = bot;
  return { answers: responses, recent_matches, versions, played_ladders };
}

suite("a human match", async () => {
  const { baseUrl, arena, health } = await startSuiteLadder({ after }, HOUSE, FAST_TICKS);

  test("runs in real time, is stored and doesn't affect any bot's results", async () => {
    const first = await startHumanMatch(baseUrl);
    first.page.send({ type: "ready" });
    await first.page.waitFor("observation", ({ tick }) => tick === 1);
    first.page.socket.terminate();
    while (arena.runningMatches().length > 0) await sleep(POLL_MS);
    const statsBefore = await readStats(baseUrl);
    const challenger = await startHumanMatch(baseUrl);
    const { hello } = challenger;
    const { tick_ms, budget_ms, reconnect_ms } = hello.deadlines as Record<string, number>;
    assert.deepEqual([hello.mode, hello.fighter, hello.bot_id], ["human", "A", "human"]);
    assert.deepEqual([tick_ms, budget_ms, reconnect_ms], [20, 6000, 0]);
    type Status = { matches: SocketMessage[]; capacity: object; online: SocketMessage[] };
    const status = await getJson<Status>(baseUrl, "/api/status");
    const runningMatch = status.matches.find(({ id }) => id === hello.match_id);
    assert.deepEqual(runningMatch?.display_names, ["human", "Kiter"]);
    assert.ok(JSON.stringify(runningMatch?.bots).startsWith('["human"'));
    assert.deepEqual(status.capacity, { running: 0, max: DEFAULT_LIMITS.max_concurrent });
    assert.equal(status.online.filter(({ name }) => name === "house-kiter").length, 1);
    const end = await playMatch(challenger, () => ({ move: "n", shout: "vote for me" }));
    assert.deepEqual(
      [end.mode, end.rated, end.unrated_reason, end.rating_change],
      ["human", false, "mode", null],
    );
    assert.deepEqual(await challenger.page.closed, { code: 1000, reason: "the match is over" });
    const stored = await readStoredMatch(baseUrl, hello);
    assert.deepEqual([stored.mode, stored.rated, stored.reason], ["human", false, end.reason]);
    assert.deepEqual(
      stored.bots.map(({ name, version, fighter }) => [name, version, fighter]),
      [
        ["human", "-", "A"],
        ["house-kiter", "v1", "B"],
      ],
    );
    const { ticks } = await fetchVerifiedReplay(baseUrl, end);
    const turns = ticks.map(({ turns: [person] }) => JSON.stringify(person));
    assert.ok(turns.includes('{"move":"n"}'), "its moves are played");
    assert.ok(!turns.some((turn) => turn.includes("vote")), "people can't shout");
    assert.deepEqual(await readStats(baseUrl), statsBefore);
    assert.deepEqual([arena.runningMatches(), health.report().games.count], [[], 0]);
    assert.equal(health.report().timings.reply.count, 0);
  });

  test("is forfeited after a series of empty turns if the page never answers", async () => {
    const challenger = await startHumanMatch(baseUrl);
    const { failed_ticks_to_disqualify } = challenger.hello.deadlines as Record<string, number>;
    assert.equal(failed_ticks_to_disqualify, DEFAULT_LIMITS.play_silent_ticks);
    const end = await playMatch(challenger, () => null);
    assert.deepEqual([end.winner, end.reason], ["B", "forfeit"]);
    const { ticks } = await fetchVerifiedReplay(baseUrl, end);
    assert.equal(ticks.length, DEFAULT_LIMITS.play_silent_ticks);
    assert.ok(ticks.every(({ turns: [person] }) => person !== null));
    assert.deepEqual(ticks[0]?.turns[0], {});
  });

  test("doesn't start if the page never sends ready", async () => {
    const strictUrl = await startSuiteLadder({ after }, [...HOUSE, "--startup-seconds", "0.5"]);
    const { page, hello } = await startHumanMatch(strictUrl.baseUrl);
    const end = await page.waitFor("end");
    assert.deepEqual([end.winner, end.reason, end.voided], [null, "forfeit", true]);
    const { status } = await fetch(`${strictUrl.baseUrl}/api/matches/${String(hello.match_id)}`);
    assert.equal(status, 404);
  });

  const disconnections: [how: string, go: (challenger: HumanMatchClient) => void, code: number][] =
    [
      ["leaves", ({ page }) => page.socket.close(), 1005],
      ["disconnects", ({ page }) => page.socket.terminate(), 1006],
      [
        "floods",
        ({ page }) => {
          for (let frames = 0; frames < 50; frames += 1) page.send({ type: "turn", tick: 0 });
        },
        4009,
      ],
      ["sends too much", ({ page }) => page.socket.send("x".repeat(17_000)), 1009],
    ];
  for (const [description, disconnect, code] of disconnections)
    test(`is forfeited immediately if the page ${description}`, async () => {
      const challenger = await startHumanMatch(baseUrl);
      challenger.page.send({ type: "ready" });
      await challenger.page.waitFor("observation", ({ tick }) => tick === 1);
      disconnect(challenger);
      assert.equal((await challenger.page.closed).code, code);
      while (arena.runningMatches().length > 0) await sleep(POLL_MS);
      const { reason, winner, final_tick } = await readStoredMatch(baseUrl, challenger.hello);
      assert.deepEqual([reason, winner === "human"], ["forfeit", false]);
      assert.ok(final_tick < 20, `after ${final_tick} ticks`);
    });
});

suite("a human match is refused", () => {
  test("if it is requested from another origin or no house bot is available", async () => {
    const { baseUrl } = await startSuiteLadder({ after }, HOUSE);
    const head = createUpgradeRequest(
      { Origin: "https://elsewhere.example", Authorization: null },
      `GET ${humanMatchPath("kiter")} HTTP/1.1`,
    );
    assert.match(await sendRawRequest(baseUrl, head), /^HTTP\/1\.1 403 /);
    await startHumanMatch(baseUrl).then(({ page }) => page.socket.terminate());
    for (const opponent of ["champion", "house-kiter", "", "__proto__", "nobody&opponent=kiter"])
      assert.deepEqual(
        await waitForRefusal(await connectToHumanMatch(baseUrl, opponent)),
        ["unknown_opponent", 4010],
        opponent,
      );
    const sameOriginCode = await connectToHumanMatch(baseUrl, "kiter", { origin: baseUrl });
    assert.equal(
      (await Promise.race([sameOriginCode.waitFor("hello"), sameOriginCode.waitFor("error")])).type,
      "hello",
    );
    sameOriginCode.socket.terminate();
  });

  test("if it is the ninth match, or the second match at the same address", async () => {
    const ladderUrl = await startSuiteLadder({ after }, HOUSE);
    const pages: HumanMatchClient[] = [];
    while (pages.length < DEFAULT_LIMITS.play_concurrent)
      pages.push(await startHumanMatch(ladderUrl.baseUrl));
    assert.deepEqual(await waitForRefusal(await connectToHumanMatch(ladderUrl.baseUrl)), [
      "play_full",
      4011,
    ]);
    pages.pop()?.page.socket.terminate();
    while (ladderUrl.arena.runningMatches().length >= DEFAULT_LIMITS.play_concurrent)
      await sleep(POLL_MS);
    pages.push(await startHumanMatch(ladderUrl.baseUrl));
    for (const { page } of pages) page.socket.terminate();

    const limited = await startSuiteLadder({ after }, [...HOUSE, "--rate-limits", "on"]);
    const { page } = await startHumanMatch(limited.baseUrl);
    assert.deepEqual(await waitForRefusal(await connectToHumanMatch(limited.baseUrl)), [
      "already_fighting",
      4012,
    ]);
    page.socket.terminate();
    while (limited.arena.runningMatches().length > 0) await sleep(POLL_MS);
    await startHumanMatch(limited.baseUrl).then((next) => next.page.socket.terminate());
  });

  test("if one address starts matches in quick succession", async () => {
    const { baseUrl, arena } = await startSuiteLadder({ after }, [...HOUSE, "--rate-limits", "on"]);
    const codes: unknown[] = [];
    for (let starts = 0; starts <= DEFAULT_LIMITS.play_starts_per_minute; starts += 1) {
      const page = await connectToHumanMatch(baseUrl);
      const first = await Promise.race([page.waitFor("hello"), page.waitFor("error")]);
      codes.push(first.code);
      page.socket.terminate();
      while (arena.runningMatches().length > 0) await sleep(POLL_MS);
    }
    assert.equal(codes.at(-1), "rate_limited");
    const { matches } = await getJson<{ matches: SocketMessage[] }>(baseUrl, "/api/status");
    assert.deepEqual(matches, []);
  });

  test("if the server was started with --play off", async () => {
    const { baseUrl } = await startSuiteLadder({ after }, [...HOUSE, "--play", "off"]);
    const head = createUpgradeRequest(
      { Authorization: null },
      `GET ${humanMatchPath("kiter")} HTTP/1.1`,
    );
    assert.match(await sendRawRequest(baseUrl, head), /^HTTP\/1\.1 404 /);
    assert.equal((await getJson<{ play: unknown }>(baseUrl, "/api")).play, null);
  });
});

test("a house bot plays human matches while it is playing on the ladder", async () => {
  const { baseUrl, arena } = await startSuiteLadder({ after }, ["--house", "kiter"], FAST_TICKS);
  const guest = await BotClient.connect(baseUrl, await registerBot(baseUrl, "guest"));
  guest.queue();
  guest.autoplay();
  await guest.waitFor("observation");
  const challengers = await Promise.all([startHumanMatch(baseUrl), startHumanMatch(baseUrl)]);
  assert.deepEqual([arena.runningMatches().length, arena.capacity().running], [3, 1]);
  assert.equal((await guest.waitFor("end")).rated, true);
  const matchEnds = await Promise.all(challengers.map((item) => playMatch(item, () => ({}))));
  assert.deepEqual(
    matchEnds.map(({ winner }) => winner),
    ["B", "B"],
  );
  guest.socket.terminate();
});

test("T31 a drain waits for human matches to end and loses none of them", async (context) => {
  const folder = await createTemporaryFolder();
  context.after(folder.remove);
  const { baseUrl, arena, shutDown } = await serveLadder(folder.path, HOUSE, FAST_TICKS);
  const challengers = await Promise.all([
    startHumanMatch(baseUrl),
    startHumanMatch(baseUrl, "brawler"),
  ]);
  const matchEnds = challengers.map((item) => playMatch(item, () => ({})));
  while (!arena.runningMatches().every(({ tick }) => tick > 0)) await sleep(POLL_MS);
  const stopped = shutDown();
  const lateCode = await connectToHumanMatch(baseUrl);
  assert.equal((await lateCode.waitFor("server_draining")).type, "server_draining");
  assert.equal((await lateCode.closed).code, 1012);
  for (const { page } of challengers) await page.waitFor("server_draining");
  assert.deepEqual(
    (await Promise.all(matchEnds)).map(({ winner }) => winner),
    ["B", "B"],
  );
  assert.equal(await stopped, true);
  const restarted = await restart(folder.path);
  for (const { hello } of challengers)
    assert.equal((await readStoredMatch(restarted.baseUrl, hello)).reason, "last_standing");
  await restarted.shutDown();
});

const restart = (data: string) => serveLadder(data, ["--house", "none"]);

test("T31 a drain doesn't wait for pages that don't answer", async (context) => {
  const folder = await createTemporaryFolder();
  context.after(folder.remove);
  const { baseUrl, arena, shutDown } = await serveLadder(folder.path, HOUSE, FAST_TICKS);
  const matchEnds = [playMatch(await startHumanMatch(baseUrl), () => null)];
  while (!arena.runningMatches().every(({ tick }) => tick > 0)) await sleep(POLL_MS);
  const stopped = shutDown();
  const [end] = await Promise.all(matchEnds);
  assert.deepEqual([end?.winner, end?.reason], ["B", "forfeit"]);
  assert.equal(await stopped, true);
});

test("T29 kill -9 during human matches leaves no partial data", async (context) => {
  const folder = await createTemporaryFolder();
  context.after(folder.remove);
  const ladder = await spawnLadder(folder.path, HOUSE);
  const { page, hello } = await startHumanMatch(ladder.baseUrl);
  const leavingChallenger = await startHumanMatch(ladder.baseUrl);
  leavingChallenger.page.socket.terminate();
  page.send({ type: "ready" });
  await page.waitFor("observation", ({ tick }) => tick === 3);
  ladder.child.kill("SIGKILL");
  await ladder.exited;
  const restarted = await restart(folder.path);
  const { status } = await fetch(`${restarted.baseUrl}/api/matches/${String(hello.match_id)}`);
  assert.equal(status, 404);
  assert.deepEqual(restarted.arena.runningMatches(), []);
  await restarted.shutDown();
  const store = await openStore({ data: folder.path });
  assert.deepEqual(await store.database.faults(), []);
  const replayFiles = (await store.replays.ids()).map((id) => `${id}.jsonl.gz`);
  await store.close();
  assert.deepEqual(
    (await readdir(join(folder.path, "replays"))).toSorted(),
    replayFiles.toSorted(),
  );
});
