import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import { around } from "#data/store/store.ts";
import { identityWorld, PASSWORD } from "#testing/fixtures/identity-world.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

const ADA = "ada@example.org";

/** Requests whose work depends on whether the address has an account. */
const REQUESTS: readonly [path: string, body: object][] = [
  ["/recover", { email: ADA }],
  ["/signup", { email: ADA, password: PASSWORD }],
  ["/resend", { email: ADA, type: "signup" }],
  ["/resend", { email: ADA, type: "email_change" }],
];

/** A world whose random bytes are all `byte`, which counts the calls of its store. */
async function world(byte: number) {
  let calls = 0;
  const store = around(memoryStore(), (method) => async (...values) => {
    calls += 1;
    return method(...values);
  });
  const random = (bytes: number) => new Uint8Array(bytes).fill(byte);
  const made = await identityWorld({ store, random });
  return { ...made, calls: () => calls };
}

describe("work that depends on whether an address has an account", () => {
  for (const [path, body] of REQUESTS)
    for (const [byte, ms] of [
      [0x00, 500],
      [0xff, 1500],
    ] as const)
      it(`of ${path} ${JSON.stringify(body)} waits ${ms} ms for random bytes of ${byte}`, async () => {
        const { ask, clock, calls } = await world(byte);
        assert.equal((await ask("POST", path, { body })).status, 200);
        const answered = calls();
        clock.pass(ms - 1);
        await turnOfTheLoop();
        assert.equal(calls(), answered);
        clock.pass(1);
        await turnOfTheLoop();
        assert.ok(calls() > answered);
      });

  it("is done at once when the server stops, and leaves no timer", async () => {
    const { ask, clock, embedded, mails } = await world(0xff);
    await ask("POST", "/signup", { body: { email: ADA, password: PASSWORD } });
    assert.deepEqual([mails.length, clock.armed()], [0, 1]);
    await embedded.settled();
    assert.deepEqual([mails.length, clock.armed()], [1, 0]);
  });
});
