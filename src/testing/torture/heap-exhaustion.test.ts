import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { registerQuickBots } from "#testing/harness/quick-bot.ts";
import type { ReceivedMatchEnd } from "#testing/harness/quick-bot.ts";
import { assertMatchesIntact, assertDataUndamaged } from "#testing/harness/stored-match-checks.ts";
import { spawnLadder, createTemporaryFolder } from "#testing/harness/test-server.ts";
import type { LadderProcess } from "#testing/harness/test-server.ts";

/** Enough for a server and its bots, but not for many request headers. */
const SMALL_HEAP = "--max-old-space-size=52";
const BOTS = 20;
/** Size of a request's headers in bytes. Stays below the server's limit. */
const PADDING = 15_000;
const REQUESTS_AT_ONCE = 100;
/** The headers exceed the heap, while the sockets stay within the process's file limit. */
const MAX_REQUESTS = 3000;
const PAUSE_MS = 50;
const HANG_TIMEOUT_MS = 120_000;

/**
 * Sends requests without their bodies until the server dies. The server keeps the headers in
 * memory.
 */
async function exhaustMemory({ baseUrl, child }: LadderProcess): Promise<void> {
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
    const missingSockets = Math.min(REQUESTS_AT_ONCE, MAX_REQUESTS - sockets.length);
    for (let number = 0; number < missingSockets; number += 1) {
      const socket = connect(port, "127.0.0.1").on("error", () => {});
      socket.write(`${head.join("\r\n")}\r\n\r\n{`);
      sockets.push(socket);
    }
    await sleep(PAUSE_MS);
  }
  for (const socket of sockets) socket.destroy();
}

test(
  "T12 a server that runs out of memory during matches neither loses nor corrupts a result it has sent",
  { timeout: HANG_TIMEOUT_MS },
  async (context) => {
    const folder = await createTemporaryFolder();
    const smallServer = await spawnLadder(folder.path, [], [SMALL_HEAP]);
    const started = [smallServer];
    context.after(async () => {
      for (const { child, exited } of started) {
        child.kill("SIGKILL");
        await exited;
      }
      await folder.remove();
    });
    const matchEnds: ReceivedMatchEnd[] = [];
    const emitter = new EventEmitter();
    const notifyStarted = () => emitter.emit("begun");
    const recordEnd = (end: ReceivedMatchEnd) => matchEnds.push(end);
    const bots = await registerQuickBots(smallServer.baseUrl, "quick", BOTS, {
      onHello: notifyStarted,
      onEnd: recordEnd,
    });
    await Promise.all(bots.map((bot) => bot.play(smallServer.baseUrl)));
    while (matchEnds.length === 0) await once(emitter, "begun");
    await exhaustMemory(smallServer);
    await smallServer.exited;
    assert.equal(smallServer.child.signalCode, "SIGABRT");
    assert.match(smallServer.log.join("\n"), /JavaScript heap out of memory/);

    const restarted = await spawnLadder(folder.path);
    started.push(restarted);
    const stored = await assertMatchesIntact(restarted.baseUrl, matchEnds);
    context.diagnostic(`${matchEnds.length} ends sent, ${stored} matches stored`);
    restarted.child.kill("SIGKILL");
    await restarted.exited;
    assert.equal((await assertDataUndamaged(folder.path)).size, stored);
  },
);
