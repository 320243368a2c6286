import assert from "node:assert/strict";
import { describe, it } from "node:test";

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

/** Facts from a link that the account page needs to set a password. */
const inviteIn = ({ hash }: URL) => new URLSearchParams(hash.slice(1)).get("token_hash") ?? "";

const tryPassword = (world: IdentityWorld, password = PASSWORD) =>
  world.ask("POST", "/token?grant_type=password", { body: { email: ADA, password } });

it("a link works once, and a browser without a challenge chooses a password", async () => {
  const world = await identityWorld();
  const link = await linkTo(world, `${IDENTITY_BASE}/account`);
  const back = await follow(world, link);
  assert.equal(back.origin + back.pathname + back.search, `${IDENTITY_BASE}/account`);
  assert.deepEqual(codeIn(await tryPassword(world)), [400, "invalid_credentials"]);
  const again = await follow(world, link);
  assert.equal(new URLSearchParams(again.hash.slice(1)).get("error_code"), "otp_expired");
  assert.equal(again.search, "");
  const invite = { type: "invite", token_hash: inviteIn(back) };
  const { status, body } = await world.ask("POST", "/verify", { body: invite });
  assert.deepEqual([status, (body as { needs_password?: boolean }).needs_password], [200, true]);
  assert.deepEqual(codeIn(await world.ask("POST", "/verify", { body: invite })), [
    403,
    "otp_expired",
  ]);
  const jwt = body.access_token;
  const chosen = { password: "chosen after the click" };
  assert.equal((await world.ask("PUT", "/user", { jwt, body: chosen })).status, 200);
  assert.equal((await tryPassword(world, chosen.password)).status, 200);
});

it("an invite tells its email address without being used up, until it expires", async () => {
  const world = await identityWorld();
  const back = await follow(world, await linkTo(world, null));
  const token_hash = inviteIn(back);
  const read = (hash: string) => world.ask("POST", "/invite", { body: { token_hash: hash } });
  for (let time = 0; time < 2; time += 1) assert.equal((await read(token_hash)).body.email, ADA);
  assert.deepEqual(codeIn(await read("x")), [403, "otp_expired"]);
  await world.member("bob@example.org");
  await world.ask("POST", "/recover", { body: { email: "bob@example.org" } });
  const { link } = await world.mailTo("bob@example.org");
  const token = new URL(buttonOf(link ?? "")).searchParams.get("token") ?? "";
  assert.deepEqual(codeIn(await read(token)), [403, "otp_expired"], "only invites are read");
  world.clock.pass(600_000);
  assert.deepEqual(codeIn(await read(token_hash)), [403, "otp_expired"]);
});

it("what a link brings to choose a password is good for ten minutes, and no link itself", async () => {
  const world = await identityWorld();
  const back = await follow(world, await linkTo(world, `${IDENTITY_BASE}/account`));
  const as = (type: string) => `/verify?${new URLSearchParams({ type, token: inviteIn(back) })}`;
  for (const type of ["invite", "signup", "recovery"])
    assert.match((await follow(world, IDENTITY_BASE + "/auth/v1" + as(type))).hash, /otp_expired/);
  world.clock.pass(600_000);
  const body = { type: "invite", token_hash: inviteIn(back) };
  assert.deepEqual(codeIn(await world.ask("POST", "/verify", { body })), [403, "otp_expired"]);
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
  assert.match(back.hash, /^#type=signup&token_hash=[\w-]{43}$/);
  const again = await follow(world, link);
  assert.equal(again.searchParams.get("error_code"), "otp_expired");
});

it("a link never leads to another program, whose page could not use what it brings", async () => {
  for (const wanted of ["http://127.0.0.1:9999/steal", "http://[::1]:9/"])
    for (const isLocal of [true, false]) {
      const world = await identityWorld({ settings: { isLocal } });
      const { challenge } = pkce();
      const proof = { code_challenge: challenge, code_challenge_method: "s256" };
      const back = await follow(world, await linkTo(world, wanted, proof));
      assert.equal(back.origin + back.pathname, `${IDENTITY_BASE}/account`);
      assert.equal(inviteIn(back).length, 43);
    }
});

it("a stranger's redirect_to cannot keep a link from letting the mailbox's owner in", async () => {
  const wanted = [
    "/account?error_code=otp_expired&error=access_denied",
    "/account?code=00000000-0000-4000-a000-000000000000",
    "/account#error_code=otp_expired",
    "/account#type=recovery&token_hash=x",
    "/create-bot",
    "/account/authorize?authorization_id=x",
    "/",
  ];
  for (const path of wanted) {
    const world = await identityWorld();
    await world.member(ADA);
    const query = new URLSearchParams({ redirect_to: IDENTITY_BASE + path });
    await world.ask("POST", `/recover?${query}`, { body: { email: ADA } });
    const { link } = await world.mailTo(ADA);
    const back = await follow(world, link);
    assert.equal(back.pathname + back.search, "/account", path);
    const invite = { type: "invite", token_hash: inviteIn(back) };
    assert.equal((await world.ask("POST", "/verify", { body: invite })).status, 200, path);
  }
});

it("a link of a public ladder leads only to its account page", async () => {
  const settings = {
    baseUrl: "https://ladder.example",
    isLocal: false,
    redirectOrigins: ["https://app.example"],
  };
  const fallback = "https://ladder.example/account";
  const table: [wanted: string, leads: string][] = [
    ["https://ladder.example/account?a=1", fallback],
    [
      "https://ladder.example/account?from=%2Fx&sb_flow_id=1&error=x",
      `${fallback}?from=%2Fx&sb_flow_id=1`,
    ],
    ["https://ladder.example/account/authorize?a=b", fallback],
    ["https://ladder.example/create-bot?from=x", fallback],
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
    else assert.equal(found.origin + found.pathname + found.search, leads, wanted);
    assert.equal(inviteIn(found).length, 43, wanted);
  }
});

it("no other name of a local ladder is a way around its pages", async () => {
  for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
    const world = await identityWorld();
    const link = await linkTo(world, `http://${host}:7777/auth/v1/oauth/authorize`);
    const { origin, pathname } = await follow(world, link);
    assert.equal(origin + pathname, `${IDENTITY_BASE}/account`);
  }
});

it("a mail does not carry an address that its link would not lead to, nor a long one", async () => {
  const page = (chars: number) => `${IDENTITY_BASE}/account?from=`.padEnd(chars, "x");
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
  assert.equal(inviteIn(await follow(world, link)).length, 43);
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
  assert.equal(inviteIn(await follow(world, link)).length, 43);
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

/** Asks for another address with a challenge; `finish` follows the link in that same browser. */
async function changing(world: IdentityWorld, jwt: string, email: string) {
  const { challenge, verifier } = pkce();
  const body = { email, code_challenge: challenge, code_challenge_method: "s256" };
  const asked = await world.ask("PUT", "/user", { jwt, body });
  assert.equal(asked.status, 200);
  const mail = await world.mailTo(email);
  const finish = async (code_verifier = verifier) => {
    const back = await follow(world, mail.link);
    const auth_code = back.searchParams.get("code") ?? "";
    return world.ask("POST", "/token?grant_type=pkce", { body: { auth_code, code_verifier } });
  };
  return { asked, mail, finish };
}

describe("a change of address", () => {
  const WANTED = "wanted@example.org";

  it("happens in the browser that asked, and nowhere else", async () => {
    const world = await identityWorld();
    const { access, id } = await world.member(ADA);
    const { mail, finish } = await changing(world, access, WANTED);
    const elsewhere = await follow(world, mail.link);
    assert.equal(elsewhere.hash, "#type=email_change");
    assert.deepEqual(codeIn(await finish(pkce().verifier)), [400, "bad_code_verifier"]);
    assert.equal((await world.deps.store.identity.userById(id))?.email, ADA);
    assert.equal((await finish()).status, 200);
    assert.equal((await world.deps.store.identity.userById(id))?.email, WANTED);
    assert.match((await follow(world, mail.link)).hash, /otp_expired/);
    assert.equal((await world.mailTo(ADA)).type, "email_changed");
  });

  it("without a challenge takes the code: its link does nothing", async () => {
    const world = await identityWorld();
    const { access } = await world.member(ADA);
    await world.ask("PUT", "/user", { jwt: access, body: { email: WANTED } });
    const { link, code } = await world.mailTo(WANTED);
    assert.match((await follow(world, link)).hash, /bad_code_verifier/);
    assert.equal(await world.deps.store.identity.userByEmail(WANTED), null);
    const body = { type: "email_change", email: ADA, token: code };
    assert.equal((await world.ask("POST", "/verify", { body })).status, 200);
    assert.notEqual(await world.deps.store.identity.userByEmail(WANTED), null);
  });

  it("is mailed again for the newest address, however many were asked for", async () => {
    const world = await identityWorld();
    const { access } = await world.member(ADA);
    for (const email of ["first@example.org", WANTED]) {
      await changing(world, access, email);
      world.clock.pass(61_000);
    }
    world.mails.splice(0);
    await world.ask("POST", "/resend", { body: { type: "email_change", email: ADA } });
    assert.equal((await world.mailTo(WANTED)).type, "email_change");
    assert.equal(world.mails.length, 1);
  });

  it("names the account in its email", async () => {
    const world = await identityWorld({ handleOf: async () => "ada" });
    const { access } = await world.member(ADA);
    const { mail } = await changing(world, access, WANTED);
    assert.equal((mail as { handle?: string }).handle, "ada");
  });

  it("to a taken or reserved address is answered alike, and its holder is told", async () => {
    const world = await identityWorld({ reserved: () => ["chief@example.org"] });
    const { access, id } = await world.member(ADA);
    await world.member("bob@example.org");
    const answers = [];
    for (const email of ["free@example.org", "bob@example.org", "chief@example.org"]) {
      const { asked, mail, finish } = await changing(world, access, email);
      answers.push([asked.status, Object.keys(asked.body).join()]);
      const isFree = email === "free@example.org";
      assert.deepEqual(
        [mail.type, mail.link === null],
        [isFree ? "email_change" : "email_in_use", !isFree],
      );
      if (isFree) assert.equal((await finish()).status, 200);
    }
    assert.equal(new Set(answers.map(String)).size, 1, answers.join("; "));
    assert.equal((await world.deps.store.identity.userById(id))?.email, "free@example.org");
  });

  it("never reaches an address that is reserved by the time its link is followed", async () => {
    const reserved: string[] = [];
    const world = await identityWorld({ reserved: () => reserved });
    const { access } = await world.member(ADA);
    const { finish } = await changing(world, access, WANTED);
    reserved.push(WANTED);
    assert.deepEqual(codeIn(await finish()), [422, "email_exists"]);
  });

  it("leaves an address that was taken meanwhile to its owner", async () => {
    const world = await identityWorld();
    const { access } = await world.member(ADA);
    const { finish } = await changing(world, access, WANTED);
    world.mails.splice(0);
    const other = await world.member(WANTED);
    assert.deepEqual(codeIn(await finish()), [422, "email_exists"]);
    assert.equal((await signIn(world, WANTED)).id, other.id);
  });
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
