import assert from "node:assert/strict";
import { after, test } from "node:test";

import { BotClient, registerBot } from "#testing/harness/bot-client.ts";
import { openCuttableProxy } from "#testing/harness/cuttable-proxy.ts";
import {
  startSuiteLadder,
  playFromNow,
  sendReady,
  fetchVerifiedReplay,
  fighterStatsOf,
} from "#testing/harness/test-match.ts";

const flags = ["--tick-seconds", "0.3", "--reconnect-grace", "30"];
const { baseUrl } = await startSuiteLadder({ after }, flags);
const proxy = await openCuttableProxy("127.0.0.1", Number(new URL(baseUrl).port));
after(proxy.close);

async function connectTwo(name: string) {
  const token = await registerBot(baseUrl, name);
  const bot = await BotClient.connect(`http://127.0.0.1:${proxy.port}`, token);
  const opponent = await BotClient.connect(baseUrl, await registerBot(baseUrl, `${name}-opponent`));
  for (const player of [bot, opponent]) player.queue();
  const hello = await bot.waitFor("hello");
  await opponent.waitFor("hello");
  for (const player of [bot, opponent]) playFromNow(player);
  sendReady(bot, opponent);
  await bot.waitFor("observation", ({ tick }) => tick === 3);
  return { bot, opponent, token, hello };
}

test("T24 a bot whose connection is silently dead for ten ticks loses by timeouts, not by a disconnect", async () => {
  const { bot, opponent, hello } = await connectTwo("dead");
  proxy.stall();
  const end = await opponent.waitFor("end");
  assert.equal(end.reason, "disqualification");
  assert.notEqual(end.winner, hello.fighter);
  const { server_idles, disconnects, disqualified } = fighterStatsOf(end, hello);
  assert.deepEqual([server_idles, disconnects, disqualified], [{ timeout: 10 }, 0, true]);
  assert.equal(bot.socket.readyState, bot.socket.OPEN, "the bot hasn't noticed");
  await fetchVerifiedReplay(baseUrl, end);
  for (const player of [bot, opponent]) player.socket.terminate();
});

test("T24 a bot reconnects after its connection has silently died, and continues its match", async () => {
  const { bot, opponent, token, hello } = await connectTwo("back");
  proxy.stall();
  const { tick: last } = bot.messages.findLast(({ type }) => type === "observation")!;
  await opponent.waitFor("observation", ({ tick }) => tick === Number(last) + 5);
  const reconnected = await BotClient.connect(baseUrl, token);
  playFromNow(reconnected);
  const end = await reconnected.waitFor("end");
  assert.equal(end.match_id, hello.match_id);
  assert.notEqual(end.reason, "disqualification");
  const { server_idles, disconnects } = fighterStatsOf(end, hello);
  assert.deepEqual(Object.keys(server_idles), ["timeout"]);
  assert.ok(server_idles.timeout! >= 4);
  assert.equal(disconnects, 0);
  await fetchVerifiedReplay(baseUrl, end);
  for (const player of [bot, reconnected, opponent]) player.socket.terminate();
});
