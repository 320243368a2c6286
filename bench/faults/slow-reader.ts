// T04: bots that play on without ever reading, until their buffers are full and they are cut off.
// Prints what the server holds meanwhile.
// node bench/faults/slow-reader.ts [DEAF BOTS]
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { BotClient, register } from "#testing/harness/bot-client.ts";
import { leadDeafBots, openDeafBot } from "#testing/harness/deaf-bot.ts";
import type { DeafBot } from "#testing/harness/deaf-bot.ts";
import { startLadder } from "#testing/harness/test-server.ts";

import { ask, pause } from "../sockets/children.ts";

const DEAF = 20;
/** Opponents per deaf bot: one that has just met a bot rests before it meets it again. */
const OPPONENTS_EACH = 3;
const LOOK_EVERY_MS = 2000;
/** If nothing was sent for this many looks, longer than opponents rest, nothing more will come. */
const QUIET_LOOKS = 8;
const MEGABYTE = 2 ** 20;
const SERVER = "server";
const FLAGS = ["--match-interval", "0", "--tick-seconds", "5", "--reconnect-grace", "2"];

type Fill = {
  rss: number;
  sends: { total: number; backpressured: number; max_buffered_bytes: number };
};

/** Quick waves, and owners with many bots: deaf bots only meet the others. */
async function serve(): Promise<void> {
  const limits = { wave_every_s: 0.2, bots_per_owner: 1000 };
  const { baseUrl, health } = await startLadder(FLAGS, limits);
  process.on("message", () => {
    const fill: Fill = { rss: process.memoryUsage.rss(), sends: health.report().sends };
    process.send?.(fill);
  });
  process.on("disconnect", () => process.exit());
  process.send?.({ baseUrl });
}

async function enlist(baseUrl: string, count: number): Promise<DeafBot[]> {
  const deaf = new Map<string, DeafBot>();
  for (let number = 0; number < count; number += 1) {
    const name = `deaf-${number}`;
    deaf.set(name, await openDeafBot(baseUrl, name, "deaf"));
  }
  for (let number = 0; number < count * OPPONENTS_EACH; number += 1) {
    const token = await register(baseUrl, `reader-${number}`, "readers");
    const reader = await BotClient.connect(baseUrl, token);
    leadDeafBots(reader, deaf);
    reader.queue();
  }
  for (const bot of deaf.values()) bot.queue();
  return [...deaf.values()];
}

async function watch(count: number): Promise<void> {
  const server = fork(fileURLToPath(import.meta.url), [SERVER], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [{ baseUrl }] = (await once(server, "message")) as [{ baseUrl: string }];
  const deaf = await enlist(baseUrl, count);
  let [quiet, last] = [0, -1];
  while (quiet < QUIET_LOOKS) {
    const { rss, sends } = await ask<Fill>(server, "fill");
    const { total, backpressured, max_buffered_bytes } = sends;
    console.log(
      `${(rss / MEGABYTE).toFixed(0)} MiB, ${total} messages, at most ${max_buffered_bytes} ` +
        `bytes buffered for one bot, ${backpressured} of ${count} cut off`,
    );
    if (backpressured === count) break;
    quiet = total === last ? quiet + 1 : 0;
    last = total;
    await pause(LOOK_EVERY_MS);
  }
  for (const { socket } of deaf) socket.destroy();
  server.disconnect();
}

if (process.argv[2] === SERVER) await serve();
else {
  await watch(Number(process.argv[2] ?? DEAF));
  process.exit();
}
