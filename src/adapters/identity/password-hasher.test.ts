import assert from "node:assert/strict";
import { it } from "node:test";

import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { statusAndCode, identityWorld, TEST_PASSWORD } from "#testing/fixtures/identity-world.ts";

import {
  formatPasswordHash,
  openFairQueue,
  openHasher,
  parsePasswordHash,
} from "./password-hasher.ts";

const CALLER = "192.0.2.1";

it("hashes with argon2id, 19 MiB and two passes, and parses the result", async () => {
  const phc = (await openHasher().hash(TEST_PASSWORD, CALLER)) ?? "";
  assert.match(phc, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  const parsed = parsePasswordHash(phc);
  assert.ok(parsed !== null);
  assert.equal(formatPasswordHash(parsed), phc);
  assert.notEqual(await openHasher().hash(TEST_PASSWORD, CALLER), phc);
});

it("accepts a hash from another implementation", async () => {
  // Test vector from the reference implementation (phc-winner-argon2, test.c).
  const knownHash =
    "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
  assert.equal(await openHasher().verify("password", knownHash, CALLER), true);
  assert.equal(await openHasher().verify("passwore", knownHash, CALLER), false);
});

it("accepts only the right password and rejects every password for an invalid hash", async () => {
  const hasher = openHasher();
  const phc = await hasher.hash(TEST_PASSWORD, CALLER);
  assert.equal(await hasher.verify(TEST_PASSWORD, phc, CALLER), true);
  assert.equal(await hasher.verify(`${TEST_PASSWORD} `, phc, CALLER), false);
  for (const broken of [null, "", TEST_PASSWORD, "$argon2i$v=19$m=1,t=1,p=1$c2FsdHNhbHQ$x"])
    assert.equal(await hasher.verify(TEST_PASSWORD, broken, CALLER), false);
});

/** The same password in composed, decomposed and full-width Unicode. */
const WAYS = [
  "\u00c5ngstr\u00f6m 1",
  "A\u030angstro\u0308m 1",
  "\u00c5\uff4e\uff47str\u00f6m\u3000\uff11",
];

it("accepts a password in any Unicode form, including against hashes of unnormalized text", async () => {
  const hasher = openHasher();
  for (const spelling of WAYS) {
    const phc = await hasher.hash(spelling, CALLER);
    for (const typed of WAYS) assert.equal(await hasher.verify(typed, phc, CALLER), true, typed);
    assert.equal(await hasher.verify("Angstrom 1", phc, CALLER), false);
  }
  // Hash of the decomposed form, which earlier releases stored.
  const work = "$argon2id$v=19$m=19456,t=2,p=1$c29tZSBzYWx0IDE2IGJ5dA";
  const earlier = `${work}$OHI+ufusG/3Ekmqu38N7KQIu5DmCeqFmXNObz43rqF4`;
  assert.deepEqual(await Promise.all(WAYS.map((typed) => hasher.verify(typed, earlier, CALLER))), [
    false,
    true,
    false,
  ]);
});

it("runs one hash at a time on fewer than eight cores and up to four on any machine", async () => {
  for (const [cores, maxConcurrent] of [
    [1, 1],
    [7, 1],
    [8, 2],
    [64, 4],
  ] as const) {
    const waiting: Promise<string | null>[] = [];
    const hasher = openHasher(cores);
    for (
      let createdHash = 0;
      createdHash < maxConcurrent + FIXED_LIMITS.passwords_waiting + 3;
      createdHash += 1
    )
      waiting.push(hasher.hash(TEST_PASSWORD, CALLER));
    const refusedHashes = (await Promise.all(waiting)).filter((hash) => hash === null);
    assert.equal(refusedHashes.length, 3, `${cores} cores`);
  }
});

it("the queue runs jobs in order and frees the slot of a failed job", async () => {
  const gate = openFairQueue(1, 2);
  const order: number[] = [];
  const run = (number: number) =>
    gate(CALLER, async () => {
      order.push(number);
      if (number === 1) throw new Error("failed");
      return number;
    });
  const runs = await Promise.allSettled([1, 2, 3, 4].map(run));
  assert.deepEqual(order, [1, 2, 3]);
  assert.deepEqual(
    runs.map((one) => (one.status === "fulfilled" ? one.value : "failed")),
    ["failed", 2, 3, null],
  );
});

it("callers take turns, and a caller that fills the queue loses jobs to new callers", async () => {
  const gate = openFairQueue(1, 4);
  const order: string[] = [];
  const run = (caller: string, name: string) => gate(caller, async () => order.push(name));
  const floodedRuns = ["f1", "f2", "f3", "f4", "f5", "f6"].map((name) => run("flooder", name));
  const otherRuns = [run("a", "a1"), run("a", "a2"), run("a", "a3"), run("b", "b1")];
  assert.deepEqual(await Promise.all(floodedRuns), [1, 2, null, null, null, null]);
  assert.deepEqual(await Promise.all(otherRuns), [3, 5, null, 4]);
  assert.deepEqual(order, ["f1", "f2", "a1", "b1", "a2"]);
});

it("a full queue returns a retry time", async () => {
  const hasher = { hash: async () => null, verify: async () => null };
  const { sendRequest: context } = await identityWorld({ hasher });
  const body = { email: "ada@example.org", password: TEST_PASSWORD };
  for (const path of ["/signup", "/token?grant_type=password"]) {
    const reply = await context("POST", path, { body });
    assert.deepEqual(statusAndCode(reply), [429, "over_request_rate_limit"]);
    assert.equal(reply.headers.get("Retry-After"), "1");
  }
});

it("requires 8 to 72 bytes in the normalized password", async () => {
  const { sendRequest: context } = await identityWorld();
  const choose = async (password: unknown) =>
    statusAndCode(
      await context("POST", "/signup", { body: { email: "ada@example.org", password } }),
    );
  assert.deepEqual(await choose("seven77"), [422, "weak_password"]);
  assert.deepEqual(await choose("é".repeat(37)), [400, "validation_failed"]);
  assert.deepEqual(await choose(undefined), [400, "validation_failed"]);
  assert.deepEqual(await choose(["a list of eight"]), [400, "validation_failed"]);
  const decomposed = "e\u0301".repeat(36);
  assert.ok(Buffer.byteLength(decomposed) > 72);
  assert.equal((await choose(decomposed))[0], 200);
  assert.deepEqual(await choose("\uff41".repeat(7)), [422, "weak_password"]);
  for (const blank of [" ".repeat(8), "\0".repeat(9), "\u3000\t\u200b".repeat(4)])
    assert.deepEqual(await choose(blank), [422, "weak_password"], JSON.stringify(blank));
  assert.deepEqual(await choose("\u337f".repeat(7)), [400, "validation_failed"]);
});

it("does as much work for an unknown user as for a known one", async () => {
  const real = openHasher();
  const verified: (string | null)[] = [];
  const verify = async (password: string, phc: string | null) => {
    verified.push(phc);
    return real.verify(password, phc, CALLER);
  };
  const { sendRequest: context } = await identityWorld({ hasher: { ...real, verify } });
  const body = { email: "nobody@example.org", password: TEST_PASSWORD };
  const reply = await context("POST", "/token?grant_type=password", { body });
  assert.deepEqual(statusAndCode(reply), [400, "invalid_credentials"]);
  assert.deepEqual(verified, [null]);
});
