import assert from "node:assert/strict";
import { after, test } from "node:test";

import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import type { SocketMessage } from "#testing/fixtures/message-check.ts";
import { BotClient, registerBot } from "#testing/harness/bot-client.ts";
import {
  playAgainstNonReadingBots,
  connectNonReadingBot,
} from "#testing/harness/non-reading-bot.ts";
import {
  startSuiteLadder,
  fetchVerifiedReplay,
  fighterStatsOf,
} from "#testing/harness/test-match.ts";

// The kernel buffers ten times as much data per connection as the server. Filling both buffers
// takes dozens of matches in quick succession, each against an opponent that may be paired again.
const OPPONENTS = 50;
const limits = { wave_every_s: 0.1, bots_per_owner: OPPONENTS };

const flags = ["--match-interval", "0", "--tick-seconds", "5", "--reconnect-grace", "0.5"];
const { baseUrl, health } = await startSuiteLadder({ after }, flags, limits);

async function connectOpponent(number: number): Promise<BotClient> {
  const token = await registerBot(baseUrl, `opponent-${number}`, "opponents");
  return BotClient.connect(baseUrl, token);
}

test("T04 a bot that plays without reading is disconnected when its buffer is full, and its opponent wins", async (context) => {
  const silentBot = await connectNonReadingBot(baseUrl, "deaf", "deaf");
  context.after(() => void silentBot.socket.destroy());
  const opponents = await Promise.all(
    Array.from({ length: OPPONENTS }, (_, at) => connectOpponent(at)),
  );
  const isForfeit = ({ reason }: SocketMessage) => reason === "forfeit";
  const finalEnd = Promise.race(
    opponents.map(async (bot) => ({ bot, end: await bot.waitFor("end", isForfeit) })),
  );
  for (const opponent of opponents) {
    playAgainstNonReadingBots(opponent, new Map([["deaf", silentBot]]));
    opponent.queue();
  }
  silentBot.queue();
  const { bot, end } = await finalEnd;
  const hello = bot.messages.findLast(({ type }) => type === "hello")!;
  assert.equal(end.match_id, hello.match_id);
  assert.equal(end.winner, hello.fighter);
  for (const side of [hello, hello.opponent as SocketMessage])
    assert.equal(fighterStatsOf(end, side).server_idles.timeout, undefined);
  await fetchVerifiedReplay(baseUrl, end);

  const { total, backpressured, max_buffered_bytes } = health.report().sends;
  context.diagnostic(`${total} messages in matches, max ${max_buffered_bytes} bytes buffered`);
  assert.ok(backpressured > 1 && backpressured < total, `${backpressured} of ${total}`);
  const { send_buffer_bytes, message_bytes } = DEFAULT_LIMITS;
  assert.ok(max_buffered_bytes > send_buffer_bytes);
  assert.ok(max_buffered_bytes <= send_buffer_bytes + message_bytes);
  silentBot.socket.resume();
  await silentBot.disconnected;
  for (const opponent of opponents) opponent.socket.terminate();
});
