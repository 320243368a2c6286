import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { registerQuickBots } from "#testing/harness/quick-bot.ts";
import type { ToldEnd } from "#testing/harness/quick-bot.ts";
import { spawnLadder, temporaryFolder } from "#testing/harness/test-server.ts";
import type { LadderProcess } from "#testing/harness/test-server.ts";
import { assertKept, assertUndamaged } from "#testing/harness/told-ends.ts";

/** Enough for a server and its bots, but not for the heads of many requests. */
const SMALL_HEAP = "--max-old-space-size=52";
const BOTS = 20;
/** Size of a request's head in bytes; below the server's limit. */
const PADDING = 15_000;
const REQUESTS_AT_ONCE = 100;
/** Their heads exceed the heap, and their sockets do not exceed what a process may have. */
const MOST_REQUESTS = 3000;
const BREATH_MS = 50;
/** A server that accepts them all must end the test. */
const HANG_MS = 120_000;

/** Requests whose bodies never come keep their heads in memory. Sent until the server is gone. */
async function exhaust({ baseUrl, child }: LadderProcess): Promise<void> {
  const port = Number(new URL(baseUrl).port);
  const head = [
    "POST /api/bots HTTP/1.1",
    "Host: localhost",
    "Content-Type: application/json",
    "Content-Length: 100",
    `X-Padding: ${"y".repeat(PADDING)}`,
  ];
  const sockets: Socket[] = [];
  while (child.signalCode === null) {
    const more = Math.min(REQUESTS_AT_ONCE, MOST_REQUESTS - sockets.length);
    for (let number = 0; number < more; number += 1) {
      const socket = connect(port, "127.0.0.1").on("error", () => {});
      socket.write(`${head.join("\r\n")}\r\n\r\n{`);
      sockets.push(socket);
    }
    await sleep(BREATH_MS);
  }
  for (const socket of sockets) socket.destroy();
}

test(
  "T12 a server that runs out of memory amid matches loses and damages nothing it told",
  { timeout: HANG_MS },
  async (context) => {
    const folder = await temporaryFolder();
    const small = await spawnLadder(folder.path, [], [SMALL_HEAP]);
    const started = [small];
    context.after(async () => {
      for (const { child, exited } of started) {
        child.kill("SIGKILL");
        await exited;
      }
      await folder.remove();
    });
    const ends: ToldEnd[] = [];
    const news = new EventEmitter();
    const begun = () => news.emit("begun");
    const told = (end: ToldEnd) => ends.push(end);
    const bots = await registerQuickBots(small.baseUrl, "quick", BOTS, { begun, told });
    await Promise.all(bots.map((bot) => bot.play(small.baseUrl)));
    while (ends.length === 0) await once(news, "begun");
    await exhaust(small);
    await small.exited;
    assert.equal(small.child.signalCode, "SIGABRT");
    assert.match(small.log.join("\n"), /JavaScript heap out of memory/);

    const again = await spawnLadder(folder.path);
    started.push(again);
    const stored = await assertKept(again.baseUrl, ends);
    context.diagnostic(`${ends.length} ends told, ${stored} matches stored`);
    again.child.kill("SIGKILL");
    await again.exited;
    assert.equal((await assertUndamaged(folder.path)).size, stored);
  },
);
