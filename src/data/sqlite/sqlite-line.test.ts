import assert from "node:assert/strict";
import { it } from "node:test";

import { SqliteLine } from "./sqlite-line.ts";

const DYING = new URL(
  "data:text/javascript,import { parentPort } from 'node:worker_threads';" +
    "parentPort.on('message', () => process.exit(1))",
);
const SETUP = { path: "unused", access: "read" } as const;

it("refuses the calls of a thread that died, and starts another for the next", async () => {
  const line = new SqliteLine(SETUP, undefined, DYING);
  const calls = await Promise.allSettled([
    line.call("matches.ids", []),
    line.call("bots.house", []),
  ]);
  for (const call of calls)
    assert.equal(
      call.status === "rejected" && (call.reason as { code: unknown }).code,
      "unavailable",
    );
  await assert.rejects(line.call("matches.ids", []), { code: "unavailable" });
  await line.close();
  await assert.rejects(line.call("matches.ids", []), { code: "unavailable", message: /closed/ });
});

it("refuses values that cannot be sent to a thread as invalid", async () => {
  const line = new SqliteLine(SETUP, undefined, DYING);
  await assert.rejects(line.call("audit.add", [() => {}]), { code: "invalid" });
  await assert.rejects(line.close(), { code: "unavailable" });
});
