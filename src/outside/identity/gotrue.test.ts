// The ladder before a project that is down, slow, has new keys, or answers nonsense.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from "jose";

import { FIXED } from "#core/words/limits.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { gotrueStub, STUB_KEY, STUB_PROJECT, STUB_SITE } from "#testing/fixtures/gotrue-stub.ts";
import { ADA, post, question, stubProvider, tokenOf } from "#testing/fixtures/stub-provider.ts";

import { openGotrue } from "./gotrue.ts";

const { provider_call_ms: CALL_MS, provider_failures: FAILURES } = FIXED;
const PAUSE_MS = FIXED.provider_pause_s * 1000;

const ROOT = `${STUB_PROJECT}/auth/v1`;
const UNAVAILABLE = { name: "AuthUnavailable" };
const INVALID = { name: "InvalidSession" };
const KEPT_MS = 600_000;

async function project() {
  const clock = fakeClock();
  const stub = await gotrueStub(clock.wall);
  stub.state.hookAudience = `${STUB_SITE}/mcp`;
  return { clock, stub, ...stubProvider(stub, clock) };
}

/** A token of a program that the person of `jwt` let in. */
async function programToken({ stub, provider }: Awaited<ReturnType<typeof project>>, jwt: string) {
  const { id, clientId, verifier } = await question(stub);
  await provider.authorization(id, jwt);
  const decided = await provider.decide(id, "approve", jwt);
  const code = new URL(decided?.redirectUrl ?? "").searchParams.get("code");
  const exchange = { grant_type: "authorization_code", code, code_verifier: verifier };
  return (await post(stub, "/oauth/token", { ...exchange, client_id: clientId })).access_token;
}

/** Waits for the calls under way to reach their fetch. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await turnOfTheLoop();
}

describe("a project", () => {
  it("is asked for its keys once, and for nothing else, to verify tokens", async () => {
    const { stub, provider } = await project();
    const jwt = await tokenOf(stub);
    const all = await Promise.all(Array.from({ length: 5 }, () => provider.verify(jwt, "browser")));
    assert.equal(all[0]?.issuer, ROOT);
    assert.equal(all[0]?.email, ADA.email);
    assert.deepEqual(stub.asked, ["GET /.well-known/jwks.json"]);
  });

  it("is asked again for keys after ten minutes, or for a key that is new", async () => {
    const { stub, provider, clock } = await project();
    const old = await tokenOf(stub);
    await provider.verify(old, "browser");
    await stub.rotate();
    const jwt = await tokenOf(stub);
    await assert.rejects(provider.verify(jwt, "browser"), INVALID);
    assert.deepEqual(stub.asked, []);
    clock.pass(30_000);
    assert.equal((await provider.verify(jwt, "browser")).email, ADA.email);
    await provider.verify(old, "browser");
    assert.equal(stub.asked.length, 1);
    clock.pass(KEPT_MS);
    await provider.verify(jwt, "browser");
    assert.equal(stub.asked.length, 2);
  });

  it("tells whether a session goes on, and who somebody is", async () => {
    const { stub, provider } = await project();
    const jwt = await tokenOf(stub);
    const { id, ...user } = (await provider.live(jwt)) ?? assert.fail();
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(user, {
      email: ADA.email,
      emailConfirmedAt: "2026-01-01T00:00:00Z",
      providers: ["email"],
      userName: "ada-the-first",
      createdAt: "2026-01-01T00:00:00Z",
      lastSignInAt: null,
    });
    const headers = { apikey: STUB_KEY, Authorization: `Bearer ${jwt}` };
    await stub.fetch(`${ROOT}/logout`, { method: "POST", headers });
    assert.equal(await provider.live(jwt), null);
    await assert.rejects(provider.authorization("x", jwt), INVALID);
  });

  it("may name the audience of browsers in a list of one, as GoTrue's first token does", async () => {
    const { stub, provider } = await project();
    const first = await tokenOf(stub);
    assert.deepEqual(decodeJwt(first).aud, ["authenticated"]);
    assert.equal((await provider.verify(first, "browser")).email, ADA.email);
    await assert.rejects(provider.verify(first, "mcp"), INVALID);
  });

  it("gives nobody a token that is for several at once", async () => {
    const world = await project();
    const jwt = await tokenOf(world.stub);
    world.stub.state.hookAudience = [`${STUB_SITE}/mcp`, "authenticated"];
    const both = await programToken(world, jwt);
    for (const want of ["browser", "mcp"] as const)
      await assert.rejects(world.provider.verify(both, want), INVALID);
  });

  for (const action of ["approve", "deny"] as const)
    it(`knows an authorization no more once it was decided: ${action}`, async () => {
      const { stub, provider } = await project();
      const jwt = await tokenOf(stub);
      const { id } = await question(stub);
      assert.equal(await provider.decide(id, action, jwt), null);
      assert.notEqual(await provider.authorization(id, jwt), null);
      assert.notEqual(await provider.decide(id, action, jwt), null);
      assert.equal(await provider.decide(id, action, jwt), null);
      assert.equal(await provider.authorization(id, jwt), null);
      assert.equal(await provider.authorization("\ud800", jwt), null);
    });

  it("without the hook gives programs tokens that nobody takes, not even for a browser's", async () => {
    const world = await project();
    const { stub, provider, advice } = world;
    const jwt = await tokenOf(stub);
    const hooked = await programToken(world, jwt);
    assert.notEqual((await provider.verify(hooked, "mcp")).clientId, null);
    stub.state.hookAudience = null;
    const bare = await programToken(world, jwt);
    for (const want of ["browser", "mcp"] as const)
      await assert.rejects(provider.verify(bare, want), INVALID);
    assert.equal(advice.length, 1);
    assert.match(advice.join(), /access token hook/);
  });

  it("that publishes no keys leaves people out for now, and the operator is told", async () => {
    const { stub, provider, advice } = await project();
    stub.state.publishesNoKeys = true;
    const shared = await tokenOf(stub);
    for (let call = 0; call < 2; call += 1)
      await assert.rejects(provider.verify(shared, "browser"), UNAVAILABLE);
    assert.equal(advice.length, 1);
    assert.match(advice.join(), /asymmetric signing keys/);
    stub.state.publishesNoKeys = false;
    assert.equal((await provider.verify(await tokenOf(stub), "browser")).email, ADA.email);
    await assert.rejects(provider.verify(shared, "browser"), INVALID);
  });
});

describe("T47 a project that is away", () => {
  for (const mood of ["down", "refused"] as const)
    it(`is unavailable, and the cleanup of a grant has failed: ${mood}`, async () => {
      const { stub, provider } = await project();
      const jwt = await tokenOf(stub);
      stub.state.mood = mood;
      await assert.rejects(provider.verify(jwt, "browser"), UNAVAILABLE);
      await assert.rejects(provider.live(jwt), UNAVAILABLE);
      assert.equal(await provider.revokeGrant("client", jwt), false);
    });

  it("is asked for no longer than 800 ms, with and without keys", async () => {
    const { stub, provider, clock } = await project();
    const jwt = await tokenOf(stub);
    stub.state.mood = "slow";
    for (const call of [() => provider.verify(jwt, "browser"), () => provider.live(jwt)]) {
      let isDone = false;
      const ended = assert.rejects(call(), UNAVAILABLE).finally(() => (isDone = true));
      await settle();
      clock.pass(CALL_MS - 1);
      await settle();
      assert.equal(isDone, false);
      clock.pass(1);
      await ended;
    }
    assert.equal(clock.armed(), 0);
  });

  it("is not to blame for a stall of this process", async () => {
    const { stub, provider, clock } = await project();
    const jwt = await tokenOf(stub);
    await provider.verify(jwt, "browser");
    stub.state.mood = "slow";
    let isDone = false;
    const ended = assert.rejects(provider.live(jwt), UNAVAILABLE).finally(() => (isDone = true));
    await settle();
    clock.stall(CALL_MS + FIXED.stall_ms + 1);
    await settle();
    clock.pass(CALL_MS - 1);
    await settle();
    assert.equal(isDone, false);
    clock.pass(1);
    await ended;
  });

  it("is left alone for five seconds after three failures in a row", async () => {
    const { stub, provider, clock } = await project();
    const jwt = await tokenOf(stub);
    await provider.verify(jwt, "browser");
    stub.state.mood = "down";
    stub.asked.splice(0);
    for (let call = 0; call < FAILURES + 4; call += 1)
      await assert.rejects(provider.live(jwt), UNAVAILABLE);
    assert.equal(stub.asked.length, FAILURES);
    // What is known goes on: tokens are verified by the keys that are there.
    assert.equal((await provider.verify(jwt, "browser")).email, ADA.email);
    clock.pass(PAUSE_MS - 1);
    await assert.rejects(provider.live(jwt), UNAVAILABLE);
    assert.equal(stub.asked.length, FAILURES);
    clock.pass(1);
    await assert.rejects(provider.live(jwt), UNAVAILABLE);
    await assert.rejects(provider.live(jwt), UNAVAILABLE);
    assert.equal(stub.asked.length, FAILURES + 1);
    clock.pass(PAUSE_MS);
    stub.state.mood = "up";
    assert.equal((await provider.live(jwt))?.email, ADA.email);
    assert.equal((await provider.live(jwt))?.email, ADA.email);
  });

  it("that fails now and then is not left alone", async () => {
    const { stub, provider } = await project();
    const jwt = await tokenOf(stub);
    for (let call = 0; call < 3 * FAILURES; call += 1) {
      stub.state.mood = call % FAILURES === 0 ? "up" : "down";
      await provider.live(jwt).catch(() => null);
    }
    assert.equal(stub.asked.length, 3 * FAILURES);
  });

  it("is reported once when it fails, and once when it answers again", async () => {
    const { stub, clock, provider, reached } = await project();
    const jwt = await tokenOf(stub);
    stub.state.mood = "down";
    for (let call = 0; call < 3; call += 1) await provider.live(jwt).catch(() => null);
    assert.deepEqual(reached, ["down"]);
    stub.state.mood = "up";
    clock.pass(PAUSE_MS);
    await provider.live(jwt);
    await provider.live(jwt);
    assert.deepEqual(reached, ["down", "up"]);
  });

  it("still serves others after answers to one person that are too large or no JSON", async () => {
    const { keys, sign } = await signer();
    const bad = [" ".repeat(FIXED.provider_answer_bytes + 1), "<html>"];
    let answer = "";
    const provider = clientOf(keys, () => new Response(answer));
    for (answer of bad)
      for (let call = 0; call < 2 * FAILURES; call += 1)
        await assert.rejects(provider.live(await sign({})), UNAVAILABLE);
    answer = JSON.stringify({ id: "ada", email: ADA.email });
    assert.equal((await provider.live(await sign({})))?.email, ADA.email);
  });

  it("does not have to be there when the ladder starts", async () => {
    const { stub, provider } = await project();
    stub.state.mood = "refused";
    assert.equal(provider.issuer(), ROOT);
    assert.equal(provider.publicInfo().project_url, STUB_PROJECT);
    assert.deepEqual(stub.asked, []);
  });
});

it("an address at which no provider is does not end anybody's session", async () => {
  const { stub, clock } = await project();
  const jwt = await tokenOf(stub);
  const provider = openGotrue({
    projectUrl: () => STUB_PROJECT,
    root: () => ROOT,
    resource: () => `${STUB_SITE}/mcp`,
    publishableKey: STUB_KEY,
    fetch: async () => new Response("{}", { status: 404 }),
    clock,
    advise: () => {},
  });
  await assert.rejects(provider.live(jwt), UNAVAILABLE);
});

describe("what is no answer of a provider", () => {
  const nonsense = ["", "<html>", "[]", '"text"', "{}", '{"keys":7}', '{"id":7,"email":{}}'];
  for (const text of nonsense)
    it(`does not pass for one: ${text}`, async () => {
      const { stub, clock } = await project();
      const jwt = await tokenOf(stub);
      const provider = openGotrue({
        projectUrl: () => STUB_PROJECT,
        root: () => ROOT,
        resource: () => `${STUB_SITE}/mcp`,
        publishableKey: STUB_KEY,
        fetch: async () => new Response(text),
        clock,
        advise: () => {},
      });
      await assert.rejects(provider.verify(jwt, "browser"), UNAVAILABLE);
      await assert.rejects(provider.live(jwt), UNAVAILABLE);
      await assert.rejects(provider.decide("x", "approve", jwt), UNAVAILABLE);
      await assert.rejects(provider.authorization("x", jwt), UNAVAILABLE);
    });
});

/** A client whose provider publishes these keys, and answers anything else as told. */
function clientOf(
  keys: object[],
  answer: () => Response,
  advise: (text: string) => void = () => {},
) {
  return openGotrue({
    projectUrl: () => STUB_PROJECT,
    root: () => ROOT,
    resource: () => `${STUB_SITE}/mcp`,
    publishableKey: STUB_KEY,
    fetch: async (url) => (url.endsWith("/jwks.json") ? Response.json({ keys }) : answer()),
    clock: fakeClock(),
    advise,
  });
}

/** Signs tokens with these claims on top of those of a browser's token. */
async function signer() {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const key = { ...(await exportJWK(publicKey)), kid: "one", alg: "ES256", use: "sig" };
  const now = Math.floor(fakeClock().wall().getTime() / 1000);
  const usual = { iss: ROOT, sub: "ada", aud: "authenticated", session_id: "one" };
  const sign = (claims: object) =>
    new SignJWT({ ...usual, iat: now, exp: now + 60, ...claims })
      .setProtectedHeader({ alg: "ES256", kid: "one" })
      .sign(privateKey);
  return { keys: [key], sign };
}

describe("claims of a provider's token", () => {
  it("are accepted as a browser's without a client_id", async () => {
    const { keys, sign } = await signer();
    const provider = clientOf(keys, () => Response.json({}));
    for (const claims of [{}, { client_id: null }])
      assert.equal((await provider.verify(await sign(claims), "browser")).subject, "ada");
  });

  const WRONG = [
    { sub: { id: "ada" } },
    { sub: 7 },
    { sub: "" },
    { client_id: 7 },
    { client_id: "" },
    { client_id: ["app"] },
    { client_id: { id: "app" } },
    { client_id: false },
  ];
  for (const claims of WRONG)
    it(`are refused: ${JSON.stringify(claims)}`, async () => {
      const { keys, sign } = await signer();
      const provider = clientOf(keys, () => Response.json({}));
      for (const want of ["browser", "mcp"] as const)
        await assert.rejects(provider.verify(await sign(claims), want), INVALID);
    });

  it("give the email in its canonical spelling", async () => {
    const { keys, sign } = await signer();
    const user = { id: "ada", email: "Ada@EXÄMPLE。org" };
    const provider = clientOf(keys, () => Response.json(user));
    const jwt = await sign({ email: user.email });
    assert.equal((await provider.verify(jwt, "browser")).email, "ada@xn--exmple-cua.org");
    assert.equal((await provider.live(jwt))?.email, "ada@xn--exmple-cua.org");
  });
});

describe("an answer of a provider", () => {
  it("about another user than the token's is refused, and the operator is told once", async () => {
    const { keys, sign } = await signer();
    const advice: string[] = [];
    const provider = clientOf(
      keys,
      () => Response.json({ id: "eve", email: "eve@example.org" }),
      (text) => advice.push(text),
    );
    const jwt = await sign({});
    for (let call = 0; call < 2; call += 1) await assert.rejects(provider.live(jwt), UNAVAILABLE);
    assert.equal(advice.length, 1);
    assert.match(advice.join(), /another user than the token's/);
  });

  it("without an end is cut off, and its connection closed", async () => {
    const { keys, sign } = await signer();
    const { provider_answer_bytes: most } = FIXED;
    let [sent, closed] = [0, 0];
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull: (controller) => {
          // An unbounded reader would stop here, and find JSON of the right user.
          if (sent > 4 * most) return controller.close();
          controller.enqueue(Buffer.from(sent === 0 ? '{"id":"ada"}' : " ".repeat(1024)));
          sent += 1024;
        },
        cancel: () => void (closed += 1),
      });
    const provider = clientOf(keys, () => new Response(endless()));
    await assert.rejects(provider.live(await sign({})), UNAVAILABLE);
    assert.equal(closed, 1);
    assert.ok(sent <= most + 4096, `${sent} bytes`);
  });
});
