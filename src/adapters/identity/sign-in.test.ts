import assert from "node:assert/strict";
import { describe, it } from "node:test";

import {
  statusAndCode,
  followVerifyLink,
  identityWorld,
  TEST_PASSWORD,
  createPkce,
  signInMember,
} from "#testing/fixtures/identity-world.ts";
import type { IdentityWorld } from "#testing/fixtures/identity-world.ts";

const ADA = "ada@example.org";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const tryPassword = async (
  { sendRequest: context }: IdentityWorld,
  password: string,
  caller?: string,
  email = ADA,
) =>
  statusAndCode(
    await context("POST", "/token?grant_type=password", {
      body: { email, password },
      ...(caller !== undefined && { caller }),
    }),
  );

const refresh = (world: IdentityWorld, refresh_token: unknown) =>
  world.sendRequest("POST", "/token?grant_type=refresh_token", { body: { refresh_token } });

const isLive = async (world: IdentityWorld, jwt: string) =>
  (await world.sendRequest("GET", "/user", { jwt })).status === 200;

async function codeOfLink(world: IdentityWorld, challenge: string, email = ADA): Promise<string> {
  const proof = { code_challenge: challenge, code_challenge_method: "s256" };
  await world.sendRequest("POST", "/signup", {
    body: { email, password: TEST_PASSWORD, ...proof },
  });
  const redirectUrl = await followVerifyLink(world, (await world.waitForEmail(email)).link);
  return redirectUrl.searchParams.get("code") ?? "";
}

const exchange = (world: IdentityWorld, auth_code: string, code_verifier: string) =>
  world.sendRequest("POST", "/token?grant_type=pkce", { body: { auth_code, code_verifier } });

describe("a password", () => {
  it("doesn't work before the address is confirmed, and the error doesn't say why", async () => {
    const world = await identityWorld();
    await world.sendRequest("POST", "/signup", { body: { email: ADA, password: TEST_PASSWORD } });
    await world.waitForEmail(ADA);
    assert.deepEqual(await tryPassword(world, TEST_PASSWORD), [400, "invalid_credentials"]);
  });

  it("doesn't make a client address known before the account is confirmed", async () => {
    const hasher = {
      hash: async (password: string) => password,
      verify: async (password: string, phc: string | null) => password === phc,
    };
    const world = await identityWorld({ hasher });
    const strangers = Array.from({ length: 40 }, (_, number) => `198.51.100.${number}`);
    await world.sendRequest("POST", "/signup", { body: { email: ADA, password: "a stranger's" } });
    await world.waitForEmail(ADA);
    for (const caller of strangers) await tryPassword(world, "a stranger's", caller);
    world.receivedEmails.splice(0);
    await world.addMember(ADA);
    let verifiedPasswords = 0;
    for (let round = 0; round < 10; round += 1)
      for (const caller of strangers)
        if ((await tryPassword(world, `guess ${round}`, caller))[0] === 400) verifiedPasswords += 1;
    // The 40 failed attempts before confirmation count too.
    assert.equal(verifiedPasswords, 60);
    assert.equal(
      (await tryPassword(world, TEST_PASSWORD))[0],
      200,
      "the owner's own address is known",
    );
  });

  it("resets the known client addresses when it changes", async () => {
    const hasher = {
      hash: async (password: string) => password,
      verify: async (password: string, phc: string | null) => password === phc,
    };
    const world = await identityWorld({ hasher });
    const { access: jwt } = await world.addMember(ADA);
    const thief = "198.51.100.1";
    assert.equal((await tryPassword(world, TEST_PASSWORD, thief))[0], 200);
    const body = { password: "another one", current_password: TEST_PASSWORD };
    assert.equal((await world.sendRequest("PUT", "/user", { jwt, body })).status, 200);
    for (let number = 2; number <= 101; number += 1)
      await tryPassword(world, "wrong", `198.51.100.${number}`);
    assert.equal((await tryPassword(world, "wrong", thief))[0], 429);
  });

  it("can be tried ten times from one address, then once every 30 seconds", async () => {
    // Password attempts are limited even if address limits are off.
    const world = await identityWorld({ settings: { limitsAddresses: false } });
    await world.addMember(ADA);
    for (let guess = 0; guess < 10; guess += 1)
      assert.deepEqual(await tryPassword(world, `guess ${guess}`), [400, "invalid_credentials"]);
    const refusedReply = await world.sendRequest("POST", "/token?grant_type=password", {
      body: { email: ADA, password: TEST_PASSWORD },
    });
    assert.deepEqual(statusAndCode(refusedReply), [429, "over_request_rate_limit"]);
    assert.equal(refusedReply.headers.get("Retry-After"), "30");
    assert.deepEqual(await tryPassword(world, "wrong", "192.0.2.2"), [400, "invalid_credentials"]);
    const otherAccount = await tryPassword(world, "wrong", undefined, "bob@example.org");
    assert.deepEqual(otherAccount, [400, "invalid_credentials"]);
    world.clock.advance(30_000);
    assert.deepEqual(await tryPassword(world, "one more"), [400, "invalid_credentials"]);
    assert.equal((await tryPassword(world, TEST_PASSWORD))[0], 429);
    world.clock.advance(30_000);
    assert.equal((await tryPassword(world, TEST_PASSWORD))[0], 200);
    for (let guess = 0; guess < 10; guess += 1)
      assert.deepEqual(await tryPassword(world, `guess ${guess}`), [400, "invalid_credentials"]);
  });

  it("can only be guessed slowly from many addresses, without locking out known addresses", async () => {
    const hasher = {
      hash: async () => "as it is",
      verify: async (password: string, phc: string | null) =>
        phc !== null && password === TEST_PASSWORD,
    };
    const world = await identityWorld({ hasher });
    await world.addMember(ADA);
    const guess = (number: number) => tryPassword(world, `guess ${number}`, `198.51.100.${number}`);
    for (let number = 1; number <= 100; number += 1)
      assert.deepEqual(await guess(number), [400, "invalid_credentials"]);
    const refusedReply = await world.sendRequest("POST", "/token?grant_type=password", {
      body: { email: ADA, password: TEST_PASSWORD },
      caller: "198.51.100.101",
    });
    assert.deepEqual(statusAndCode(refusedReply), [429, "over_request_rate_limit"]);
    assert.equal(refusedReply.headers.get("Retry-After"), "10");
    const ada = await world.deps.store.identity.userByEmail(ADA);
    assert.deepEqual(world.attackedUserIds, [ada?.id], "the operator is told once");
    const otherAccount = await tryPassword(world, "wrong", "198.51.100.1", "bob@example.org");
    assert.deepEqual(otherAccount, [400, "invalid_credentials"]);
    for (const time of ["once", "again"])
      assert.equal((await tryPassword(world, TEST_PASSWORD))[0], 200, time);
    for (let mistake = 0; mistake < 10; mistake += 1)
      assert.deepEqual(await tryPassword(world, "mistyped"), [400, "invalid_credentials"]);
    assert.equal((await tryPassword(world, "mistyped"))[0], 429, "an address by itself");
    world.clock.advance(10_000);
    assert.deepEqual(await guess(102), [400, "invalid_credentials"]);
    assert.equal((await guess(103))[0], 429);
    assert.equal(world.attackedUserIds.length, 1);
    world.clock.advance(10_000);
    assert.equal((await tryPassword(world, TEST_PASSWORD, "198.51.100.104"))[0], 200);
  });

  it("isn't counted as an attempt if the server was too busy to check it", async () => {
    let isBusy = false;
    const hasher = {
      hash: async () => "as it is",
      verify: async (password: string) => (isBusy ? null : password === TEST_PASSWORD),
    };
    const world = await identityWorld({ hasher });
    await world.addMember(ADA);
    isBusy = true;
    for (let time = 0; time < 15; time += 1)
      assert.deepEqual(await tryPassword(world, TEST_PASSWORD), [429, "over_request_rate_limit"]);
    isBusy = false;
    assert.equal((await tryPassword(world, TEST_PASSWORD))[0], 200);
  });

  it("can't be guessed faster with concurrent requests", async () => {
    const world = await identityWorld();
    const guesses = Array.from({ length: 15 }, (_, guess) => tryPassword(world, `guess ${guess}`));
    const statuses = (await Promise.all(guesses)).map(([status]) => status);
    assert.equal(statuses.filter((status) => status === 429).length, 5);
  });
});

describe("a refresh token", () => {
  it("rotates, and its parent returns the same child for ten seconds", async () => {
    const world = await identityWorld();
    const { refresh: first } = await world.addMember(ADA);
    const second = (await refresh(world, first)).body.refresh_token;
    assert.notEqual(second, first);
    world.clock.advance(9999);
    assert.equal((await refresh(world, first)).body.refresh_token, second);
  });

  it("can be exchanged again later if the response was lost, which invalidates the first child", async () => {
    const world = await identityWorld();
    const { refresh: first } = await world.addMember(ADA);
    const lostResponse = (await refresh(world, first)).body.refresh_token;
    world.clock.advance(HOUR);
    const lostToo = (await refresh(world, first)).body.refresh_token;
    assert.notEqual(lostToo, lostResponse);
    world.clock.advance(HOUR);
    const next = (await refresh(world, first)).body.refresh_token;
    assert.equal((await refresh(world, next)).status, 200);
    assert.deepEqual(world.reusedSessions, []);
    world.clock.advance(10_000);
    assert.deepEqual(statusAndCode(await refresh(world, lostResponse)), [
      400,
      "refresh_token_already_used",
    ]);
  });

  it("can't be exchanged after its parent got a new child", async () => {
    for (const wait of [0, 10_000]) {
      const world = await identityWorld();
      const { refresh: first } = await world.addMember(ADA);
      const lostResponse = (await refresh(world, first)).body.refresh_token;
      world.clock.advance(HOUR);
      const { body } = await refresh(world, first);
      world.clock.advance(wait);
      assert.deepEqual(statusAndCode(await refresh(world, lostResponse)), [
        400,
        "refresh_token_already_used",
      ]);
      assert.equal(await isLive(world, body.access_token), false);
    }
  });

  it("ends the session at any time if it is older than the active token's parent", async () => {
    for (const wait of [0, 9999, 10_000, HOUR]) {
      const world = await identityWorld();
      const { refresh: first } = await world.addMember(ADA);
      const second = (await refresh(world, first)).body.refresh_token;
      const { body } = await refresh(world, second);
      world.clock.advance(wait);
      const stolenReply = await refresh(world, first);
      assert.deepEqual(
        statusAndCode(stolenReply),
        [400, "refresh_token_already_used"],
        `${wait} ms`,
      );
      assert.equal(world.reusedSessions.length, 1);
      const endedReply = await refresh(world, body.refresh_token);
      assert.deepEqual(statusAndCode(endedReply), [400, "refresh_token_not_found"]);
      assert.equal(await isLive(world, body.access_token), false);
    }
  });

  it("rotates the session once for concurrent requests", async () => {
    const world = await identityWorld();
    const { refresh: first } = await world.addMember(ADA);
    const replies = await Promise.all(Array.from({ length: 8 }, () => refresh(world, first)));
    const next = new Set(replies.map(({ body }) => body.refresh_token));
    assert.equal(next.size, 1);
    assert.equal(next.has(first), false);
  });

  it("is rejected if it was never issued", async () => {
    const world = await identityWorld();
    for (const wrong of ["", "x", null, 7, "A".repeat(71)])
      assert.deepEqual(statusAndCode(await refresh(world, wrong)), [
        400,
        "refresh_token_not_found",
      ]);
  });
});

describe("the code from a link", () => {
  it("gives the requesting browser one session, even for concurrent requests", async () => {
    const world = await identityWorld();
    const { challenge, verifier } = createPkce();
    const code = await codeOfLink(world, challenge);
    const wrong = await exchange(world, code, createPkce().verifier);
    assert.deepEqual(statusAndCode(wrong), [400, "bad_code_verifier"]);
    assert.deepEqual(statusAndCode(await exchange(world, code, "")), [400, "bad_code_verifier"]);
    const all = await Promise.all(Array.from({ length: 6 }, () => exchange(world, code, verifier)));
    assert.equal(all.filter(({ status }) => status === 200).length, 1);
    assert.deepEqual(statusAndCode(await exchange(world, code, verifier)), [
      404,
      "flow_state_not_found",
    ]);
  });

  it("expires after five minutes", async () => {
    const world = await identityWorld();
    const { challenge, verifier } = createPkce();
    const code = await codeOfLink(world, challenge);
    world.clock.advance(5 * MINUTE);
    assert.deepEqual(statusAndCode(await exchange(world, code, verifier)), [
      422,
      "flow_state_expired",
    ]);
  });
});

describe("T45 while the clock changes", () => {
  const shifts = [
    ["40 days on", 40 * DAY],
    ["an hour back", -HOUR],
  ] as const;

  for (const [name, ms] of shifts)
    it(`users stay signed in: ${name}`, async () => {
      const world = await identityWorld();
      const { refresh: token } = await world.addMember(ADA);
      move(world, ms);
      const { status, body } = await refresh(world, token);
      assert.equal(status, 200);
      assert.equal(await isLive(world, body.access_token), true);
      const { provider } = world.embedded;
      assert.equal((await provider.verify(body.access_token, "browser")).email, ADA);
      await signInMember(world, ADA);
      move(world, -ms);
      assert.equal((await refresh(world, body.refresh_token)).status, 200);
    });

  it("a token issued by a fast clock doesn't stay valid for weeks", async () => {
    const world = await identityWorld();
    const before = await world.addMember(ADA);
    move(world, 40 * DAY);
    const { access } = await signInMember(world, ADA);
    assert.equal(await isLive(world, access), true);
    move(world, -40 * DAY);
    assert.equal(await isLive(world, access), false);
    await assert.rejects(world.embedded.provider.verify(access, "browser"), {
      name: "InvalidSession",
    });
    assert.equal(await isLive(world, before.access), true);
  });

  it("links and codes issued by a wrong clock are invalid", async () => {
    const world = await identityWorld();
    move(world, 40 * DAY);
    const { challenge, verifier } = createPkce();
    const code = await codeOfLink(world, challenge);
    world.receivedEmails.splice(0);
    await world.sendRequest("POST", "/recover", { body: { email: ADA } });
    const { link, code: digits } = await world.waitForEmail(ADA);
    move(world, -40 * DAY);
    assert.deepEqual(statusAndCode(await exchange(world, code, verifier)), [
      422,
      "flow_state_expired",
    ]);
    const body = { type: "recovery", email: ADA, token: digits };
    assert.deepEqual(statusAndCode(await world.sendRequest("POST", "/verify", { body })), [
      403,
      "otp_expired",
    ]);
    assert.match((await followVerifyLink(world, link)).hash, /otp_expired/);
  });

  it("a link still works after the clock is set back by an hour", async () => {
    const world = await identityWorld();
    await world.sendRequest("POST", "/signup", { body: { email: ADA, password: TEST_PASSWORD } });
    const { link } = await world.waitForEmail(ADA);
    move(world, -HOUR);
    assert.match((await followVerifyLink(world, link)).hash, /^#type=signup&token_hash=/);
  });

  it("a sweep 40 days later ends no active session", async () => {
    const world = await identityWorld();
    const { refresh: token } = await world.addMember(ADA);
    move(world, 40 * DAY);
    await world.embedded.sweep();
    assert.equal((await refresh(world, token)).status, 200);
    move(world, 180 * DAY + 1);
    await world.embedded.sweep();
    assert.deepEqual(statusAndCode(await refresh(world, token)), [400, "refresh_token_not_found"]);
  });
});

function move({ clock }: IdentityWorld, ms: number): void {
  clock.setWall(new Date(clock.wall().getTime() + ms).toISOString());
}
