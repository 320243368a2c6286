import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from "jose";

import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { gotrueStub, STUB_KEY, STUB_PROJECT, STUB_SITE } from "#testing/fixtures/gotrue-stub.ts";
import {
  STUB_USER,
  postToStub,
  beginStubAuthorization,
  stubProvider,
  stubAccessToken,
} from "#testing/fixtures/stub-provider.ts";

import { openGotrue } from "./gotrue.ts";

const { provider_call_ms: CALL_MS, provider_failures: FAILURES } = FIXED_LIMITS;
const PAUSE_MS = FIXED_LIMITS.provider_pause_s * 1000;

const ROOT = `${STUB_PROJECT}/auth/v1`;
const UNAVAILABLE = { name: "AuthUnavailable" };
const INVALID = { name: "InvalidSession" };
const CACHE_MS = 600_000;

async function project() {
  const clock = fakeClock();
  const stub = await gotrueStub(clock.wall);
  stub.state.hookAudience = `${STUB_SITE}/mcp`;
  return { clock, stub, ...stubProvider(stub, clock) };
}

async function programToken({ stub, provider }: Awaited<ReturnType<typeof project>>, jwt: string) {
  const { id, clientId, verifier } = await beginStubAuthorization(stub);
  await provider.authorization(id, jwt);
  const decision = await provider.decide(id, "approve", jwt);
  const code = new URL(decision?.redirectUrl ?? "").searchParams.get("code");
  const exchange = { grant_type: "authorization_code", code, code_verifier: verifier };
  return (await postToStub(stub, "/oauth/token", { ...exchange, client_id: clientId }))
    .access_token;
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await turnOfTheLoop();
}

describe("a project", () => {
  it("is called only once, to fetch its keys, when several tokens are verified", async () => {
    const { stub, provider } = await project();
    const jwt = await stubAccessToken(stub);
    const allClaims = await Promise.all(
      Array.from({ length: 5 }, () => provider.verify(jwt, "browser")),
    );
    assert.equal(allClaims[0]?.issuer, ROOT);
    assert.equal(allClaims[0]?.email, STUB_USER.email);
    assert.deepEqual(stub.requests, ["GET /.well-known/jwks.json"]);
  });

  it("is asked for its keys again after ten minutes or when a token has an unknown key", async () => {
    const { stub, provider, clock } = await project();
    const oldToken = await stubAccessToken(stub);
    await provider.verify(oldToken, "browser");
    await stub.rotateKeys();
    const jwt = await stubAccessToken(stub);
    await assert.rejects(provider.verify(jwt, "browser"), INVALID);
    assert.deepEqual(stub.requests, []);
    clock.advance(30_000);
    assert.equal((await provider.verify(jwt, "browser")).email, STUB_USER.email);
    await provider.verify(oldToken, "browser");
    assert.equal(stub.requests.length, 1);
    clock.advance(CACHE_MS);
    await provider.verify(jwt, "browser");
    assert.equal(stub.requests.length, 2);
  });

  it("returns the user of a live session", async () => {
    const { stub, provider } = await project();
    const jwt = await stubAccessToken(stub);
    const { id, ...user } = (await provider.liveUser(jwt)) ?? assert.fail();
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(user, {
      email: STUB_USER.email,
      emailConfirmedAt: "2026-01-01T00:00:00Z",
      providers: ["email"],
      userName: "ada-the-first",
      createdAt: "2026-01-01T00:00:00Z",
      lastSignInAt: null,
    });
    const headers = { apikey: STUB_KEY, Authorization: `Bearer ${jwt}` };
    await stub.fetch(`${ROOT}/logout`, { method: "POST", headers });
    assert.equal(await provider.liveUser(jwt), null);
    await assert.rejects(provider.authorization("x", jwt), INVALID);
  });

  it("accepts the browser audience as a one-element list, as in GoTrue's first token", async () => {
    const { stub, provider } = await project();
    const first = await stubAccessToken(stub);
    assert.deepEqual(decodeJwt(first).aud, ["authenticated"]);
    assert.equal((await provider.verify(first, "browser")).email, STUB_USER.email);
    await assert.rejects(provider.verify(first, "mcp"), INVALID);
  });

  it("rejects a token with several audiences", async () => {
    const world = await project();
    const jwt = await stubAccessToken(world.stub);
    world.stub.state.hookAudience = [`${STUB_SITE}/mcp`, "authenticated"];
    const both = await programToken(world, jwt);
    for (const audienceKind of ["browser", "mcp"] as const)
      await assert.rejects(world.provider.verify(both, audienceKind), INVALID);
  });

  for (const action of ["approve", "deny"] as const)
    it(`returns null for an authorization that was already decided: ${action}`, async () => {
      const { stub, provider } = await project();
      const jwt = await stubAccessToken(stub);
      const { id } = await beginStubAuthorization(stub);
      assert.equal(await provider.decide(id, action, jwt), null);
      assert.notEqual(await provider.authorization(id, jwt), null);
      assert.notEqual(await provider.decide(id, action, jwt), null);
      assert.equal(await provider.decide(id, action, jwt), null);
      assert.equal(await provider.authorization(id, jwt), null);
      assert.equal(await provider.authorization("\ud800", jwt), null);
    });

  it("without the audience hook issues app tokens that are rejected everywhere", async () => {
    const world = await project();
    const { stub, provider, advice } = world;
    const jwt = await stubAccessToken(stub);
    const hookedToken = await programToken(world, jwt);
    assert.notEqual((await provider.verify(hookedToken, "mcp")).clientId, null);
    stub.state.hookAudience = null;
    const plainToken = await programToken(world, jwt);
    for (const audienceKind of ["browser", "mcp"] as const)
      await assert.rejects(provider.verify(plainToken, audienceKind), INVALID);
    assert.equal(advice.length, 1);
    assert.match(advice.join(), /access token hook/);
  });

  it("without published keys makes sign-in unavailable and notifies the operator", async () => {
    const { stub, provider, advice } = await project();
    stub.state.hidesKeys = true;
    const shared = await stubAccessToken(stub);
    for (let call = 0; call < 2; call += 1)
      await assert.rejects(provider.verify(shared, "browser"), UNAVAILABLE);
    assert.equal(advice.length, 1);
    assert.match(advice.join(), /asymmetric signing keys/);
    stub.state.hidesKeys = false;
    assert.equal(
      (await provider.verify(await stubAccessToken(stub), "browser")).email,
      STUB_USER.email,
    );
    await assert.rejects(provider.verify(shared, "browser"), INVALID);
  });
});

describe("T47 an unreachable project", () => {
  for (const behavior of ["down", "refused"] as const)
    it(`makes sign-in unavailable, and revoking a grant fails: ${behavior}`, async () => {
      const { stub, provider } = await project();
      const jwt = await stubAccessToken(stub);
      stub.state.availability = behavior;
      await assert.rejects(provider.verify(jwt, "browser"), UNAVAILABLE);
      await assert.rejects(provider.liveUser(jwt), UNAVAILABLE);
      assert.equal(await provider.revokeGrant("client", jwt), false);
    });

  it("times out after 800 ms, with and without cached keys", async () => {
    const { stub, provider, clock } = await project();
    const jwt = await stubAccessToken(stub);
    stub.state.availability = "slow";
    for (const call of [() => provider.verify(jwt, "browser"), () => provider.liveUser(jwt)]) {
      let isDone = false;
      const rejection = assert.rejects(call(), UNAVAILABLE).finally(() => (isDone = true));
      await settle();
      clock.advance(CALL_MS - 1);
      await settle();
      assert.equal(isDone, false);
      clock.advance(1);
      await rejection;
    }
    assert.equal(clock.armedTimers(), 0);
  });

  it("is not considered failed after an event loop stall", async () => {
    const { stub, provider, clock } = await project();
    const jwt = await stubAccessToken(stub);
    await provider.verify(jwt, "browser");
    stub.state.availability = "slow";
    let isDone = false;
    const rejection = assert
      .rejects(provider.liveUser(jwt), UNAVAILABLE)
      .finally(() => (isDone = true));
    await settle();
    clock.stall(CALL_MS + FIXED_LIMITS.stall_ms + 1);
    await settle();
    clock.advance(CALL_MS - 1);
    await settle();
    assert.equal(isDone, false);
    clock.advance(1);
    await rejection;
  });

  it("is not called for five seconds after three consecutive failures", async () => {
    const { stub, provider, clock } = await project();
    const jwt = await stubAccessToken(stub);
    await provider.verify(jwt, "browser");
    stub.state.availability = "down";
    stub.requests.splice(0);
    for (let call = 0; call < FAILURES + 4; call += 1)
      await assert.rejects(provider.liveUser(jwt), UNAVAILABLE);
    assert.equal(stub.requests.length, FAILURES);
    // Cached keys still verify tokens while the breaker is open.
    assert.equal((await provider.verify(jwt, "browser")).email, STUB_USER.email);
    clock.advance(PAUSE_MS - 1);
    await assert.rejects(provider.liveUser(jwt), UNAVAILABLE);
    assert.equal(stub.requests.length, FAILURES);
    clock.advance(1);
    await assert.rejects(provider.liveUser(jwt), UNAVAILABLE);
    await assert.rejects(provider.liveUser(jwt), UNAVAILABLE);
    assert.equal(stub.requests.length, FAILURES + 1);
    clock.advance(PAUSE_MS);
    stub.state.availability = "up";
    assert.equal((await provider.liveUser(jwt))?.email, STUB_USER.email);
    assert.equal((await provider.liveUser(jwt))?.email, STUB_USER.email);
  });

  it("is still called if it fails only occasionally", async () => {
    const { stub, provider } = await project();
    const jwt = await stubAccessToken(stub);
    for (let call = 0; call < 3 * FAILURES; call += 1) {
      stub.state.availability = call % FAILURES === 0 ? "up" : "down";
      await provider.liveUser(jwt).catch(() => null);
    }
    assert.equal(stub.requests.length, 3 * FAILURES);
  });

  it("is reported once when it fails and once when it recovers", async () => {
    const { stub, clock, provider, reached: reachEvents } = await project();
    const jwt = await stubAccessToken(stub);
    stub.state.availability = "down";
    for (let call = 0; call < 3; call += 1) await provider.liveUser(jwt).catch(() => null);
    assert.deepEqual(reachEvents, ["down"]);
    stub.state.availability = "up";
    clock.advance(PAUSE_MS);
    await provider.liveUser(jwt);
    await provider.liveUser(jwt);
    assert.deepEqual(reachEvents, ["down", "up"]);
  });

  it("still serves other users after one response is too large or isn't JSON", async () => {
    const { keys, sign } = await createSigner();
    const badAnswers = [" ".repeat(FIXED_LIMITS.provider_answer_bytes + 1), "<html>"];
    let answer = "";
    const provider = clientOf(keys, () => new Response(answer));
    for (answer of badAnswers)
      for (let call = 0; call < 2 * FAILURES; call += 1)
        await assert.rejects(provider.liveUser(await sign({})), UNAVAILABLE);
    answer = JSON.stringify({ id: "ada", email: STUB_USER.email });
    assert.equal((await provider.liveUser(await sign({})))?.email, STUB_USER.email);
  });

  it("needn't be reachable when the server starts", async () => {
    const { stub, provider } = await project();
    stub.state.availability = "refused";
    assert.equal(provider.issuer(), ROOT);
    assert.equal(provider.publicInfo().project_url, STUB_PROJECT);
    assert.deepEqual(stub.requests, []);
  });
});

it("treats 404 from a URL without a provider as unavailable, not as an ended session", async () => {
  const { stub, clock } = await project();
  const jwt = await stubAccessToken(stub);
  const provider = openGotrue({
    projectUrl: () => STUB_PROJECT,
    root: () => ROOT,
    resource: () => `${STUB_SITE}/mcp`,
    publishableKey: STUB_KEY,
    fetch: async () => new Response("{}", { status: 404 }),
    clock,
    logAdvice: () => {},
  });
  await assert.rejects(provider.liveUser(jwt), UNAVAILABLE);
});

describe("an invalid provider response", () => {
  const nonsense = ["", "<html>", "[]", '"text"', "{}", '{"keys":7}', '{"id":7,"email":{}}'];
  for (const text of nonsense)
    it(`makes every call reject as unavailable: ${text}`, async () => {
      const { stub, clock } = await project();
      const jwt = await stubAccessToken(stub);
      const provider = openGotrue({
        projectUrl: () => STUB_PROJECT,
        root: () => ROOT,
        resource: () => `${STUB_SITE}/mcp`,
        publishableKey: STUB_KEY,
        fetch: async () => new Response(text),
        clock,
        logAdvice: () => {},
      });
      await assert.rejects(provider.verify(jwt, "browser"), UNAVAILABLE);
      await assert.rejects(provider.liveUser(jwt), UNAVAILABLE);
      await assert.rejects(provider.decide("x", "approve", jwt), UNAVAILABLE);
      await assert.rejects(provider.authorization("x", jwt), UNAVAILABLE);
    });
});

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
    logAdvice: advise,
  });
}

async function createSigner() {
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

describe("claims in a provider token", () => {
  it("are accepted as browser token claims if there is no client_id", async () => {
    const { keys, sign } = await createSigner();
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
    it(`are rejected: ${JSON.stringify(claims)}`, async () => {
      const { keys, sign } = await createSigner();
      const provider = clientOf(keys, () => Response.json({}));
      for (const audienceKind of ["browser", "mcp"] as const)
        await assert.rejects(provider.verify(await sign(claims), audienceKind), INVALID);
    });

  it("contain the email address in canonical form", async () => {
    const { keys, sign } = await createSigner();
    const user = { id: "ada", email: "Ada@EXÄMPLE。org" };
    const provider = clientOf(keys, () => Response.json(user));
    const jwt = await sign({ email: user.email });
    assert.equal((await provider.verify(jwt, "browser")).email, "ada@xn--exmple-cua.org");
    assert.equal((await provider.liveUser(jwt))?.email, "ada@xn--exmple-cua.org");
  });
});

describe("a provider response", () => {
  it("with a user other than the token's is rejected and reported to the operator once", async () => {
    const { keys, sign } = await createSigner();
    const advice: string[] = [];
    const provider = clientOf(
      keys,
      () => Response.json({ id: "eve", email: "eve@example.org" }),
      (text) => advice.push(text),
    );
    const jwt = await sign({});
    for (let call = 0; call < 2; call += 1)
      await assert.rejects(provider.liveUser(jwt), UNAVAILABLE);
    assert.equal(advice.length, 1);
    assert.match(advice.join(), /a different user than the token's/);
  });

  it("is cut off at the size limit, and its connection is closed", async () => {
    const { keys, sign } = await createSigner();
    const { provider_answer_bytes: maxBytes } = FIXED_LIMITS;
    let [sentBytes, closed] = [0, 0];
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull: (controller) => {
          // A reader without a limit would stop here with valid JSON for the right user.
          if (sentBytes > 4 * maxBytes) return controller.close();
          controller.enqueue(Buffer.from(sentBytes === 0 ? '{"id":"ada"}' : " ".repeat(1024)));
          sentBytes += 1024;
        },
        cancel: () => void (closed += 1),
      });
    const provider = clientOf(keys, () => new Response(endless()));
    await assert.rejects(provider.liveUser(await sign({})), UNAVAILABLE);
    assert.equal(closed, 1);
    assert.ok(sentBytes <= maxBytes + 4096, `${sentBytes} bytes`);
  });
});
