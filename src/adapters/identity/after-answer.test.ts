import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import { wrapRepositories } from "#data/store/store.ts";
import { identityWorld, TEST_PASSWORD } from "#testing/fixtures/identity-world.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";

const ADA = "ada@example.org";

const REQUESTS: readonly [path: string, body: object][] = [
  ["/recover", { email: ADA }],
  ["/signup", { email: ADA, password: TEST_PASSWORD }],
  ["/resend", { email: ADA, type: "signup" }],
  ["/resend", { email: ADA, type: "email_change" }],
];

async function world(byte: number) {
  let calls = 0;
  const store = wrapRepositories(memoryStore(), (method) => async (...values) => {
    calls += 1;
    return method(...values);
  });
  const random = (bytes: number) => new Uint8Array(bytes).fill(byte);
  const made = await identityWorld({ store, random });
  return { ...made, calls: () => calls };
}

describe("work deferred until after the response", () => {
  for (const [path, body] of REQUESTS)
    for (const [byte, ms] of [
      [0x00, 500],
      [0xff, 1500],
    ] as const)
      it(`for ${path} ${JSON.stringify(body)} starts after ${ms} ms if every random byte is ${byte}`, async () => {
        const { sendRequest, clock, calls } = await world(byte);
        assert.equal((await sendRequest("POST", path, { body })).status, 200);
        const answered = calls();
        clock.advance(ms - 1);
        await turnOfTheLoop();
        assert.equal(calls(), answered);
        clock.advance(1);
        await turnOfTheLoop();
        assert.ok(calls() > answered);
      });

  it("runs immediately when the server stops and leaves no timer", async () => {
    const { sendRequest, clock, embedded, receivedEmails } = await world(0xff);
    await sendRequest("POST", "/signup", { body: { email: ADA, password: TEST_PASSWORD } });
    assert.deepEqual([receivedEmails.length, clock.armedTimers()], [0, 1]);
    await embedded.whenIdle();
    assert.deepEqual([receivedEmails.length, clock.armedTimers()], [1, 0]);
  });
});
