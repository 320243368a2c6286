import assert from "node:assert/strict";
import { after, test } from "node:test";

import { LIMITS } from "#core/words/limits.ts";
import type { Heard } from "#testing/fixtures/message-check.ts";
import { BotClient, register } from "#testing/harness/bot-client.ts";
import { leadDeafBots, openDeafBot } from "#testing/harness/deaf-bot.ts";
import { ladderFor, replayOf, statsIn } from "#testing/harness/duel.ts";

// The kernel buffers ten times as much of a connection as the server does. It takes dozens of
// matches to fill, played in quick succession against opponents that have rested.
const OPPONENTS = 50;
const limits = { wave_every_s: 0.1, bots_per_owner: OPPONENTS };

const flags = ["--match-interval", "0", "--tick-seconds", "5", "--reconnect-grace", "0.5"];
const { baseUrl, health } = await ladderFor({ after }, flags, limits);

async function opponentOf(number: number): Promise<BotClient> {
  const token = await register(baseUrl, `opponent-${number}`, "opponents");
  return BotClient.connect(baseUrl, token);
}

test("T04 a bot that plays on without reading is cut off at a full buffer, its opponent wins", async (context) => {
  const deaf = await openDeafBot(baseUrl, "deaf", "deaf");
  context.after(() => void deaf.socket.destroy());
  const opponents = await Promise.all(Array.from({ length: OPPONENTS }, (_, at) => opponentOf(at)));
  const lost = ({ reason }: Heard) => reason === "forfeit";
  const lastEnd = Promise.race(
    opponents.map(async (bot) => ({ bot, end: await bot.next("end", lost) })),
  );
  for (const opponent of opponents) {
    leadDeafBots(opponent, new Map([["deaf", deaf]]));
    opponent.queue();
  }
  deaf.queue();
  const { bot, end } = await lastEnd;
  const hello = bot.heard.findLast(({ type }) => type === "hello")!;
  assert.equal(end.match_id, hello.match_id);
  assert.equal(end.winner, hello.fighter);
  for (const each of [hello, hello.opponent as Heard])
    assert.equal(statsIn(end, each).server_idles.timeout, undefined);
  await replayOf(baseUrl, end);

  const { total, backpressured, max_buffered_bytes } = health.report().sends;
  context.diagnostic(`${total} messages in matches, at most ${max_buffered_bytes} bytes buffered`);
  assert.ok(backpressured > 1 && backpressured < total, `${backpressured} of ${total}`);
  const { send_buffer_bytes, message_bytes } = LIMITS;
  assert.ok(max_buffered_bytes > send_buffer_bytes);
  assert.ok(max_buffered_bytes <= send_buffer_bytes + message_bytes);
  deaf.socket.resume();
  await deaf.cutOff;
  for (const opponent of opponents) opponent.socket.terminate();
});
