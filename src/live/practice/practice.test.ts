import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { SECOND_MS } from "#base/util/time.ts";
import type { Practice } from "#core/api/practice.ts";
import type { HouseKind } from "#core/ids/house-bots.ts";
import { FIXED_LIMITS, DEFAULT_LIMITS } from "#core/limits/limits.ts";
import type { Limits } from "#core/limits/limits.ts";
import { hashToken } from "#data/credentials/token.ts";
import { StoreError } from "#data/store/errors.ts";
import type { Store } from "#data/store/store.ts";
import { setArenaBotStatus, readStoredReplay, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { openTestHouse } from "#testing/fixtures/test-house.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";

import { findPracticeOpponent } from "./find-practice-opponent.ts";

type PracticeFixture = TestArena & {
  workers: { terminate(): void }[];
  starterId: string;
  ids: Map<string, string>;
};

const WAIT_MS = FIXED_LIMITS.practice_wait_s * SECOND_MS;
const ROUND_MS = DEFAULT_LIMITS.wave_every_s * SECOND_MS + 100;
const SHORT_LIMITS = { tick_s: 0.1, startup_s: 2, failed_ticks_to_disqualify: 4 };

/** Sets up the bots alpha and beta, and Starter as a house bot that plays no ranked matches. */
async function openPracticeFixture(
  limits: Partial<Limits> = {},
  { store = memoryStore(), kinds = ["ts-starter"] as HouseKind[] } = {},
): Promise<PracticeFixture> {
  const arena = await testArena({ limits, store });
  const { house, bots, pools: workers } = await openTestHouse(arena, kinds);
  arena.arena.setPracticeOpponent(await findPracticeOpponent({ store, house }, bots));
  const ids = new Map<string, string>();
  for (const name of ["alpha", "beta", "gamma"]) ids.set(name, (await arena.addArenaBot(name)).id);
  await arena.advanceTime(1000);
  return { ...arena, workers, starterId: bots[0]!.id, ids };
}

const idOf = ({ ids }: PracticeFixture, name: string): string => ids.get(name)!;

const requestPractice = (fixture: PracticeFixture, name = "alpha") =>
  fixture.arena.requestPractice(idOf(fixture, name));

function acceptedRequest(fixture: PracticeFixture, name = "alpha"): () => Practice {
  const result = requestPractice(fixture, name);
  assert.ok("practice" in result, JSON.stringify(result));
  assert.equal(result.practice.state, "pending");
  const { id } = result.practice;
  return () => fixture.arena.practiceStatus(idOf(fixture, name), id)!;
}

const refusalOf = (fixture: PracticeFixture, name = "alpha") => {
  const result = requestPractice(fixture, name);
  return "refused" in result ? result.refused : "taken";
};

async function connectAndQueue(
  fixture: PracticeFixture,
  name = "alpha",
  plays = true,
  extraFields = {},
): Promise<FakeBot> {
  const bot = await fixture.connect(name);
  bot.autoPlays = plays;
  bot.send({ type: "queue", version: "v1", ...extraFields });
  await fixture.advanceTime(50);
  return bot;
}

/** Starts a practice match for alpha. Alpha sends no turns by itself. */
async function startedPractice(fixture: PracticeFixture) {
  const practice = acceptedRequest(fixture);
  const bot = await connectAndQueue(fixture, "alpha", false);
  await fixture.advanceUntil(() => bot.receivedOfType("hello").length > 0);
  return { bot, practice };
}

function startPlaying(bot: FakeBot): void {
  bot.autoPlays = true;
  bot.send({ type: "ready" });
}

const untilDone = (fixture: PracticeFixture, practice: () => Practice) =>
  fixture.advanceUntil(() => practice().state === "done");

suite("a practice match", () => {
  test("starts when the bot next queues and produces a report", async () => {
    const fixture = await openPracticeFixture(SHORT_LIMITS);
    const practice = acceptedRequest(fixture);
    await fixture.advanceTime(5000);
    const bot = await connectAndQueue(fixture, "alpha", false);
    assert.equal(bot.receivedOfType("queued").length, 1);
    await fixture.advanceUntil(() => bot.receivedOfType("hello").length > 0);
    const [hello] = bot.receivedOfType("hello");
    assert.deepEqual([hello?.mode, hello?.fighter], ["practice", "A"]);
    assert.deepEqual([practice().state, practice().match_id], ["playing", hello?.match_id]);
    startPlaying(bot);
    await fixture.advanceUntil(() => bot.receivedOfType("end").length > 0);
    const [end] = bot.receivedOfType("end");
    assert.deepEqual(
      [end?.mode, end?.winner, end?.rating_change, end?.rated, end?.unrated_reason],
      ["practice", "B", null, false, "mode"],
    );
    const { state, result } = practice();
    assert.deepEqual(
      [state, result?.winner, result?.reason],
      ["done", fixture.starterId, end?.reason],
    );
    assert.deepEqual([result?.idles, result?.refused, result?.errors], [{}, {}, []]);
    assert.ok(result!.replies > 10 && result!.p50_ms! <= result!.p95_ms!);
  });

  test("is stored with its replay and affects no statistics", async () => {
    const fixture = await openPracticeFixture(SHORT_LIMITS);
    const stateBefore = [fixture.arena.onlineBots().length, fixture.health.report().turns];
    const { bot, practice } = await startedPractice(fixture);
    const matchId = practice().match_id!;
    assert.deepEqual(
      fixture.arena.runningMatches().map(({ id, names }) => [id, names]),
      [[matchId, ["alpha", "Starter"]]],
    );
    assert.equal(fixture.arena.capacity().running, 0);
    startPlaying(bot);
    await untilDone(fixture, practice);
    const match = await fixture.store.matches.byId(matchId);
    assert.deepEqual([match?.mode, match?.rated, match?.season], ["practice", false, "2026-01"]);
    assert.equal(readStoredReplay(fixture, matchId).header.mode, "practice");
    assert.deepEqual([fixture.arena.board("public").size, fixture.arena.runningMatches()], [0, []]);
    bot.disconnect();
    await fixture.advanceTime(100);
    assert.deepEqual(
      [fixture.arena.onlineBots().length, fixture.health.report().turns],
      stateBefore,
    );
    assert.equal(fixture.health.report().games.count, 0);
  });

  test("starts immediately for a bot already waiting on public and releases the bot afterwards", async () => {
    const fixture = await openPracticeFixture(SHORT_LIMITS);
    const bot = await connectAndQueue(fixture);
    const practice = acceptedRequest(fixture);
    await untilDone(fixture, practice);
    bot.send({ type: "queue", version: "v1" });
    await fixture.advanceUntil(() => bot.receivedOfType("hello").length > 1);
    assert.deepEqual(
      bot.receivedOfType("hello").map(({ mode }) => mode),
      ["practice", "ranked"],
    );
  });

  test("excludes the bot from pairing while it is pending", async () => {
    const fixture = await openPracticeFixture({ practice_concurrent: 1 });
    const first = acceptedRequest(fixture);
    const second = acceptedRequest(fixture, "beta");
    const bots = [
      await connectAndQueue(fixture, "alpha", false),
      await connectAndQueue(fixture, "beta", false),
    ];
    const thirdBot = await connectAndQueue(fixture, "gamma", false);
    await fixture.advanceUntil(() => thirdBot.receivedOfType("hello").length > 0);
    await fixture.advanceTime(ROUND_MS);
    assert.equal(first().state, "playing");
    assert.deepEqual([second().state, bots[1]!.receivedOfType("hello")], ["pending", []]);
    await untilDone(fixture, first);
    await fixture.advanceUntil(() => second().state === "playing");
    assert.equal(bots[1]!.receivedOfType("hello")[0]?.mode, "practice");
  });

  test("doesn't reserve a bot that is waiting on another ladder", async () => {
    const fixture = await openPracticeFixture();
    const practice = acceptedRequest(fixture);
    fixture.ladders.upsert({ ...fixture.ladders.byId("public")!, id: "cup" });
    const bot = await connectAndQueue(fixture, "alpha", true, { ladder_id: "cup" });
    await fixture.advanceUntil(() => bot.receivedOfType("hello").length > 0);
    assert.deepEqual(
      [practice().state, bot.receivedOfType("hello")[0]?.mode],
      ["pending", "ranked"],
    );
  });

  test("starts in order of the requests", async () => {
    const fixture = await openPracticeFixture({ ...SHORT_LIMITS, practice_concurrent: 1 });
    const absentRequest = acceptedRequest(fixture, "gamma");
    const first = acceptedRequest(fixture, "beta");
    const second = acceptedRequest(fixture, "alpha");
    await connectAndQueue(fixture, "alpha", false);
    await connectAndQueue(fixture, "beta", false);
    await fixture.advanceTime(ROUND_MS);
    const states = [absentRequest, first, second].map((practice) => practice().state);
    assert.deepEqual(states, ["pending", "playing", "pending"]);
    fixture.settings.change({ ...SHORT_LIMITS, practice_concurrent: 2 });
    await fixture.advanceTime(ROUND_MS);
    assert.equal(second().state, "playing");
  });

  test("expires if the bot doesn't queue on public in time, and can be requested again", async () => {
    const fixture = await openPracticeFixture();
    const practice = acceptedRequest(fixture);
    const bot = await fixture.connect("alpha");
    await fixture.advanceTime(WAIT_MS - 1000);
    assert.deepEqual([practice().state, refusalOf(fixture)], ["pending", "practice_pending"]);
    await fixture.advanceTime(1000);
    assert.deepEqual([practice().state, practice().result], ["expired", null]);
    bot.send({ type: "queue", version: "v1" });
    await fixture.advanceTime(ROUND_MS);
    assert.equal(bot.receivedOfType("hello")[0]?.mode, "ranked");
    assert.equal(refusalOf(fixture), "taken");
  });

  test("is visible only to its bot and limited per hour", async () => {
    const fixture = await openPracticeFixture();
    const practice = acceptedRequest(fixture);
    assert.equal(fixture.arena.practiceStatus(idOf(fixture, "beta"), practice().id), null);
    for (let count = 1; count < FIXED_LIMITS.practice_per_hour; count += 1) {
      await fixture.advanceTime(WAIT_MS);
      acceptedRequest(fixture);
    }
    await fixture.advanceTime(WAIT_MS);
    const waitSeconds = 3600 - FIXED_LIMITS.practice_per_hour * FIXED_LIMITS.practice_wait_s;
    assert.deepEqual(requestPractice(fixture), { refused: "rate_limited", waitS: waitSeconds });
  });

  test("reports failed ticks, errors before the start and the error that closed the connection", async () => {
    const fixture = await openPracticeFixture(SHORT_LIMITS);
    const { bot, practice } = await startedPractice(fixture);
    bot.send("{");
    bot.send({ type: "queue", version: "v1" });
    bot.send({ type: "ready" });
    await fixture.advanceUntil(() => bot.receivedOfType("observation").length > 0);
    bot.send("nonsense");
    await fixture.advanceUntil(() => bot.receivedOfType("observation").length > 1);
    bot.send({ type: "turn", tick: 1, attack: { name: "unknown attack" } });
    await fixture.advanceUntil(() => bot.receivedOfType("observation").length > 3);
    for (let frames = 0; frames < 6; frames += 1) bot.send({ type: "leave" });
    await untilDone(fixture, practice);
    const { winner, reason, replies, idles, refused, errors } = practice().result!;
    assert.deepEqual([winner, reason], [fixture.starterId, "disqualification"]);
    assert.deepEqual(replies, 2);
    assert.deepEqual(idles, { malformed_json: 1, timeout: 1, disconnected: 3 });
    assert.deepEqual(Object.values(refused), [1]);
    assert.deepEqual(
      errors.map(({ tick, code }) => `${tick} ${code}`),
      [
        "0 malformed_json",
        "0 already_queued",
        "0 malformed_json",
        "2 timeout",
        "3 rate_limited",
        "3 disconnected",
        "4 disconnected",
        "5 disconnected",
      ],
    );
    assert.match(errors[4]!.message, /Bots may send 5 per tick/);
    assert.ok(errors.every(({ message }) => message !== ""));
  });

  test("is lost by a bot that never becomes ready, and reports only the first errors", async () => {
    const fixture = await openPracticeFixture({ ...SHORT_LIMITS, messages_per_tick: 100 });
    const { bot, practice } = await startedPractice(fixture);
    for (let frames = 0; frames < 30; frames += 1) bot.send("{");
    await untilDone(fixture, practice);
    const { winner, reason, replies, p50_ms, errors } = practice().result!;
    assert.deepEqual([winner, reason, replies, p50_ms], [fixture.starterId, "forfeit", 0, null]);
    assert.equal(errors.length, FIXED_LIMITS.practice_errors);
    assert.equal((await fixture.store.matches.byId(practice().match_id!))?.finalTick, 0);
  });

  test("waits for a disconnected bot, even across a token rotation", async () => {
    const fixture = await openPracticeFixture({ failed_ticks_to_disqualify: 100 });
    const { bot, practice } = await startedPractice(fixture);
    await fixture.store.bots.rotateToken(idOf(fixture, "alpha"), hashToken("new"));
    fixture.arena.onTokenRotated(idOf(fixture, "alpha"));
    assert.equal(bot.closeReason(), "4002 invalid_token");
    await fixture.advanceTime(1000);
    const reconnected = await fixture.connect("alpha", "Bearer new");
    reconnected.send({ type: "ready" });
    assert.equal(reconnected.receivedOfType("hello")[0]?.match_id, practice().match_id);
    reconnected.disconnect();
    await fixture.advanceTime(DEFAULT_LIMITS.reconnect_grace_s * SECOND_MS + 1000);
    assert.equal(practice().result?.reason, "forfeit");
    assert.deepEqual(
      fixture.arena.onlineBots().filter(({ botId }) => botId === idOf(fixture, "alpha")),
      [],
    );
  });

  test("is lost by a suspended bot, and void if Starter is suspended or its thread dies", async () => {
    for (const [title, breakMatch, reason, winner] of [
      [
        "bot",
        (fixture) => setArenaBotStatus(fixture, idOf(fixture, "alpha"), "suspended"),
        "forfeit",
        "starter",
      ],
      [
        "Starter",
        (fixture) => setArenaBotStatus(fixture, fixture.starterId, "suspended"),
        "server_fault",
        null,
      ],
      ["thread", async (fixture) => fixture.workers[0]!.terminate(), "server_fault", null],
    ] satisfies [string, (fixture: PracticeFixture) => Promise<void>, string, string | null][]) {
      const fixture = await openPracticeFixture();
      const { practice } = await startedPractice(fixture);
      await breakMatch(fixture);
      await fixture.advanceTime(100);
      const { result } = practice();
      const expectedWinner = winner === null ? null : fixture.starterId;
      assert.deepEqual([result?.reason, result?.winner], [reason, expectedWinner], title);
      assert.deepEqual(fixture.arena.runningMatches(), [], title);
      assert.equal((await fixture.store.matches.byId(practice().match_id!))?.reason, reason);
    }
  });

  test("is unavailable without Starter, while Starter is suspended and during a drain", async () => {
    const fixtureWithoutStarter = await openPracticeFixture({}, { kinds: ["kiter"] });
    assert.equal(refusalOf(fixtureWithoutStarter), "practice_unavailable");
    const fixture = await openPracticeFixture();
    const pendingRequest = acceptedRequest(fixture, "beta");
    await setArenaBotStatus(fixture, fixture.starterId, "suspended");
    assert.equal(refusalOf(fixture), "practice_unavailable");
    const bot = await connectAndQueue(fixture, "beta");
    await fixture.advanceTime(ROUND_MS);
    assert.deepEqual([pendingRequest().state, bot.receivedOfType("hello")], ["expired", []]);
    await setArenaBotStatus(fixture, fixture.starterId, "active");
    const lastRequest = acceptedRequest(fixture);
    void fixture.arena.drain();
    assert.equal(refusalOf(fixture, "gamma"), "practice_unavailable");
    assert.equal(lastRequest().state, "pending");
    await fixture.advanceTime(1000);
  });

  test("finishes during a drain or is abandoned at the deadline", async () => {
    for (const [drain_timeout_s, abandoned] of [
      [600, 0],
      [1, 1],
    ] as const) {
      const fixture = await openPracticeFixture({ drain_timeout_s });
      const { bot } = await startedPractice(fixture);
      if (abandoned === 0) startPlaying(bot);
      const drainOutcome = fixture.arena.drain();
      await fixture.advanceUntil(() => bot.closeReason() !== null);
      assert.deepEqual(await drainOutcome, { abandoned });
      assert.equal(bot.receivedOfType("end").length, 1 - abandoned);
      assert.equal(bot.closeReason(), "1012 server restarting");
      fixture.arena.stop();
    }
  });

  test("waits while the store is full, and no other practice match starts", async () => {
    const store: Store = memoryStore();
    const fixture = await openPracticeFixture(SHORT_LIMITS, { store });
    const { bot, practice } = await startedPractice(fixture);
    const { save } = store.matches;
    store.matches.save = async () => {
      throw new StoreError("full", "disk full");
    };
    startPlaying(bot);
    await fixture.advanceUntil(() =>
      fixture.log.includes("could not store match result; retrying"),
    );
    const otherPractice = acceptedRequest(fixture, "beta");
    await connectAndQueue(fixture, "beta", false);
    await fixture.advanceTime(ROUND_MS);
    assert.deepEqual([practice().state, otherPractice().state], ["playing", "pending"]);
    store.matches.save = save;
    await untilDone(fixture, practice);
    assert.equal(bot.receivedOfType("end").length, 1);
    await fixture.advanceUntil(() => otherPractice().state === "playing");
    assert.deepEqual(fixture.panics, []);
  });

  test("is reported as void if its result is rejected permanently", async () => {
    const store: Store = memoryStore();
    const fixture = await openPracticeFixture(SHORT_LIMITS, { store });
    const { bot, practice } = await startedPractice(fixture);
    store.matches.save = async () => {
      throw new StoreError("invalid", "refused");
    };
    startPlaying(bot);
    await untilDone(fixture, practice);
    assert.deepEqual(practice().result?.reason, "server_fault");
    assert.equal(bot.receivedOfType("end")[0]?.voided, true);
  });

  test("can't start while its bot may be deleted, and is removed with the bot", async () => {
    const fixture = await openPracticeFixture(SHORT_LIMITS);
    const botId = idOf(fixture, "alpha");
    const release = fixture.arena.holdFromPairing(botId)!;
    const { id } = acceptedRequest(fixture)();
    await connectAndQueue(fixture);
    await fixture.advanceTime(ROUND_MS);
    assert.equal(fixture.arena.practiceStatus(botId, id)?.state, "pending");
    fixture.arena.onBotDeleted(botId);
    release();
    await fixture.advanceTime(ROUND_MS);
    assert.equal(fixture.arena.practiceStatus(botId, id), null);
    assert.deepEqual(fixture.arena.runningMatches(), []);
  });

  test("waits while Starter's worker restarts but doesn't reserve the bot indefinitely", async () => {
    const fixture = await openPracticeFixture(SHORT_LIMITS);
    fixture.workers.at(-1)!.terminate();
    await Promise.resolve();
    const practice = acceptedRequest(fixture);
    await connectAndQueue(fixture);
    await untilDone(fixture, practice);
    assert.equal(practice().result?.winner, fixture.starterId);
    fixture.arena.setPracticeOpponent({
      bot: (await fixture.store.bots.byId(fixture.starterId))!,
      version: (await fixture.store.versions.byLabel(fixture.starterId, "v1"))!,
      acquireSession: () => null,
    });
    const unservedRequest = acceptedRequest(fixture, "beta");
    await connectAndQueue(fixture, "beta");
    await fixture.advanceTime(WAIT_MS - 1000);
    assert.equal(unservedRequest().state, "pending");
    await fixture.advanceTime(ROUND_MS);
    assert.equal(unservedRequest().state, "expired");
  });
});
