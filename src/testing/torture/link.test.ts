import assert from "node:assert/strict";
import { after, test } from "node:test";

import { BotClient, register } from "#testing/harness/bot-client.ts";
import { openCuttableProxy } from "#testing/harness/cuttable-proxy.ts";
import { ladderFor, playOn, ready, replayOf, statsIn } from "#testing/harness/duel.ts";

const flags = ["--tick-seconds", "0.3", "--reconnect-grace", "30"];
const { baseUrl } = await ladderFor({ after }, flags);
const proxy = await openCuttableProxy("127.0.0.1", Number(new URL(baseUrl).port));
after(proxy.close);

/** Two bots in a match, the first behind the proxy; both have played some ticks. */
async function duel(name: string) {
  const token = await register(baseUrl, name);
  const bot = await BotClient.connect(`http://127.0.0.1:${proxy.port}`, token);
  const opponent = await BotClient.connect(baseUrl, await register(baseUrl, `${name}-opponent`));
  for (const each of [bot, opponent]) each.queue();
  const hello = await bot.next("hello");
  await opponent.next("hello");
  for (const each of [bot, opponent]) playOn(each);
  ready(bot, opponent);
  await bot.next("observation", ({ tick }) => tick === 3);
  return { bot, opponent, token, hello };
}

test("T24 a link that is silently dead for ten ticks loses by time-outs, not by a disconnect", async () => {
  const { bot, opponent, hello } = await duel("dead");
  proxy.deaden();
  const end = await opponent.next("end");
  assert.equal(end.reason, "disqualification");
  assert.notEqual(end.winner, hello.fighter);
  const { server_idles, disconnects, disqualified } = statsIn(end, hello);
  assert.deepEqual([server_idles, disconnects, disqualified], [{ timeout: 10 }, 0, true]);
  assert.equal(bot.socket.readyState, bot.socket.OPEN, "the bot knows nothing");
  await replayOf(baseUrl, end);
  for (const each of [bot, opponent]) each.socket.terminate();
});

test("T24 a bot whose link died silently comes back over another one and plays on", async () => {
  const { bot, opponent, token, hello } = await duel("back");
  proxy.deaden();
  const { tick: last } = bot.heard.findLast(({ type }) => type === "observation")!;
  await opponent.next("observation", ({ tick }) => tick === Number(last) + 5);
  const again = await BotClient.connect(baseUrl, token);
  playOn(again);
  const end = await again.next("end");
  assert.equal(end.match_id, hello.match_id);
  assert.notEqual(end.reason, "disqualification");
  const { server_idles, disconnects } = statsIn(end, hello);
  assert.deepEqual(Object.keys(server_idles), ["timeout"]);
  assert.ok(server_idles.timeout! >= 4);
  assert.equal(disconnects, 0);
  await replayOf(baseUrl, end);
  for (const each of [bot, again, opponent]) each.socket.terminate();
});
