import assert from "node:assert/strict";
import { it } from "node:test";

import { SqliteWorkerClient } from "./sqlite-worker-client.ts";

const CRASHING_WORKER = new URL(
  "data:text/javascript,import { parentPort } from 'node:worker_threads';" +
    "parentPort.on('message', () => process.exit(1))",
);
const OPTIONS = { path: "unused", access: "read" } as const;

it("rejects pending calls when the thread dies, and starts a new thread for the next call", async () => {
  const client = new SqliteWorkerClient(OPTIONS, undefined, CRASHING_WORKER);
  const results = await Promise.allSettled([
    client.call("matches.ids", []),
    client.call("bots.house", []),
  ]);
  for (const result of results)
    assert.equal(
      result.status === "rejected" && (result.reason as { code: unknown }).code,
      "unavailable",
    );
  await assert.rejects(client.call("matches.ids", []), { code: "unavailable" });
  await client.close();
  await assert.rejects(client.call("matches.ids", []), { code: "unavailable", message: /closed/ });
});

it("rejects values that can't be sent to a thread as `invalid`", async () => {
  const client = new SqliteWorkerClient(OPTIONS, undefined, CRASHING_WORKER);
  await assert.rejects(client.call("audit.add", [() => {}]), { code: "invalid" });
  await assert.rejects(client.close(), { code: "unavailable" });
});
