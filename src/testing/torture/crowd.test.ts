import assert from "node:assert/strict";
import { after, test } from "node:test";

import type { MatchStats } from "#core/engine/types.ts";
import type { Heard } from "#testing/fixtures/message-check.ts";
import { BotClient, register } from "#testing/harness/bot-client.ts";
import { getJson, ladderFor, ready, replayOf } from "#testing/harness/duel.ts";

const { baseUrl } = await ladderFor({ after }, ["--tick-seconds", "30"]);

/** Registers `size` bots, each with its own owner, and connects them. */
async function crowd(prefix: string, size: number) {
  const bots = Array.from({ length: size }, async (_, number) => {
    const name = `${prefix}-${number}`;
    const token = await register(baseUrl, name);
    return { name, token, bot: await BotClient.connect(baseUrl, token) };
  });
  return Promise.all(bots);
}

const idlesIn = (end: Heard) =>
  (end.stats as MatchStats).fighters.map(({ server_idles }) => server_idles);

test("T02 two hundred bots that reconnect at once all come in, running matches unharmed", async () => {
  const playing = await crowd("playing", 8);
  const bots = playing.map(({ bot }) => bot);
  for (const bot of bots) bot.queue();
  await Promise.all(bots.map((bot) => bot.next("hello")));
  // Answers that keep the matches running for as long as the crowd arrives.
  let isCalm = false;
  for (const bot of bots)
    bot.socket.on("message", (data) => {
      const message = JSON.parse((data as Buffer).toString()) as { type: string; tick: number };
      const answer = () => bot.say({ type: "turn", tick: message.tick });
      if (message.type === "observation") setTimeout(answer, isCalm ? 0 : 20);
    });
  ready(...bots);
  const waiting = await crowd("waiting", 200);
  const again = await Promise.all(waiting.map(({ token }) => BotClient.connect(baseUrl, token)));
  for (const { bot } of waiting) {
    await bot.next("replaced");
    assert.equal((await bot.closed).code, 4003);
  }
  for (const bot of again) bot.say({ type: "queue", version: "/" });
  const answers = await Promise.all(again.map((bot) => bot.next("error")));
  assert.ok(answers.every(({ code }) => code === "invalid_version"));
  const { online } = await getJson<{ online: { name: string }[] }>(baseUrl, "/api/status");
  const names = new Set(online.map(({ name }) => name));
  assert.ok(waiting.every(({ name }) => names.has(name)));
  isCalm = true;
  const ends = await Promise.all(bots.map((bot) => bot.next("end")));
  assert.ok(ends.flatMap(idlesIn).every((idles) => Object.keys(idles).length === 0));
  for (const bot of again) bot.socket.terminate();
});

test("T27 thirty bots that stop reading one by one and go on in another order all end", async () => {
  const clogged = await crowd("clogged", 30);
  const bots = clogged.map(({ bot }) => bot);
  for (const bot of bots) {
    bot.autoplay();
    bot.queue();
  }
  await Promise.all(bots.map((bot) => bot.next("hello")));
  for (const bot of bots) {
    bot.socket.pause();
    await getJson(baseUrl, "/api/status");
  }
  for (let place = 0; place < bots.length; place += 1)
    bots[(place * 7) % bots.length]!.socket.resume();
  const ends = await Promise.all(bots.map((bot) => bot.next("end")));
  assert.equal(new Set(ends.map(({ match_id }) => match_id)).size, 15);
  assert.ok(ends.flatMap(idlesIn).every((idles) => Object.keys(idles).length === 0));
  await replayOf(baseUrl, ends[0]!);
  for (const bot of bots) bot.socket.terminate();
});
