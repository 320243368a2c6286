import assert from "node:assert/strict";
import { after, suite, test } from "node:test";

import type { Heard } from "#testing/fixtures/message-check.ts";
import { BotClient } from "#testing/harness/bot-client.ts";
import { getJson, openRing, playOn, ready, replayOf, statsIn } from "#testing/harness/duel.ts";
import type { Duel } from "#testing/harness/duel.ts";

const CALM = await openRing({ after }, ["--tick-seconds", "20", "--reconnect-grace", "4"]);
const { baseUrl } = CALM.ladder;

/** The index of the bot in the replay's arrays. */
const seatOf = ({ fighter }: Heard) => "AB".indexOf(fighter as string);

/** Both play to the end; returns what the bot is told then. */
async function playedOut({ bot, opponent }: Pick<Duel, "bot" | "opponent">): Promise<Heard> {
  playOn(opponent);
  playOn(bot);
  return bot.next("end");
}

const turnOf = (tick: number, parts: object = {}) => ({ type: "turn", tick, ...parts });

suite("in a match over real sockets", { concurrency: true }, () => {
  test("T20 old, future and doubled turns: the first one for the tick decides", async () => {
    const duel = await CALM.enter("t20");
    const { bot, opponent, hello } = duel;
    ready(bot, opponent);
    const said = [
      [turnOf(0, { move: "n" }), turnOf(0, { move: "s" })],
      [turnOf(0, { move: "w" }), turnOf(0, { move: 5 }), turnOf(1, { move: "e" })],
      [turnOf(9, { move: "n" }), turnOf(2, { move: "n" })],
    ];
    for (const [tick, frames] of said.entries()) {
      await opponent.next("observation", (seen) => seen.tick === tick);
      await bot.next("observation", (seen) => seen.tick === tick);
      for (const frame of frames) bot.say(frame);
      opponent.say(turnOf(tick));
    }
    const { events } = await bot.next("observation", ({ tick }) => tick === 3);
    const first = (events as Heard[])[0]!;
    assert.deepEqual([first.type, first.part, first.reason], ["rejected", "turn", "schema"]);
    bot.say(turnOf(3));
    opponent.say(turnOf(3));
    const end = await playedOut(duel);
    assert.ok(bot.heard.every(({ type }) => type !== "error"));
    const { ticks } = await replayOf(baseUrl, end);
    const turns = ticks.slice(0, 4).map((tick) => tick.turns[seatOf(hello)]);
    assert.deepEqual(turns, [{ move: "n" }, { move: "e" }, { idle: "schema" }, {}]);
  });

  test("T21 ready twice does no harm, a queue and a turn after the end are answered", async () => {
    const duel = await CALM.enter("t21");
    const { bot, opponent } = duel;
    bot.say({ type: "ready" });
    ready(bot, opponent);
    bot.say({ type: "ready" });
    bot.queue();
    assert.equal((await bot.next("error")).code, "already_queued");
    const end = await playedOut(duel);
    bot.say(turnOf(300));
    assert.equal((await bot.next("error")).code, "not_in_match");
    bot.say({ type: "ready" });
    bot.queue("v2");
    assert.equal((await bot.next("queued", ({ version }) => version === "v2")).version, "v2");
    bot.say({ type: "leave" });
    const only = (await getJson<object[]>(baseUrl, "/api/matches?bot=t21"))[0]!;
    assert.equal("id" in only && only.id, end.match_id);
  });

  test("T22 a second connection takes over, a hundred times, with the same match and budget", async () => {
    const duel = await CALM.enter("t22");
    ready(duel.bot, duel.opponent);
    const { hello, token, opponent } = duel;
    let { bot } = duel;
    let budget = (await bot.next("observation")).budget_ms as number;
    for (let flip = 0; flip < 100; flip += 1) {
      const next = await BotClient.connect(baseUrl, token);
      const again = await next.next("hello");
      const seen = await next.next("observation");
      assert.equal((await bot.next("replaced")).code, "replaced");
      assert.deepEqual(await bot.closed, { code: 4003, reason: "replaced" });
      assert.equal(again.match_id, hello.match_id);
      assert.equal(seen.tick, Math.ceil(flip / 10));
      assert.ok((seen.budget_ms as number) <= budget);
      budget = seen.budget_ms as number;
      bot = next;
      if (flip % 10 !== 0) continue;
      bot.say(turnOf(flip / 10));
      opponent.say(turnOf(flip / 10));
      await bot.next("observation", ({ tick }) => tick === flip / 10 + 1);
    }
    bot.say(turnOf(10));
    const end = await playedOut({ bot, opponent });
    const { ticks } = await replayOf(baseUrl, end);
    const budgets = ticks.map((tick) => tick.budget_ms[seatOf(hello)]);
    assert.ok(budgets.every((left, tick) => tick === 0 || left! <= budgets[tick - 1]!));
    assert.deepEqual(statsIn(end, hello).server_idles, {});
    assert.equal(statsIn(end, hello).disconnects, 0);
  });

  test("T08 the sixth frame in a tick closes; the bot comes back and plays on", async () => {
    const duel = await CALM.enter("t08");
    const { bot, opponent, token, hello } = duel;
    ready(bot, opponent);
    await bot.next("observation");
    for (let frames = 0; frames < 5; frames += 1) bot.say({ type: "leave" });
    bot.queue("sixth");
    assert.equal((await bot.next("error")).code, "rate_limited");
    assert.deepEqual(await bot.closed, { code: 4009, reason: "rate_limited" });
    const again = await BotClient.connect(baseUrl, token);
    assert.equal((await again.next("hello")).match_id, hello.match_id);
    for (const tick of [0, 1]) {
      const { tick: running } = await again.next("observation");
      assert.equal(running, tick);
      for (let frames = 0; frames < 4; frames += 1) again.say({ type: "leave" });
      again.say(turnOf(tick));
      opponent.say(turnOf(tick));
    }
    const end = await playedOut({ bot: again, opponent });
    assert.deepEqual(statsIn(end, hello).server_idles, {});
    const headers = { authorization: `Bearer ${token}` };
    const me = await fetch(`${baseUrl}/api/me`, { headers });
    const { versions } = (await me.json()) as { versions: { label: string }[] };
    assert.deepEqual(
      versions.map(({ label }) => label),
      ["v1"],
    );
  });

  test("T24 a socket cut for longer than the grace loses by forfeit when ticks are long", async () => {
    const { bot, opponent, hello } = await CALM.enter("t24");
    ready(bot, opponent);
    await bot.next("observation");
    bot.socket.terminate();
    const end = await opponent.next("end");
    assert.equal(end.reason, "forfeit");
    assert.notEqual(end.winner, hello.fighter);
    assert.ok((end.rating_change as number) > 0);
    const { ticks } = await replayOf(baseUrl, end);
    assert.deepEqual(ticks, []);
  });
});

const HASTY = await openRing({ after }, [
  "--tick-seconds",
  "0.3",
  "--startup-seconds",
  "2",
  "--reconnect-grace",
  "30",
]);
const hastyUrl = HASTY.ladder.baseUrl;

suite("in a match with short ticks", { concurrency: true }, () => {
  test("T24 a socket that is cut for a while resumes, with one disconnect", async () => {
    const duel = await HASTY.enter("resumes");
    const { bot, opponent, hello, token } = duel;
    ready(bot, opponent);
    playOn(opponent);
    await bot.next("observation");
    bot.socket.terminate();
    await opponent.next("observation", ({ tick }) => tick === 3);
    const again = await BotClient.connect(hastyUrl, token);
    const { events } = await again.next("observation");
    assert.equal((events as Heard[])[0]!.reason, "disconnected");
    const end = await playedOut({ bot: again, opponent });
    const { server_idles, disconnects } = statsIn(end, hello);
    assert.equal(disconnects, 1);
    assert.ok((server_idles.disconnected ?? 0) >= 3);
    await replayOf(hastyUrl, end);
  });

  test("T24 a socket cut for ten ticks loses by disqualification before its grace ends", async () => {
    const { bot, opponent, hello } = await HASTY.enter("lost");
    ready(bot, opponent);
    playOn(opponent);
    await bot.next("observation");
    bot.socket.terminate();
    const end = await opponent.next("end");
    assert.equal(end.reason, "disqualification");
    const { server_idles, disconnects, disqualified } = statsIn(end, hello);
    assert.deepEqual([server_idles, disconnects], [{ disconnected: 10 }, 1]);
    assert.equal(disqualified, true);
    await replayOf(hastyUrl, end);
  });

  test("T04 a bot that stops reading times out without a disconnect, its opponent plays on", async () => {
    const { bot, opponent, hello } = await HASTY.enter("deaf");
    ready(bot, opponent);
    playOn(opponent);
    await bot.next("observation");
    bot.socket.pause();
    const end = await opponent.next("end");
    assert.equal(end.reason, "disqualification");
    const { server_idles, disconnects } = statsIn(end, hello);
    assert.deepEqual([server_idles, disconnects], [{ timeout: 10 }, 0]);
    bot.socket.resume();
    assert.equal((await bot.next("end")).match_id, end.match_id);
    await replayOf(hastyUrl, end);
  });

  test("T21 one absent at the start forfeits at tick 0, rated", async () => {
    const { bot, opponent, hello } = await HASTY.enter("absent");
    opponent.say({ type: "ready" });
    const end = await bot.next("end");
    assert.equal(end.reason, "forfeit");
    assert.notEqual(end.winner, hello.fighter);
    assert.ok((end.rating_change as number) < 0);
    assert.equal((end.stats as { ticks: number }).ticks, 0);
    await replayOf(hastyUrl, end);
  });

  test("T21 both absent at the start make it void", async () => {
    const { bot, hello } = await HASTY.enter("void");
    const end = await bot.next("end", ({ match_id }) => match_id === hello.match_id);
    const { winner, reason, voided, rating_change, stats } = end;
    assert.deepEqual([winner, reason, voided], [null, "forfeit", true]);
    assert.deepEqual([rating_change, stats], [null, null]);
    const path = `/api/matches/${String(end.match_id)}`;
    const stored = await getJson<{ voided: boolean; winner: null }>(hastyUrl, path);
    assert.deepEqual([stored.voided, stored.winner], [true, null]);
    assert.equal((await fetch(`${hastyUrl}${path}/stats`)).status, 404);
    await replayOf(hastyUrl, end);
  });
});
