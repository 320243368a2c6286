import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { SECOND_MS } from "#base/units/time.ts";
import type { Practice } from "#core/resources/practice.ts";
import type { HouseKind } from "#core/words/house.ts";
import { FIXED, LIMITS } from "#core/words/limits.ts";
import type { Limits } from "#core/words/limits.ts";
import { hashToken } from "#data/access/token.ts";
import { StoreError } from "#data/store/errors.ts";
import type { Store } from "#data/store/store.ts";
import { setStatus, storedReplay, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { openTestHouse } from "#testing/fixtures/test-house.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

import { findOpponent } from "./find-opponent.ts";

type Hall = TestArena & {
  crews: { end(): void }[];
  starterId: string;
  ids: Map<string, string>;
};

const WAIT_MS = FIXED.practice_wait_s * SECOND_MS;
const ROUND_MS = LIMITS.wave_every_s * SECOND_MS + 100;
const SHORT = { tick_s: 0.1, startup_s: 2, failed_ticks_to_disqualify: 4 };

/** Bots called alpha and beta, and a house with Starter that plays no ranked matches. */
async function openHall(
  limits: Partial<Limits> = {},
  { store = memoryStore(), kinds = ["ts-starter"] as HouseKind[] } = {},
): Promise<Hall> {
  const arena = await testArena({ limits, store });
  const { house, bots, crews } = await openTestHouse(arena, kinds);
  arena.arena.practiseAgainst(await findOpponent({ store, house }, bots));
  const ids = new Map<string, string>();
  for (const name of ["alpha", "beta", "gamma"]) ids.set(name, (await arena.addBot(name)).id);
  await arena.pass(1000);
  return { ...arena, crews, starterId: bots[0]!.id, ids };
}

const idOf = ({ ids }: Hall, name: string): string => ids.get(name)!;

const ask = (hall: Hall, name = "alpha") => hall.arena.askForPractice(idOf(hall, name));

function asked(hall: Hall, name = "alpha"): () => Practice {
  const answer = ask(hall, name);
  assert.ok("practice" in answer, JSON.stringify(answer));
  assert.equal(answer.practice.state, "pending");
  const { id } = answer.practice;
  return () => hall.arena.practiceOf(idOf(hall, name), id)!;
}

const refusalOf = (hall: Hall, name = "alpha") => {
  const answer = ask(hall, name);
  return "refused" in answer ? answer.refused : "taken";
};

async function queued(hall: Hall, name = "alpha", plays = true, more = {}): Promise<FakeBot> {
  const bot = await hall.connect(name);
  bot.plays = plays;
  bot.say({ type: "queue", version: "v1", ...more });
  await hall.pass(50);
  return bot;
}

/** A game of alpha that has begun, in which it does nothing by itself. */
async function begun(hall: Hall) {
  const practice = asked(hall);
  const bot = await queued(hall, "alpha", false);
  await hall.until(() => bot.told("hello").length > 0);
  return { bot, practice };
}

/** From here on the bot plays, so that the game is over at once. */
function play(bot: FakeBot): void {
  bot.plays = true;
  bot.say({ type: "ready" });
}

const over = (hall: Hall, practice: () => Practice) =>
  hall.until(() => practice().state === "done");

suite("a practice game", () => {
  test("is begun by the bot's next queue, and tells how the bot did", async () => {
    const hall = await openHall(SHORT);
    const practice = asked(hall);
    await hall.pass(5000);
    const bot = await queued(hall, "alpha", false);
    assert.equal(bot.told("queued").length, 1);
    await hall.until(() => bot.told("hello").length > 0);
    const [hello] = bot.told("hello");
    assert.deepEqual([hello?.mode, hello?.fighter], ["practice", "A"]);
    assert.deepEqual([practice().state, practice().match_id], ["playing", hello?.match_id]);
    play(bot);
    await hall.until(() => bot.told("end").length > 0);
    const [end] = bot.told("end");
    assert.deepEqual(
      [end?.mode, end?.winner, end?.rating_change, end?.rated, end?.unrated_reason],
      ["practice", "B", null, false, "mode"],
    );
    const { state, result } = practice();
    assert.deepEqual(
      [state, result?.winner, result?.reason],
      ["done", hall.starterId, end?.reason],
    );
    assert.deepEqual([result?.idles, result?.refused, result?.errors], [{}, {}, []]);
    assert.ok(result!.replies > 10 && result!.p50_ms! <= result!.p95_ms!);
  });

  test("is stored with its replay, and counts nowhere", async () => {
    const hall = await openHall(SHORT);
    const before = [hall.arena.online().length, hall.health.report().turns];
    const { bot, practice } = await begun(hall);
    const matchId = practice().match_id!;
    assert.deepEqual(
      hall.arena.running().map(({ id, names }) => [id, names]),
      [[matchId, ["alpha", "Starter"]]],
    );
    assert.equal(hall.arena.capacity().running, 0);
    play(bot);
    await over(hall, practice);
    const match = await hall.store.matches.byId(matchId);
    assert.deepEqual([match?.mode, match?.rated, match?.season], ["practice", false, "2026-01"]);
    assert.equal(storedReplay(hall, matchId).header.mode, "practice");
    assert.deepEqual([hall.arena.board("public").size, hall.arena.running()], [0, []]);
    bot.leave();
    await hall.pass(100);
    assert.deepEqual([hall.arena.online().length, hall.health.report().turns], before);
    assert.equal(hall.health.report().games.count, 0);
  });

  test("begins at once for a bot that waits on Public already, and after it the bot is free", async () => {
    const hall = await openHall(SHORT);
    const bot = await queued(hall);
    const practice = asked(hall);
    await over(hall, practice);
    bot.say({ type: "queue", version: "v1" });
    await hall.until(() => bot.told("hello").length > 1);
    assert.deepEqual(
      bot.told("hello").map(({ mode }) => mode),
      ["practice", "ranked"],
    );
  });

  test("keeps the bot from every wave while it is pending", async () => {
    const hall = await openHall({ practice_concurrent: 1 });
    const first = asked(hall);
    const second = asked(hall, "beta");
    const bots = [await queued(hall, "alpha", false), await queued(hall, "beta", false)];
    const free = await queued(hall, "gamma", false);
    await hall.until(() => free.told("hello").length > 0);
    await hall.pass(ROUND_MS);
    assert.equal(first().state, "playing");
    assert.deepEqual([second().state, bots[1]!.told("hello")], ["pending", []]);
    await over(hall, first);
    await hall.until(() => second().state === "playing");
    assert.equal(bots[1]!.told("hello")[0]?.mode, "practice");
  });

  test("keeps no bot from another ladder, where it cannot begin", async () => {
    const hall = await openHall();
    const practice = asked(hall);
    hall.ladders.put({ ...hall.ladders.byId("public")!, id: "cup" });
    const bot = await queued(hall, "alpha", true, { ladder_id: "cup" });
    await hall.until(() => bot.told("hello").length > 0);
    assert.deepEqual([practice().state, bot.told("hello")[0]?.mode], ["pending", "ranked"]);
  });

  test("goes to those who have queued, in the order in which they asked", async () => {
    const hall = await openHall({ ...SHORT, practice_concurrent: 1 });
    const absent = asked(hall, "gamma");
    const first = asked(hall, "beta");
    const second = asked(hall, "alpha");
    await queued(hall, "alpha", false);
    await queued(hall, "beta", false);
    await hall.pass(ROUND_MS);
    const states = [absent, first, second].map((practice) => practice().state);
    assert.deepEqual(states, ["pending", "playing", "pending"]);
    hall.settings.change({ ...SHORT, practice_concurrent: 2 });
    await hall.pass(ROUND_MS);
    assert.equal(second().state, "playing");
  });

  test("expires if the bot does not queue on Public in time, and then it may ask again", async () => {
    const hall = await openHall();
    const practice = asked(hall);
    const bot = await hall.connect("alpha");
    await hall.pass(WAIT_MS - 1000);
    assert.deepEqual([practice().state, refusalOf(hall)], ["pending", "practice_pending"]);
    await hall.pass(1000);
    assert.deepEqual([practice().state, practice().result], ["expired", null]);
    bot.say({ type: "queue", version: "v1" });
    await hall.pass(ROUND_MS);
    assert.equal(bot.told("hello")[0]?.mode, "ranked");
    assert.equal(refusalOf(hall), "taken");
  });

  test("stays the bot's own, and is limited by the hour", async () => {
    const hall = await openHall();
    const practice = asked(hall);
    assert.equal(hall.arena.practiceOf(idOf(hall, "beta"), practice().id), null);
    for (let count = 1; count < FIXED.practice_per_hour; count += 1) {
      await hall.pass(WAIT_MS);
      asked(hall);
    }
    await hall.pass(WAIT_MS);
    const waitS = 3600 - FIXED.practice_per_hour * FIXED.practice_wait_s;
    assert.deepEqual(ask(hall), { refused: "rate_limited", waitS });
  });

  test("reports failed ticks, mistakes before the start and what closed the connection", async () => {
    const hall = await openHall(SHORT);
    const { bot, practice } = await begun(hall);
    bot.say("{");
    bot.say({ type: "queue", version: "v1" });
    bot.say({ type: "ready" });
    await hall.until(() => bot.told("observation").length > 0);
    bot.say("nonsense");
    await hall.until(() => bot.told("observation").length > 1);
    bot.say({ type: "turn", tick: 1, attack: { name: "no such attack" } });
    await hall.until(() => bot.told("observation").length > 3);
    for (let frames = 0; frames < 6; frames += 1) bot.say({ type: "leave" });
    await over(hall, practice);
    const { winner, reason, replies, idles, refused, errors } = practice().result!;
    assert.deepEqual([winner, reason], [hall.starterId, "disqualification"]);
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
    assert.match(errors[4]!.message, /a bot may send 5 a tick/);
    assert.ok(errors.every(({ message }) => message !== ""));
  });

  test("of a bot that never says ready is lost, and shows the first errors alone", async () => {
    const hall = await openHall({ ...SHORT, messages_per_tick: 100 });
    const { bot, practice } = await begun(hall);
    for (let frames = 0; frames < 30; frames += 1) bot.say("{");
    await over(hall, practice);
    const { winner, reason, replies, p50_ms, errors } = practice().result!;
    assert.deepEqual([winner, reason, replies, p50_ms], [hall.starterId, "forfeit", 0, null]);
    assert.equal(errors.length, FIXED.practice_errors);
    assert.equal((await hall.store.matches.byId(practice().match_id!))?.finalTick, 0);
  });

  test("waits for a bot that drops out, also with a new token", async () => {
    const hall = await openHall({ failed_ticks_to_disqualify: 100 });
    const { bot, practice } = await begun(hall);
    await hall.store.bots.rotateToken(idOf(hall, "alpha"), hashToken("new"));
    hall.arena.tokenRotated(idOf(hall, "alpha"));
    assert.equal(bot.ending(), "4002 invalid_token");
    await hall.pass(1000);
    const again = await hall.connect("alpha", "Bearer new");
    again.say({ type: "ready" });
    assert.equal(again.told("hello")[0]?.match_id, practice().match_id);
    again.leave();
    await hall.pass(LIMITS.reconnect_grace_s * SECOND_MS + 1000);
    assert.equal(practice().result?.reason, "forfeit");
    assert.deepEqual(
      hall.arena.online().filter(({ botId }) => botId === idOf(hall, "alpha")),
      [],
    );
  });

  test("is lost by a bot that is suspended, and void if Starter is or its thread dies", async () => {
    for (const [how, act, reason, winner] of [
      ["bot", (hall) => setStatus(hall, idOf(hall, "alpha"), "suspended"), "forfeit", "starter"],
      ["Starter", (hall) => setStatus(hall, hall.starterId, "suspended"), "server_fault", null],
      ["thread", async (hall) => hall.crews[0]!.end(), "server_fault", null],
    ] satisfies [string, (hall: Hall) => Promise<void>, string, string | null][]) {
      const hall = await openHall();
      const { practice } = await begun(hall);
      await act(hall);
      await hall.pass(100);
      const { result } = practice();
      const won = winner === null ? null : hall.starterId;
      assert.deepEqual([result?.reason, result?.winner], [reason, won], how);
      assert.deepEqual(hall.arena.running(), [], how);
      assert.equal((await hall.store.matches.byId(practice().match_id!))?.reason, reason);
    }
  });

  test("is not offered without Starter, nor while it is suspended or the server drains", async () => {
    const without = await openHall({}, { kinds: ["kiter"] });
    assert.equal(refusalOf(without), "practice_unavailable");
    const hall = await openHall();
    const waiting = asked(hall, "beta");
    await setStatus(hall, hall.starterId, "suspended");
    assert.equal(refusalOf(hall), "practice_unavailable");
    const bot = await queued(hall, "beta");
    await hall.pass(ROUND_MS);
    assert.deepEqual([waiting().state, bot.told("hello")], ["expired", []]);
    await setStatus(hall, hall.starterId, "active");
    const kept = asked(hall);
    void hall.arena.drain();
    assert.equal(refusalOf(hall, "gamma"), "practice_unavailable");
    assert.equal(kept().state, "pending");
    await hall.pass(1000);
  });

  test("that runs is played to its end by a drain, or abandoned at its deadline", async () => {
    for (const [drain_timeout_s, abandoned] of [
      [600, 0],
      [1, 1],
    ] as const) {
      const hall = await openHall({ drain_timeout_s });
      const { bot } = await begun(hall);
      if (abandoned === 0) play(bot);
      const drained = hall.arena.drain();
      await hall.until(() => bot.ending() !== null);
      assert.deepEqual(await drained, { abandoned });
      assert.equal(bot.told("end").length, 1 - abandoned);
      assert.equal(bot.ending(), "1012 server restarting");
      hall.arena.stop();
    }
  });

  test("waits for a store that is full, and none begins meanwhile", async () => {
    const store: Store = memoryStore();
    const hall = await openHall(SHORT, { store });
    const { bot, practice } = await begun(hall);
    const { save } = store.matches;
    store.matches.save = async () => {
      throw new StoreError("full", "no room");
    };
    play(bot);
    await hall.until(() => hall.log.includes("a result waits for the store"));
    const other = asked(hall, "beta");
    await queued(hall, "beta", false);
    await hall.pass(ROUND_MS);
    assert.deepEqual([practice().state, other().state], ["playing", "pending"]);
    store.matches.save = save;
    await over(hall, practice);
    assert.equal(bot.told("end").length, 1);
    await hall.until(() => other().state === "playing");
    assert.deepEqual(hall.panics, []);
  });

  test("is told as void if its result is refused for good", async () => {
    const store: Store = memoryStore();
    const hall = await openHall(SHORT, { store });
    const { bot, practice } = await begun(hall);
    store.matches.save = async () => {
      throw new StoreError("invalid", "refused");
    };
    play(bot);
    await over(hall, practice);
    assert.deepEqual(practice().result?.reason, "server_fault");
    assert.equal(bot.told("end")[0]?.voided, true);
  });

  test("cannot begin for a bot that is about to be deleted, and is forgotten with it", async () => {
    const hall = await openHall(SHORT);
    const botId = idOf(hall, "alpha");
    const letGo = hall.arena.withhold(botId)!;
    const { id } = asked(hall)();
    await queued(hall);
    await hall.pass(ROUND_MS);
    assert.equal(hall.arena.practiceOf(botId, id)?.state, "pending");
    hall.arena.botDeleted(botId);
    letGo();
    await hall.pass(ROUND_MS);
    assert.equal(hall.arena.practiceOf(botId, id), null);
    assert.deepEqual(hall.arena.running(), []);
  });

  test("waits while the crew of Starter is hired again, but keeps nobody for ever", async () => {
    const hall = await openHall(SHORT);
    hall.crews.at(-1)!.end();
    await Promise.resolve();
    const practice = asked(hall);
    await queued(hall);
    await over(hall, practice);
    assert.equal(practice().result?.winner, hall.starterId);
    hall.arena.practiseAgainst({
      bot: (await hall.store.bots.byId(hall.starterId))!,
      version: (await hall.store.versions.byLabel(hall.starterId, "v1"))!,
      lend: () => null,
    });
    const vain = asked(hall, "beta");
    await queued(hall, "beta");
    await hall.pass(WAIT_MS - 1000);
    assert.equal(vain().state, "pending");
    await hall.pass(ROUND_MS);
    assert.equal(vain().state, "expired");
  });
});
