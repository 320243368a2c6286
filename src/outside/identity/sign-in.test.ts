import assert from "node:assert/strict";
import { describe, it } from "node:test";

import {
  codeIn,
  follow,
  identityWorld,
  PASSWORD,
  pkce,
  signIn,
} from "#testing/fixtures/identity-world.ts";
import type { IdentityWorld } from "#testing/fixtures/identity-world.ts";

const ADA = "ada@example.org";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const tryPassword = async (
  { ask }: IdentityWorld,
  password: string,
  caller?: string,
  email = ADA,
) =>
  codeIn(
    await ask("POST", "/token?grant_type=password", {
      body: { email, password },
      ...(caller !== undefined && { caller }),
    }),
  );

const refresh = (world: IdentityWorld, refresh_token: unknown) =>
  world.ask("POST", "/token?grant_type=refresh_token", { body: { refresh_token } });

const isLive = async (world: IdentityWorld, jwt: string) =>
  (await world.ask("GET", "/user", { jwt })).status === 200;

/** Signs up with a challenge and follows the link: a code that only this browser can exchange. */
async function codeOfLink(world: IdentityWorld, challenge: string, email = ADA): Promise<string> {
  const proof = { code_challenge: challenge, code_challenge_method: "s256" };
  await world.ask("POST", "/signup", { body: { email, password: PASSWORD, ...proof } });
  const back = await follow(world, (await world.mailTo(email)).link);
  return back.searchParams.get("code") ?? "";
}

const exchange = (world: IdentityWorld, auth_code: string, code_verifier: string) =>
  world.ask("POST", "/token?grant_type=pkce", { body: { auth_code, code_verifier } });

describe("a password", () => {
  it("is of no use before the address is confirmed, which nobody learns by it", async () => {
    const world = await identityWorld();
    await world.ask("POST", "/signup", { body: { email: ADA, password: PASSWORD } });
    await world.mailTo(ADA);
    assert.deepEqual(await tryPassword(world, PASSWORD), [400, "invalid_credentials"]);
  });

  it("is no way to be known at an address before the account is its owner's", async () => {
    const hasher = {
      hash: async (password: string) => password,
      verify: async (password: string, phc: string | null) => password === phc,
    };
    const world = await identityWorld({ hasher });
    const strangers = Array.from({ length: 40 }, (_, number) => `198.51.100.${number}`);
    await world.ask("POST", "/signup", { body: { email: ADA, password: "a stranger's" } });
    await world.mailTo(ADA);
    for (const caller of strangers) await tryPassword(world, "a stranger's", caller);
    world.mails.splice(0);
    await world.member(ADA);
    let judged = 0;
    for (let round = 0; round < 10; round += 1)
      for (const caller of strangers)
        if ((await tryPassword(world, `guess ${round}`, caller))[0] === 400) judged += 1;
    // The 40 failed ticks from before count too.
    assert.equal(judged, 60);
    assert.equal((await tryPassword(world, PASSWORD))[0], 200, "the owner's own address is known");
  });

  it("that is changed forgets the addresses at which the one before was given", async () => {
    const hasher = {
      hash: async (password: string) => password,
      verify: async (password: string, phc: string | null) => password === phc,
    };
    const world = await identityWorld({ hasher });
    const { access: jwt } = await world.member(ADA);
    const thief = "198.51.100.1";
    assert.equal((await tryPassword(world, PASSWORD, thief))[0], 200);
    const body = { password: "another one", current_password: PASSWORD };
    assert.equal((await world.ask("PUT", "/user", { jwt, body })).status, 200);
    for (let number = 2; number <= 101; number += 1)
      await tryPassword(world, "wrong", `198.51.100.${number}`);
    assert.equal((await tryPassword(world, "wrong", thief))[0], 429);
  });

  it("can be guessed ten times from one address, and again every half minute", async () => {
    // Whether addresses are limited changes nothing about it.
    const world = await identityWorld({ settings: { limitsAddresses: false } });
    await world.member(ADA);
    for (let guess = 0; guess < 10; guess += 1)
      assert.deepEqual(await tryPassword(world, `guess ${guess}`), [400, "invalid_credentials"]);
    const refused = await world.ask("POST", "/token?grant_type=password", {
      body: { email: ADA, password: PASSWORD },
    });
    assert.deepEqual(codeIn(refused), [429, "over_request_rate_limit"]);
    assert.equal(refused.headers.get("Retry-After"), "30");
    assert.deepEqual(await tryPassword(world, "wrong", "192.0.2.2"), [400, "invalid_credentials"]);
    const other = await tryPassword(world, "wrong", undefined, "bob@example.org");
    assert.deepEqual(other, [400, "invalid_credentials"]);
    world.clock.pass(30_000);
    assert.deepEqual(await tryPassword(world, "one more"), [400, "invalid_credentials"]);
    assert.equal((await tryPassword(world, PASSWORD))[0], 429);
    world.clock.pass(30_000);
    assert.equal((await tryPassword(world, PASSWORD))[0], 200);
    for (let guess = 0; guess < 10; guess += 1)
      assert.deepEqual(await tryPassword(world, `guess ${guess}`), [400, "invalid_credentials"]);
  });

  it("is guessed slowly from many addresses, which locks nobody out who gave it before", async () => {
    const hasher = {
      hash: async () => "as it is",
      verify: async (password: string, phc: string | null) => phc !== null && password === PASSWORD,
    };
    const world = await identityWorld({ hasher });
    await world.member(ADA);
    const guess = (number: number) => tryPassword(world, `guess ${number}`, `198.51.100.${number}`);
    for (let number = 1; number <= 100; number += 1)
      assert.deepEqual(await guess(number), [400, "invalid_credentials"]);
    const refused = await world.ask("POST", "/token?grant_type=password", {
      body: { email: ADA, password: PASSWORD },
      caller: "198.51.100.101",
    });
    assert.deepEqual(codeIn(refused), [429, "over_request_rate_limit"]);
    assert.equal(refused.headers.get("Retry-After"), "10");
    const ada = await world.deps.store.identity.userByEmail(ADA);
    assert.deepEqual(world.bursts, [ada?.id], "the operator is told once");
    const other = await tryPassword(world, "wrong", "198.51.100.1", "bob@example.org");
    assert.deepEqual(other, [400, "invalid_credentials"]);
    for (const time of ["once", "again"])
      assert.equal((await tryPassword(world, PASSWORD))[0], 200, time);
    for (let mistake = 0; mistake < 10; mistake += 1)
      assert.deepEqual(await tryPassword(world, "mistyped"), [400, "invalid_credentials"]);
    assert.equal((await tryPassword(world, "mistyped"))[0], 429, "an address by itself");
    world.clock.pass(10_000);
    assert.deepEqual(await guess(102), [400, "invalid_credentials"]);
    assert.equal((await guess(103))[0], 429);
    assert.equal(world.bursts.length, 1);
    world.clock.pass(10_000);
    assert.equal((await tryPassword(world, PASSWORD, "198.51.100.104"))[0], 200);
  });

  it("that is not checked because the server is busy counts as no guess", async () => {
    let isBusy = false;
    const hasher = {
      hash: async () => "as it is",
      verify: async (password: string) => (isBusy ? null : password === PASSWORD),
    };
    const world = await identityWorld({ hasher });
    await world.member(ADA);
    isBusy = true;
    for (let time = 0; time < 15; time += 1)
      assert.deepEqual(await tryPassword(world, PASSWORD), [429, "over_request_rate_limit"]);
    isBusy = false;
    assert.equal((await tryPassword(world, PASSWORD))[0], 200);
  });

  it("cannot be guessed more often by asking at once", async () => {
    const world = await identityWorld();
    const guesses = Array.from({ length: 15 }, (_, guess) => tryPassword(world, `guess ${guess}`));
    const statuses = (await Promise.all(guesses)).map(([status]) => status);
    assert.equal(statuses.filter((status) => status === 429).length, 5);
  });
});

describe("a refresh token", () => {
  it("rotates; its parent returns the same child for ten seconds", async () => {
    const world = await identityWorld();
    const { refresh: first } = await world.member(ADA);
    const second = (await refresh(world, first)).body.refresh_token;
    assert.notEqual(second, first);
    world.clock.pass(9999);
    assert.equal((await refresh(world, first)).body.refresh_token, second);
  });

  it("whose response was lost can be exchanged again later, which ends the lost child", async () => {
    const world = await identityWorld();
    const { refresh: first } = await world.member(ADA);
    const lost = (await refresh(world, first)).body.refresh_token;
    world.clock.pass(HOUR);
    const lostToo = (await refresh(world, first)).body.refresh_token;
    assert.notEqual(lostToo, lost);
    world.clock.pass(HOUR);
    const next = (await refresh(world, first)).body.refresh_token;
    assert.equal((await refresh(world, next)).status, 200);
    assert.deepEqual(world.reused, []);
    world.clock.pass(10_000);
    assert.deepEqual(codeIn(await refresh(world, lost)), [400, "refresh_token_already_used"]);
  });

  it("whose child is lost doesn't exchange that child, right after or later", async () => {
    for (const wait of [0, 10_000]) {
      const world = await identityWorld();
      const { refresh: first } = await world.member(ADA);
      const lost = (await refresh(world, first)).body.refresh_token;
      world.clock.pass(HOUR);
      const { body } = await refresh(world, first);
      world.clock.pass(wait);
      assert.deepEqual(codeIn(await refresh(world, lost)), [400, "refresh_token_already_used"]);
      assert.equal(await isLive(world, body.access_token), false);
    }
  });

  it("older than the parent of the active one ends the session at any time", async () => {
    for (const wait of [0, 9999, 10_000, HOUR]) {
      const world = await identityWorld();
      const { refresh: first } = await world.member(ADA);
      const second = (await refresh(world, first)).body.refresh_token;
      const { body } = await refresh(world, second);
      world.clock.pass(wait);
      const stolen = await refresh(world, first);
      assert.deepEqual(codeIn(stolen), [400, "refresh_token_already_used"], `${wait} ms`);
      assert.equal(world.reused.length, 1);
      const ended = await refresh(world, body.refresh_token);
      assert.deepEqual(codeIn(ended), [400, "refresh_token_not_found"]);
      assert.equal(await isLive(world, body.access_token), false);
    }
  });

  it("used by many at once moves the session on once", async () => {
    const world = await identityWorld();
    const { refresh: first } = await world.member(ADA);
    const replies = await Promise.all(Array.from({ length: 8 }, () => refresh(world, first)));
    const next = new Set(replies.map(({ body }) => body.refresh_token));
    assert.equal(next.size, 1);
    assert.equal(next.has(first), false);
  });

  it("that we never made is unknown", async () => {
    const world = await identityWorld();
    for (const wrong of ["", "x", null, 7, "A".repeat(71)])
      assert.deepEqual(codeIn(await refresh(world, wrong)), [400, "refresh_token_not_found"]);
  });
});

describe("the code of a link", () => {
  it("gives one session, to the browser that asked, even if many ask at once", async () => {
    const world = await identityWorld();
    const { challenge, verifier } = pkce();
    const code = await codeOfLink(world, challenge);
    const wrong = await exchange(world, code, pkce().verifier);
    assert.deepEqual(codeIn(wrong), [400, "bad_code_verifier"]);
    assert.deepEqual(codeIn(await exchange(world, code, "")), [400, "bad_code_verifier"]);
    const all = await Promise.all(Array.from({ length: 6 }, () => exchange(world, code, verifier)));
    assert.equal(all.filter(({ status }) => status === 200).length, 1);
    assert.deepEqual(codeIn(await exchange(world, code, verifier)), [404, "flow_state_not_found"]);
  });

  it("is good for five minutes", async () => {
    const world = await identityWorld();
    const { challenge, verifier } = pkce();
    const code = await codeOfLink(world, challenge);
    world.clock.pass(5 * MINUTE);
    assert.deepEqual(codeIn(await exchange(world, code, verifier)), [422, "flow_state_expired"]);
  });
});

describe("T45 while the clock moves", () => {
  const shifts = [
    ["40 days on", 40 * DAY],
    ["an hour back", -HOUR],
  ] as const;

  for (const [name, ms] of shifts)
    it(`people stay signed in: ${name}`, async () => {
      const world = await identityWorld();
      const { refresh: token } = await world.member(ADA);
      move(world, ms);
      const { status, body } = await refresh(world, token);
      assert.equal(status, 200);
      assert.equal(await isLive(world, body.access_token), true);
      const { provider } = world.embedded;
      assert.equal((await provider.verify(body.access_token, "browser")).email, ADA);
      await signIn(world, ADA);
      move(world, -ms);
      assert.equal((await refresh(world, body.refresh_token)).status, 200);
    });

  it("a token made by a clock far ahead is not good for weeks", async () => {
    const world = await identityWorld();
    const before = await world.member(ADA);
    move(world, 40 * DAY);
    const { access } = await signIn(world, ADA);
    assert.equal(await isLive(world, access), true);
    move(world, -40 * DAY);
    assert.equal(await isLive(world, access), false);
    await assert.rejects(world.embedded.provider.verify(access, "browser"), {
      name: "InvalidSession",
    });
    assert.equal(await isLive(world, before.access), true);
  });

  it("links and codes of a clock that was wrong do not count", async () => {
    const world = await identityWorld();
    move(world, 40 * DAY);
    const { challenge, verifier } = pkce();
    const code = await codeOfLink(world, challenge);
    world.mails.splice(0);
    await world.ask("POST", "/recover", { body: { email: ADA } });
    const { link, code: digits } = await world.mailTo(ADA);
    move(world, -40 * DAY);
    assert.deepEqual(codeIn(await exchange(world, code, verifier)), [422, "flow_state_expired"]);
    const body = { type: "recovery", email: ADA, token: digits };
    assert.deepEqual(codeIn(await world.ask("POST", "/verify", { body })), [403, "otp_expired"]);
    assert.match((await follow(world, link)).hash, /otp_expired/);
  });

  it("a link still works after the clock was set back by an hour", async () => {
    const world = await identityWorld();
    await world.ask("POST", "/signup", { body: { email: ADA, password: PASSWORD } });
    const { link } = await world.mailTo(ADA);
    move(world, -HOUR);
    assert.match((await follow(world, link)).hash, /^#type=signup&token_hash=/);
  });

  it("a sweep 40 days later ends no session that was in use", async () => {
    const world = await identityWorld();
    const { refresh: token } = await world.member(ADA);
    move(world, 40 * DAY);
    await world.embedded.sweep();
    assert.equal((await refresh(world, token)).status, 200);
    move(world, 180 * DAY + 1);
    await world.embedded.sweep();
    assert.deepEqual(codeIn(await refresh(world, token)), [400, "refresh_token_not_found"]);
  });
});

function move({ clock }: IdentityWorld, ms: number): void {
  clock.setWall(new Date(clock.wall().getTime() + ms).toISOString());
}
