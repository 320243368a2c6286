import assert from "node:assert/strict";
import { after, test } from "node:test";

import type { MatchStats } from "#core/engine/types.ts";
import type { SocketMessage } from "#testing/fixtures/message-check.ts";
import { BotClient, registerBot } from "#testing/harness/bot-client.ts";
import {
  getJson,
  startSuiteLadder,
  sendReady,
  fetchVerifiedReplay,
} from "#testing/harness/test-match.ts";

const { baseUrl } = await startSuiteLadder({ after }, ["--tick-seconds", "30"]);

async function connectBots(prefix: string, size: number) {
  const bots = Array.from({ length: size }, async (_, number) => {
    const name = `${prefix}-${number}`;
    const token = await registerBot(baseUrl, name);
    return { name, token, bot: await BotClient.connect(baseUrl, token) };
  });
  return Promise.all(bots);
}

const idlesOf = (end: SocketMessage) =>
  (end.stats as MatchStats).fighters.map(({ server_idles }) => server_idles);

test("T02 two hundred bots can reconnect at the same time without affecting running matches", async () => {
  const playing = await connectBots("playing", 8);
  const bots = playing.map(({ bot }) => bot);
  for (const bot of bots) bot.queue();
  await Promise.all(bots.map((bot) => bot.waitFor("hello")));
  // Keeps the matches running while the crowd connects.
  let isCalm = false;
  for (const bot of bots)
    bot.socket.on("message", (data) => {
      const message = JSON.parse((data as Buffer).toString()) as { type: string; tick: number };
      const response = () => bot.send({ type: "turn", tick: message.tick });
      if (message.type === "observation") setTimeout(response, isCalm ? 0 : 20);
    });
  sendReady(...bots);
  const waitingBots = await connectBots("waiting", 200);
  const reconnected = await Promise.all(
    waitingBots.map(({ token }) => BotClient.connect(baseUrl, token)),
  );
  for (const { bot } of waitingBots) {
    await bot.waitFor("replaced");
    assert.equal((await bot.closed).code, 4003);
  }
  for (const bot of reconnected) bot.send({ type: "queue", version: "/" });
  const responses = await Promise.all(reconnected.map((bot) => bot.waitFor("error")));
  assert.ok(responses.every(({ code }) => code === "invalid_version"));
  const { online } = await getJson<{ online: { name: string }[] }>(baseUrl, "/api/status");
  const names = new Set(online.map(({ name }) => name));
  assert.ok(waitingBots.every(({ name }) => names.has(name)));
  isCalm = true;
  const matchEnds = await Promise.all(bots.map((bot) => bot.waitFor("end")));
  assert.ok(matchEnds.flatMap(idlesOf).every((idles) => Object.keys(idles).length === 0));
  for (const bot of reconnected) bot.socket.terminate();
});

test("T27 thirty bots that stop reading one by one and resume in a different order all finish their matches", async () => {
  const backpressured = await connectBots("clogged", 30);
  const bots = backpressured.map(({ bot }) => bot);
  for (const bot of bots) {
    bot.autoplay();
    bot.queue();
  }
  await Promise.all(bots.map((bot) => bot.waitFor("hello")));
  for (const bot of bots) {
    bot.socket.pause();
    await getJson(baseUrl, "/api/status");
  }
  for (let index = 0; index < bots.length; index += 1)
    bots[(index * 7) % bots.length]!.socket.resume();
  const matchEnds = await Promise.all(bots.map((bot) => bot.waitFor("end")));
  assert.equal(new Set(matchEnds.map(({ match_id }) => match_id)).size, 15);
  assert.ok(matchEnds.flatMap(idlesOf).every((idles) => Object.keys(idles).length === 0));
  await fetchVerifiedReplay(baseUrl, matchEnds[0]!);
  for (const bot of bots) bot.socket.terminate();
});
