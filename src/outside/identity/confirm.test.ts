import assert from "node:assert/strict";
import { it } from "node:test";

import {
  buttonOf,
  codeIn,
  follow,
  IDENTITY_BASE,
  identityWorld,
  PASSWORD,
  pkce,
  signIn,
} from "#testing/fixtures/identity-world.ts";
import type { IdentityWorld } from "#testing/fixtures/identity-world.ts";

const ADA = "ada@example.org";

async function linkTo(world: IdentityWorld, redirectTo: string | null, proof: object = {}) {
  const query = redirectTo === null ? "" : `?redirect_to=${encodeURIComponent(redirectTo)}`;
  const body = { email: ADA, password: PASSWORD, ...proof };
  await world.ask("POST", `/signup${query}`, { body });
  const { link } = await world.mailTo(ADA);
  return buttonOf(link ?? "");
}

it("a link works once, and a browser without a challenge is only confirmed", async () => {
  const world = await identityWorld();
  const link = await linkTo(world, `${IDENTITY_BASE}/account`);
  const back = await follow(world, link);
  assert.equal(back.href, `${IDENTITY_BASE}/account`);
  const again = await follow(world, link);
  assert.equal(new URLSearchParams(again.hash.slice(1)).get("error_code"), "otp_expired");
  assert.equal(again.search, "");
  await signIn(world, ADA);
});

it("a browser with a challenge gets a code, and its errors in the query too", async () => {
  const world = await identityWorld();
  const { challenge } = pkce();
  const link = await linkTo(world, null, {
    code_challenge: challenge,
    code_challenge_method: "s256",
  });
  const back = await follow(world, link);
  assert.match(back.searchParams.get("code") ?? "", /^[0-9a-f-]{36}$/);
  assert.equal(back.hash, "");
  const again = await follow(world, link);
  assert.equal(again.searchParams.get("error_code"), "otp_expired");
});

it("a link leads to other programs of this machine only where the ladder is local", async () => {
  for (const wanted of ["http://127.0.0.1:9999/steal", "http://[::1]:9/"])
    for (const isLocal of [true, false]) {
      const world = await identityWorld({ settings: { isLocal } });
      const { challenge } = pkce();
      const proof = { code_challenge: challenge, code_challenge_method: "s256" };
      const back = await follow(world, await linkTo(world, wanted, proof));
      assert.equal(back.origin, isLocal ? new URL(wanted).origin : IDENTITY_BASE);
    }
});

it("a link of a public ladder leads only to pages of ours that expect somebody", async () => {
  const settings = {
    baseUrl: "https://ladder.example",
    isLocal: false,
    redirectOrigins: ["https://app.example"],
  };
  const fallback = "https://ladder.example/";
  const table: [wanted: string, leads: string][] = [
    ["https://ladder.example/account?a=1", "https://ladder.example/account?a=1"],
    [
      "https://ladder.example/account/authorize?a=b",
      "https://ladder.example/account/authorize?a=b",
    ],
    ["https://ladder.example/create-bot?from=x", "https://ladder.example/create-bot?from=x"],
    ["https://app.example/account", "https://app.example/account"],
    ["https://ladder.example/auth/v1/oauth/authorize?client_id=x", fallback],
    ["https://ladder.example/account/../auth/v1/verify", fallback],
    ["https://ladder.example/account/", fallback],
    ["https://ladder.example//evil.example", fallback],
    ["https://app.example/x", fallback],
    ["http://127.0.0.1:3000/x", fallback],
    ["http://[::1]:3000/x", fallback],
    ["http://localhost:3000/x", fallback],
    ["https://evil.example/", fallback],
    ["https://ladder.example.evil.example/", fallback],
    ["https://ladder.example@evil.example/", fallback],
    ["https://user:word@ladder.example/", fallback],
    ["http://ladder.example/", fallback],
    ["https://ladder.example:444/", fallback],
    ["https://app.example.evil.example/", fallback],
    ["//evil.example/", fallback],
    ["/account", fallback],
    ["javascript:alert(1)", fallback],
    ["data:text/html,x", fallback],
    ["http://127.0.0.1.evil.example/", fallback],
    ["https://ladder.example\\@evil.example/", fallback],
    ["not an address", fallback],
  ];
  for (const [wanted, leads] of table) {
    const world = await identityWorld({ settings });
    const link = await linkTo(world, wanted);
    const reply = await world.ask("GET", link ?? "", { keyless: true });
    const found = new URL(reply.headers.get("location") ?? "");
    if (wanted.includes("\\")) assert.equal(found.origin, "https://ladder.example");
    else assert.equal(found.href, leads, wanted);
  }
});

it("no other name of a local ladder is a way around its pages", async () => {
  for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
    const world = await identityWorld();
    const link = await linkTo(world, `http://${host}:7777/auth/v1/oauth/authorize`);
    assert.equal((await follow(world, link)).href, `${IDENTITY_BASE}/`);
  }
});

it("a mail does not carry an address that its link would not lead to, nor a long one", async () => {
  const page = (chars: number) => `${IDENTITY_BASE}/account?x=`.padEnd(chars, "x");
  const table: [wanted: string, carried: string | null][] = [
    [page(2048), page(2048)],
    [page(2049), null],
    [page(12_000), null],
    ["https://evil.example/", null],
    [`${IDENTITY_BASE}/mcp`, null],
  ];
  for (const [wanted, carried] of table) {
    const world = await identityWorld();
    const link = new URL((await linkTo(world, wanted)) ?? "");
    assert.equal(link.searchParams.get("redirect_to"), carried);
  }
});

it("a program that looks at the mail with HEAD does not use the link up", async () => {
  const world = await identityWorld();
  const link = await linkTo(world, null);
  const looked = await world.ask("HEAD", link ?? "", { keyless: true });
  assert.equal(looked.status, 405);
  assert.equal((await follow(world, link)).hash, "");
});

it("a link is good for a day", async () => {
  const world = await identityWorld();
  const link = await linkTo(world, null);
  world.clock.pass(24 * 3600_000);
  assert.match((await follow(world, link)).hash, /otp_expired/);
});

it("six digits end after ten minutes, or after five wrong ones; the link goes on", async () => {
  const world = await identityWorld();
  const verify = async (token: string) =>
    codeIn(await world.ask("POST", "/verify", { body: { type: "signup", email: ADA, token } }));
  await linkTo(world, null);
  const first = (await world.mailTo(ADA)).code ?? "";
  world.clock.pass(600_000);
  assert.deepEqual(await verify(first), [403, "otp_expired"]);
  world.mails.splice(0);
  const link = await linkTo(world, null);
  const second = (await world.mailTo(ADA)).code ?? "";
  const wrong = second === "111111" ? "222222" : "111111";
  for (let guess = 0; guess < 5; guess += 1)
    assert.deepEqual(await verify(wrong), [403, "otp_expired"]);
  assert.deepEqual(await verify(second), [403, "otp_expired"]);
  assert.equal((await follow(world, link)).hash, "");
});

it("the sixth digit still opens after four wrong codes, once", async () => {
  const world = await identityWorld();
  await linkTo(world, null);
  const { code } = await world.mailTo(ADA);
  const verify = (token: string | null) =>
    world.ask("POST", "/verify", { body: { type: "email", email: ADA, token } });
  for (let guess = 0; guess < 4; guess += 1) await verify("no code");
  assert.equal((await verify(code)).status, 200);
  assert.deepEqual(codeIn(await verify(code)), [403, "otp_expired"]);
});

it("a link that is bound to a browser gives no session to whoever posts its token", async () => {
  const world = await identityWorld();
  const { challenge } = pkce();
  const link = await linkTo(world, null, {
    code_challenge: challenge,
    code_challenge_method: "s256",
  });
  const token_hash = new URL(link ?? "").searchParams.get("token");
  const reply = await world.ask("POST", "/verify", { body: { type: "signup", token_hash } });
  assert.deepEqual(codeIn(reply), [403, "otp_expired"]);
  assert.match((await follow(world, link)).search, /code=/);
});

it("a token opens only what it was made for", async () => {
  const world = await identityWorld();
  await world.member(ADA);
  await world.ask("POST", "/recover", { body: { email: ADA } });
  const { link: mailed, code } = await world.mailTo(ADA);
  const link = buttonOf(mailed ?? "");
  const body = { type: "signup", email: ADA, token: code };
  assert.deepEqual(codeIn(await world.ask("POST", "/verify", { body })), [403, "otp_expired"]);
  const other = (link ?? "").replace("type=recovery", "type=signup");
  assert.match((await follow(world, other)).hash, /otp_expired/);
});

it("an address that was taken meanwhile stays its owner's", async () => {
  const world = await identityWorld();
  const { access } = await world.member(ADA);
  const body = { email: "wanted@example.org" };
  assert.equal((await world.ask("PUT", "/user", { jwt: access, body })).status, 200);
  const { link } = await world.mailTo("wanted@example.org");
  const other = await world.member("wanted@example.org");
  assert.match((await follow(world, link)).hash, /email_exists/);
  const asked = await world.ask("PUT", "/user", { jwt: access, body });
  assert.deepEqual(codeIn(asked), [422, "email_exists"]);
  assert.equal((await signIn(world, "wanted@example.org")).id, other.id);
});

it("a challenge that protects nothing is refused", async () => {
  const world = await identityWorld();
  for (const [code_challenge, code_challenge_method] of [
    [pkce().challenge, "plain"],
    [pkce().challenge, undefined],
    ["short", "s256"],
  ]) {
    const body = { email: ADA, password: PASSWORD, code_challenge, code_challenge_method };
    const reply = await world.ask("POST", "/signup", { body });
    assert.deepEqual(codeIn(reply), [400, "validation_failed"]);
  }
});
