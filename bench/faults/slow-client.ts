// T04: bots play but never read from their sockets ("deaf" bots), until their send buffers are full
// and the server disconnects them. Prints how much memory the server uses.
// node bench/faults/slow-client.ts [DEAF BOTS]
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { BotClient, registerBot } from "#testing/harness/bot-client.ts";
import {
  playAgainstNonReadingBots,
  connectNonReadingBot,
} from "#testing/harness/non-reading-bot.ts";
import type { NonReadingBot } from "#testing/harness/non-reading-bot.ts";
import { startLadder } from "#testing/harness/test-server.ts";

import { ask, pause } from "../sockets/children.ts";

const DEFAULT_DEAF_BOTS = 20;
/**
 * More than one opponent per deaf bot, because two bots that have just met aren't paired again
 * immediately.
 */
const OPPONENTS_PER_BOT = 3;
const CHECK_INTERVAL_MS = 2000;
/**
 * If nothing was sent for this many checks, no more data is expected. Spans more than the rematch
 * interval.
 */
const QUIET_CHECKS = 8;
const MEGABYTE = 2 ** 20;
const SERVER_ARGUMENT = "server";
const FLAGS = ["--match-interval", "0", "--tick-seconds", "5", "--reconnect-grace", "2"];

type BufferReport = {
  rss: number;
  sends: { total: number; backpressured: number; max_buffered_bytes: number };
};

/**
 * Waves are short. All deaf bots have the same owner, so they are only paired with bots that read.
 */
async function runServer(): Promise<void> {
  const limits = { wave_every_s: 0.2, bots_per_owner: 1000 };
  const { baseUrl, health } = await startLadder(FLAGS, limits);
  process.on("message", () => {
    const report: BufferReport = { rss: process.memoryUsage.rss(), sends: health.report().sends };
    process.send?.(report);
  });
  process.on("disconnect", () => process.exit());
  process.send?.({ baseUrl });
}

async function startBots(baseUrl: string, count: number): Promise<NonReadingBot[]> {
  const deafBots = new Map<string, NonReadingBot>();
  for (let number = 0; number < count; number += 1) {
    const name = `deaf-${number}`;
    deafBots.set(name, await connectNonReadingBot(baseUrl, name, "deaf"));
  }
  for (let number = 0; number < count * OPPONENTS_PER_BOT; number += 1) {
    const token = await registerBot(baseUrl, `reader-${number}`, "readers");
    const reader = await BotClient.connect(baseUrl, token);
    playAgainstNonReadingBots(reader, deafBots);
    reader.queue();
  }
  for (const bot of deafBots.values()) bot.queue();
  return [...deafBots.values()];
}

async function monitor(count: number): Promise<void> {
  const server = fork(fileURLToPath(import.meta.url), [SERVER_ARGUMENT], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [{ baseUrl }] = (await once(server, "message")) as [{ baseUrl: string }];
  const deafBots = await startBots(baseUrl, count);
  let [quietChecks, lastTotal] = [0, -1];
  while (quietChecks < QUIET_CHECKS) {
    const { rss, sends } = await ask<BufferReport>(server, "fill");
    const { total, backpressured, max_buffered_bytes } = sends;
    console.log(
      `${(rss / MEGABYTE).toFixed(0)} MiB, ${total} messages, max ${max_buffered_bytes} ` +
        `bytes buffered per bot, ${backpressured} of ${count} disconnected`,
    );
    if (backpressured === count) break;
    quietChecks = total === lastTotal ? quietChecks + 1 : 0;
    lastTotal = total;
    await pause(CHECK_INTERVAL_MS);
  }
  for (const { socket } of deafBots) socket.destroy();
  server.disconnect();
}

if (process.argv[2] === SERVER_ARGUMENT) await runServer();
else {
  await monitor(Number(process.argv[2] ?? DEFAULT_DEAF_BOTS));
  process.exit();
}
