import assert from "node:assert/strict";
import { it } from "node:test";

import { FIXED } from "#core/words/limits.ts";
import { codeIn, identityWorld, PASSWORD } from "#testing/fixtures/identity-world.ts";

import { makePhc, openGate, openHasher, parsePhc } from "./password.ts";

const CALLER = "192.0.2.1";

it("a hash is argon2id with 19 MiB and two passes, as a text that can be read again", async () => {
  const phc = (await openHasher().hash(PASSWORD, CALLER)) ?? "";
  assert.match(phc, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  const parsed = parsePhc(phc);
  assert.ok(parsed !== null);
  assert.equal(makePhc(parsed), phc);
  assert.notEqual(await openHasher().hash(PASSWORD, CALLER), phc);
});

it("a hash that another implementation made is understood", async () => {
  // The test vector of the reference implementation: phc-winner-argon2, test.c.
  const known =
    "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
  assert.equal(await openHasher().verify("password", known, CALLER), true);
  assert.equal(await openHasher().verify("passwore", known, CALLER), false);
});

it("only the right password fits, and none fits what is no hash", async () => {
  const hasher = openHasher();
  const phc = await hasher.hash(PASSWORD, CALLER);
  assert.equal(await hasher.verify(PASSWORD, phc, CALLER), true);
  assert.equal(await hasher.verify(`${PASSWORD} `, phc, CALLER), false);
  for (const broken of [null, "", PASSWORD, "$argon2i$v=19$m=1,t=1,p=1$c2FsdHNhbHQ$x"])
    assert.equal(await hasher.verify(PASSWORD, broken, CALLER), false);
});

/** The same word as three keyboards write it: composed, decomposed, and in wide letters. */
const WAYS = [
  "\u00c5ngstr\u00f6m 1",
  "A\u030angstro\u0308m 1",
  "\u00c5\uff4e\uff47str\u00f6m\u3000\uff11",
];

it("a password fits however its letters are written, also one kept as it came", async () => {
  const hasher = openHasher();
  for (const written of WAYS) {
    const phc = await hasher.hash(written, CALLER);
    for (const typed of WAYS) assert.equal(await hasher.verify(typed, phc, CALLER), true, typed);
    assert.equal(await hasher.verify("Angstrom 1", phc, CALLER), false);
  }
  // As earlier releases kept the decomposed one.
  const work = "$argon2id$v=19$m=19456,t=2,p=1$c29tZSBzYWx0IDE2IGJ5dA";
  const earlier = `${work}$OHI+ufusG/3Ekmqu38N7KQIu5DmCeqFmXNObz43rqF4`;
  assert.deepEqual(await Promise.all(WAYS.map((typed) => hasher.verify(typed, earlier, CALLER))), [
    false,
    true,
    false,
  ]);
});

it("below eight cores one hash is made at a time, and at most four on any machine", async () => {
  for (const [cores, most] of [
    [1, 1],
    [7, 1],
    [8, 2],
    [64, 4],
  ] as const) {
    const waiting: Promise<string | null>[] = [];
    const hasher = openHasher(cores);
    for (let made = 0; made < most + FIXED.passwords_waiting + 3; made += 1)
      waiting.push(hasher.hash(PASSWORD, CALLER));
    const refused = (await Promise.all(waiting)).filter((hash) => hash === null);
    assert.equal(refused.length, 3, `${cores} cores`);
  }
});

it("a gate runs jobs in order, and frees the place of one that fails", async () => {
  const gate = openGate(1, 2);
  const order: number[] = [];
  const run = (number: number) =>
    gate(CALLER, async () => {
      order.push(number);
      if (number === 1) throw new Error("failed");
      return number;
    });
  const all = await Promise.allSettled([1, 2, 3, 4].map(run));
  assert.deepEqual(order, [1, 2, 3]);
  assert.deepEqual(
    all.map((one) => (one.status === "fulfilled" ? one.value : "failed")),
    ["failed", 2, 3, null],
  );
});

it("callers take turns, and one that fills the queue makes room for others", async () => {
  const gate = openGate(1, 4);
  const order: string[] = [];
  const run = (caller: string, name: string) => gate(caller, async () => order.push(name));
  const flood = ["f1", "f2", "f3", "f4", "f5", "f6"].map((name) => run("flooder", name));
  const others = [run("a", "a1"), run("a", "a2"), run("a", "a3"), run("b", "b1")];
  assert.deepEqual(await Promise.all(flood), [1, 2, null, null, null, null]);
  assert.deepEqual(await Promise.all(others), [3, 5, null, 4]);
  assert.deepEqual(order, ["f1", "f2", "a1", "b1", "a2"]);
});

it("people who come while too many wait are told when to try again", async () => {
  const hasher = { hash: async () => null, verify: async () => null };
  const { ask } = await identityWorld({ hasher });
  const body = { email: "ada@example.org", password: PASSWORD };
  for (const path of ["/signup", "/token?grant_type=password"]) {
    const reply = await ask("POST", path, { body });
    assert.deepEqual(codeIn(reply), [429, "over_request_rate_limit"]);
    assert.equal(reply.headers.get("Retry-After"), "1");
  }
});

it("a password has 8 to 72 bytes in its normal form", async () => {
  const { ask } = await identityWorld();
  const choose = async (password: unknown) =>
    codeIn(await ask("POST", "/signup", { body: { email: "ada@example.org", password } }));
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

it("people who do not exist cost as much work as those who do", async () => {
  const real = openHasher();
  const verified: (string | null)[] = [];
  const verify = async (password: string, phc: string | null) => {
    verified.push(phc);
    return real.verify(password, phc, CALLER);
  };
  const { ask } = await identityWorld({ hasher: { ...real, verify } });
  const body = { email: "nobody@example.org", password: PASSWORD };
  const reply = await ask("POST", "/token?grant_type=password", { body });
  assert.deepEqual(codeIn(reply), [400, "invalid_credentials"]);
  assert.deepEqual(verified, [null]);
});
