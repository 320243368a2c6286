import assert from "node:assert/strict";
import { after, suite, test } from "node:test";

import type { SocketMessage } from "#testing/fixtures/message-check.ts";
import { BotClient } from "#testing/harness/bot-client.ts";
import {
  getJson,
  openTestMatches,
  playFromNow,
  sendReady,
  fetchVerifiedReplay,
  fighterStatsOf,
} from "#testing/harness/test-match.ts";
import type { TestMatch } from "#testing/harness/test-match.ts";

const RELIABLE_RING = await openTestMatches({ after }, [
  "--tick-seconds",
  "20",
  "--reconnect-grace",
  "4",
]);
const { baseUrl } = RELIABLE_RING.ladder;

const seatOf = ({ fighter }: SocketMessage) => "AB".indexOf(fighter as string);

async function playToEnd({
  bot,
  opponent,
}: Pick<TestMatch, "bot" | "opponent">): Promise<SocketMessage> {
  playFromNow(opponent);
  playFromNow(bot);
  return bot.waitFor("end");
}

const turnMessage = (tick: number, parts: object = {}) => ({ type: "turn", tick, ...parts });

suite("a match over real sockets", { concurrency: true }, () => {
  test("T20 uses the first turn for the current tick and ignores old, future and duplicate turns", async () => {
    const duel = await RELIABLE_RING.startMatch("t20");
    const { bot, opponent, hello } = duel;
    sendReady(bot, opponent);
    const framesByTick = [
      [turnMessage(0, { move: "n" }), turnMessage(0, { move: "s" })],
      [turnMessage(0, { move: "w" }), turnMessage(0, { move: 5 }), turnMessage(1, { move: "e" })],
      [turnMessage(9, { move: "n" }), turnMessage(2, { move: "n" })],
    ];
    for (const [tick, frames] of framesByTick.entries()) {
      await opponent.waitFor("observation", (observation) => observation.tick === tick);
      await bot.waitFor("observation", (observation) => observation.tick === tick);
      for (const frame of frames) bot.send(frame);
      opponent.send(turnMessage(tick));
    }
    const { events } = await bot.waitFor("observation", ({ tick }) => tick === 3);
    const first = (events as SocketMessage[])[0]!;
    assert.deepEqual([first.type, first.part, first.reason], ["rejected", "turn", "schema"]);
    bot.send(turnMessage(3));
    opponent.send(turnMessage(3));
    const end = await playToEnd(duel);
    assert.ok(bot.messages.every(({ type }) => type !== "error"));
    const { ticks } = await fetchVerifiedReplay(baseUrl, end);
    const turns = ticks.slice(0, 4).map((tick) => tick.turns[seatOf(hello)]);
    assert.deepEqual(turns, [{ move: "n" }, { move: "e" }, { idle: "schema" }, {}]);
  });

  test("T21 ignores a second ready and answers queue and turn messages sent after the end", async () => {
    const duel = await RELIABLE_RING.startMatch("t21");
    const { bot, opponent } = duel;
    bot.send({ type: "ready" });
    sendReady(bot, opponent);
    bot.send({ type: "ready" });
    bot.queue();
    assert.equal((await bot.waitFor("error")).code, "already_queued");
    const end = await playToEnd(duel);
    bot.send(turnMessage(300));
    assert.equal((await bot.waitFor("error")).code, "not_in_match");
    bot.send({ type: "ready" });
    bot.queue("v2");
    assert.equal((await bot.waitFor("queued", ({ version }) => version === "v2")).version, "v2");
    bot.send({ type: "leave" });
    const storedMatch = (await getJson<object[]>(baseUrl, "/api/matches?bot=t21"))[0]!;
    assert.equal("id" in storedMatch && storedMatch.id, end.match_id);
  });

  test("T22 survives 100 takeovers by new connections, with the same match and message budget", async () => {
    const duel = await RELIABLE_RING.startMatch("t22");
    sendReady(duel.bot, duel.opponent);
    const { hello, token, opponent } = duel;
    let { bot } = duel;
    let budget = (await bot.waitFor("observation")).budget_ms as number;
    for (let toggle = 0; toggle < 100; toggle += 1) {
      const nextBot = await BotClient.connect(baseUrl, token);
      const secondHello = await nextBot.waitFor("hello");
      const observation = await nextBot.waitFor("observation");
      assert.equal((await bot.waitFor("replaced")).code, "replaced");
      assert.deepEqual(await bot.closed, { code: 4003, reason: "replaced" });
      assert.equal(secondHello.match_id, hello.match_id);
      assert.equal(observation.tick, Math.ceil(toggle / 10));
      assert.ok((observation.budget_ms as number) <= budget);
      budget = observation.budget_ms as number;
      bot = nextBot;
      if (toggle % 10 !== 0) continue;
      bot.send(turnMessage(toggle / 10));
      opponent.send(turnMessage(toggle / 10));
      await bot.waitFor("observation", ({ tick }) => tick === toggle / 10 + 1);
    }
    bot.send(turnMessage(10));
    const end = await playToEnd({ bot, opponent });
    const { ticks } = await fetchVerifiedReplay(baseUrl, end);
    const budgets = ticks.map((tick) => tick.budget_ms[seatOf(hello)]);
    assert.ok(budgets.every((budgetLeft, tick) => tick === 0 || budgetLeft! <= budgets[tick - 1]!));
    assert.deepEqual(fighterStatsOf(end, hello).server_idles, {});
    assert.equal(fighterStatsOf(end, hello).disconnects, 0);
  });

  test("T08 closes the connection at the sixth frame in a tick, and the bot reconnects and continues", async () => {
    const duel = await RELIABLE_RING.startMatch("t08");
    const { bot, opponent, token, hello } = duel;
    sendReady(bot, opponent);
    await bot.waitFor("observation");
    for (let frames = 0; frames < 5; frames += 1) bot.send({ type: "leave" });
    bot.queue("sixth");
    assert.equal((await bot.waitFor("error")).code, "rate_limited");
    assert.deepEqual(await bot.closed, { code: 4009, reason: "rate_limited" });
    const secondHello = await BotClient.connect(baseUrl, token);
    assert.equal((await secondHello.waitFor("hello")).match_id, hello.match_id);
    for (const tick of [0, 1]) {
      const { tick: running } = await secondHello.waitFor("observation");
      assert.equal(running, tick);
      for (let frames = 0; frames < 4; frames += 1) secondHello.send({ type: "leave" });
      secondHello.send(turnMessage(tick));
      opponent.send(turnMessage(tick));
    }
    const end = await playToEnd({ bot: secondHello, opponent });
    assert.deepEqual(fighterStatsOf(end, hello).server_idles, {});
    const headers = { authorization: `Bearer ${token}` };
    const me = await fetch(`${baseUrl}/api/me`, { headers });
    const { versions } = (await me.json()) as { versions: { label: string }[] };
    assert.deepEqual(
      versions.map(({ label }) => label),
      ["v1"],
    );
  });

  test("T24 is forfeited if a disconnect exceeds the grace period, with long ticks", async () => {
    const { bot, opponent, hello } = await RELIABLE_RING.startMatch("t24");
    sendReady(bot, opponent);
    await bot.waitFor("observation");
    bot.socket.terminate();
    const end = await opponent.waitFor("end");
    assert.equal(end.reason, "forfeit");
    assert.notEqual(end.winner, hello.fighter);
    assert.ok((end.rating_change as number) > 0);
    const { ticks } = await fetchVerifiedReplay(baseUrl, end);
    assert.deepEqual(ticks, []);
  });
});

const STRICT_RING = await openTestMatches({ after }, [
  "--tick-seconds",
  "0.3",
  "--startup-seconds",
  "2",
  "--reconnect-grace",
  "30",
]);
const strictUrl = STRICT_RING.ladder.baseUrl;

suite("a match with short ticks", { concurrency: true }, () => {
  test("T24 continues after a bot reconnects and counts one disconnect", async () => {
    const duel = await STRICT_RING.startMatch("resumes");
    const { bot, opponent, hello, token } = duel;
    sendReady(bot, opponent);
    playFromNow(opponent);
    await bot.waitFor("observation");
    bot.socket.terminate();
    await opponent.waitFor("observation", ({ tick }) => tick === 3);
    const secondHello = await BotClient.connect(strictUrl, token);
    const { events } = await secondHello.waitFor("observation");
    assert.equal((events as SocketMessage[])[0]!.reason, "disconnected");
    const end = await playToEnd({ bot: secondHello, opponent });
    const { server_idles, disconnects } = fighterStatsOf(end, hello);
    assert.equal(disconnects, 1);
    assert.ok((server_idles.disconnected ?? 0) >= 3);
    await fetchVerifiedReplay(strictUrl, end);
  });

  test("T24 is lost by disqualification after ten missed ticks, before the grace period ends", async () => {
    const { bot, opponent, hello } = await STRICT_RING.startMatch("lost");
    sendReady(bot, opponent);
    playFromNow(opponent);
    await bot.waitFor("observation");
    bot.socket.terminate();
    const end = await opponent.waitFor("end");
    assert.equal(end.reason, "disqualification");
    const { server_idles, disconnects, disqualified } = fighterStatsOf(end, hello);
    assert.deepEqual([server_idles, disconnects], [{ disconnected: 10 }, 1]);
    assert.equal(disqualified, true);
    await fetchVerifiedReplay(strictUrl, end);
  });

  test("T04 counts timeouts but no disconnect for a bot that stops reading, and its opponent plays on", async () => {
    const { bot, opponent, hello } = await STRICT_RING.startMatch("deaf");
    sendReady(bot, opponent);
    playFromNow(opponent);
    await bot.waitFor("observation");
    bot.socket.pause();
    const end = await opponent.waitFor("end");
    assert.equal(end.reason, "disqualification");
    const { server_idles, disconnects } = fighterStatsOf(end, hello);
    assert.deepEqual([server_idles, disconnects], [{ timeout: 10 }, 0]);
    bot.socket.resume();
    assert.equal((await bot.waitFor("end")).match_id, end.match_id);
    await fetchVerifiedReplay(strictUrl, end);
  });

  test("T21 counts as a rated forfeit at tick 0 if one bot is absent at the start", async () => {
    const { bot, opponent, hello } = await STRICT_RING.startMatch("absent");
    opponent.send({ type: "ready" });
    const end = await bot.waitFor("end");
    assert.equal(end.reason, "forfeit");
    assert.notEqual(end.winner, hello.fighter);
    assert.ok((end.rating_change as number) < 0);
    assert.equal((end.stats as { ticks: number }).ticks, 0);
    await fetchVerifiedReplay(strictUrl, end);
  });

  test("T21 is void if both bots are absent at the start", async () => {
    const { bot, hello } = await STRICT_RING.startMatch("void");
    const end = await bot.waitFor("end", ({ match_id }) => match_id === hello.match_id);
    const { winner, reason, voided, rating_change, stats } = end;
    assert.deepEqual([winner, reason, voided], [null, "forfeit", true]);
    assert.deepEqual([rating_change, stats], [null, null]);
    const path = `/api/matches/${String(end.match_id)}`;
    const stored = await getJson<{ voided: boolean; winner: null }>(strictUrl, path);
    assert.deepEqual([stored.voided, stored.winner], [true, null]);
    assert.equal((await fetch(`${strictUrl}${path}/stats`)).status, 404);
    await fetchVerifiedReplay(strictUrl, end);
  });
});
