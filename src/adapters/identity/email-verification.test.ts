import assert from "node:assert/strict";
import { describe, it } from "node:test";

import {
  verifyLinkOf,
  statusAndCode,
  followVerifyLink,
  IDENTITY_BASE,
  identityWorld,
  TEST_PASSWORD,
  createPkce,
  signInMember,
} from "#testing/fixtures/identity-world.ts";
import type { IdentityWorld } from "#testing/fixtures/identity-world.ts";

const ADA = "ada@example.org";

async function linkTo(world: IdentityWorld, redirectTo: string | null, proof: object = {}) {
  const query = redirectTo === null ? "" : `?redirect_to=${encodeURIComponent(redirectTo)}`;
  const body = { email: ADA, password: TEST_PASSWORD, ...proof };
  await world.sendRequest("POST", `/signup${query}`, { body });
  const { link } = await world.waitForEmail(ADA);
  return verifyLinkOf(link ?? "");
}

const inviteIn = ({ hash }: URL) => new URLSearchParams(hash.slice(1)).get("token_hash") ?? "";

const tryPassword = (world: IdentityWorld, password = TEST_PASSWORD) =>
  world.sendRequest("POST", "/token?grant_type=password", { body: { email: ADA, password } });

it("a link works once, and a browser without a challenge can set a password", async () => {
  const world = await identityWorld();
  const link = await linkTo(world, `${IDENTITY_BASE}/account`);
  const back = await followVerifyLink(world, link);
  assert.equal(back.origin + back.pathname + back.search, `${IDENTITY_BASE}/account`);
  assert.deepEqual(statusAndCode(await tryPassword(world)), [400, "invalid_credentials"]);
  const secondVisit = await followVerifyLink(world, link);
  assert.equal(new URLSearchParams(secondVisit.hash.slice(1)).get("error_code"), "otp_expired");
  assert.equal(secondVisit.search, "");
  const invite = { type: "invite", token_hash: inviteIn(back) };
  const { status, body } = await world.sendRequest("POST", "/verify", { body: invite });
  assert.deepEqual([status, (body as { needs_password?: boolean }).needs_password], [200, true]);
  assert.deepEqual(statusAndCode(await world.sendRequest("POST", "/verify", { body: invite })), [
    403,
    "otp_expired",
  ]);
  const jwt = body.access_token;
  const passwordReply = { password: "chosen after the click" };
  assert.equal((await world.sendRequest("PUT", "/user", { jwt, body: passwordReply })).status, 200);
  assert.equal((await tryPassword(world, passwordReply.password)).status, 200);
});

it("reading an invite returns its email address and doesn't consume it", async () => {
  const world = await identityWorld();
  const back = await followVerifyLink(world, await linkTo(world, null));
  const token_hash = inviteIn(back);
  const read = (hash: string) =>
    world.sendRequest("POST", "/invite", { body: { token_hash: hash } });
  for (let time = 0; time < 2; time += 1) assert.equal((await read(token_hash)).body.email, ADA);
  assert.deepEqual(statusAndCode(await read("x")), [403, "otp_expired"]);
  await world.addMember("bob@example.org");
  await world.sendRequest("POST", "/recover", { body: { email: "bob@example.org" } });
  const { link } = await world.waitForEmail("bob@example.org");
  const token = new URL(verifyLinkOf(link ?? "")).searchParams.get("token") ?? "";
  assert.deepEqual(statusAndCode(await read(token)), [403, "otp_expired"], "only invites are read");
  world.clock.advance(600_000);
  assert.deepEqual(statusAndCode(await read(token_hash)), [403, "otp_expired"]);
});

it("an invite is valid for ten minutes and can't be followed as a link", async () => {
  const world = await identityWorld();
  const back = await followVerifyLink(world, await linkTo(world, `${IDENTITY_BASE}/account`));
  const as = (type: string) => `/verify?${new URLSearchParams({ type, token: inviteIn(back) })}`;
  for (const type of ["invite", "signup", "recovery"])
    assert.match(
      (await followVerifyLink(world, IDENTITY_BASE + "/auth/v1" + as(type))).hash,
      /otp_expired/,
    );
  world.clock.advance(600_000);
  const body = { type: "invite", token_hash: inviteIn(back) };
  assert.deepEqual(statusAndCode(await world.sendRequest("POST", "/verify", { body })), [
    403,
    "otp_expired",
  ]);
});

it("a browser with a challenge receives a code, and errors also appear in the query", async () => {
  const world = await identityWorld();
  const { challenge } = createPkce();
  const link = await linkTo(world, null, {
    code_challenge: challenge,
    code_challenge_method: "s256",
  });
  const back = await followVerifyLink(world, link);
  assert.match(back.searchParams.get("code") ?? "", /^[0-9a-f-]{36}$/);
  assert.match(back.hash, /^#type=signup&token_hash=[\w-]{43}$/);
  const secondVisit = await followVerifyLink(world, link);
  assert.equal(secondVisit.searchParams.get("error_code"), "otp_expired");
});

it("a link never redirects to another local app", async () => {
  for (const requestedTarget of ["http://127.0.0.1:9999/steal", "http://[::1]:9/"])
    for (const isLocal of [true, false]) {
      const world = await identityWorld({ settings: { isLocal } });
      const { challenge } = createPkce();
      const proof = { code_challenge: challenge, code_challenge_method: "s256" };
      const back = await followVerifyLink(world, await linkTo(world, requestedTarget, proof));
      assert.equal(back.origin + back.pathname, `${IDENTITY_BASE}/account`);
      assert.equal(inviteIn(back).length, 43);
    }
});

it("the mailbox owner can sign in with a link, no matter which redirect_to a stranger requested", async () => {
  const requestedTarget = [
    "/account?error_code=otp_expired&error=access_denied",
    "/account?code=00000000-0000-4000-a000-000000000000",
    "/account#error_code=otp_expired",
    "/account#type=recovery&token_hash=x",
    "/create-bot",
    "/account/authorize?authorization_id=x",
    "/",
  ];
  for (const path of requestedTarget) {
    const world = await identityWorld();
    await world.addMember(ADA);
    const query = new URLSearchParams({ redirect_to: IDENTITY_BASE + path });
    await world.sendRequest("POST", `/recover?${query}`, { body: { email: ADA } });
    const { link } = await world.waitForEmail(ADA);
    const back = await followVerifyLink(world, link);
    assert.equal(back.pathname + back.search, "/account", path);
    const invite = { type: "invite", token_hash: inviteIn(back) };
    assert.equal((await world.sendRequest("POST", "/verify", { body: invite })).status, 200, path);
  }
});

it("on a public ladder, a link redirects only to the account page", async () => {
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
    ["invalid URL", fallback],
  ];
  for (const [requestedTarget, redirects] of table) {
    const world = await identityWorld({ settings });
    const link = await linkTo(world, requestedTarget);
    const reply = await world.sendRequest("GET", link ?? "", { omitApiKey: true });
    const location = new URL(reply.headers.get("location") ?? "");
    if (requestedTarget.includes("\\")) assert.equal(location.origin, "https://ladder.example");
    else
      assert.equal(
        location.origin + location.pathname + location.search,
        redirects,
        requestedTarget,
      );
    assert.equal(inviteIn(location).length, 43, requestedTarget);
  }
});

it("other loopback host names don't bypass the allowed redirect targets", async () => {
  for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
    const world = await identityWorld();
    const link = await linkTo(world, `http://${host}:7777/auth/v1/oauth/authorize`);
    const { origin, pathname } = await followVerifyLink(world, link);
    assert.equal(origin + pathname, `${IDENTITY_BASE}/account`);
  }
});

it("an email omits a redirect target that is too long or not allowed", async () => {
  const page = (chars: number) => `${IDENTITY_BASE}/account?from=`.padEnd(chars, "x");
  const table: [wanted: string, carried: string | null][] = [
    [page(2048), page(2048)],
    [page(2049), null],
    [page(12_000), null],
    ["https://evil.example/", null],
    [`${IDENTITY_BASE}/mcp`, null],
  ];
  for (const [requestedTarget, carriedParams] of table) {
    const world = await identityWorld();
    const link = new URL((await linkTo(world, requestedTarget)) ?? "");
    assert.equal(link.searchParams.get("redirect_to"), carriedParams);
  }
});

it("a mail scanner's HEAD request doesn't consume a link", async () => {
  const world = await identityWorld();
  const link = await linkTo(world, null);
  const headReply = await world.sendRequest("HEAD", link ?? "", { omitApiKey: true });
  assert.equal(headReply.status, 405);
  assert.equal(inviteIn(await followVerifyLink(world, link)).length, 43);
});

it("a link expires after a day", async () => {
  const world = await identityWorld();
  const link = await linkTo(world, null);
  world.clock.advance(24 * 3600_000);
  assert.match((await followVerifyLink(world, link)).hash, /otp_expired/);
});

it("the code expires after ten minutes or five wrong attempts, but the link stays valid", async () => {
  const world = await identityWorld();
  const verify = async (token: string) =>
    statusAndCode(
      await world.sendRequest("POST", "/verify", { body: { type: "signup", email: ADA, token } }),
    );
  await linkTo(world, null);
  const first = (await world.waitForEmail(ADA)).code ?? "";
  world.clock.advance(600_000);
  assert.deepEqual(await verify(first), [403, "otp_expired"]);
  world.receivedEmails.splice(0);
  const link = await linkTo(world, null);
  const second = (await world.waitForEmail(ADA)).code ?? "";
  const wrongCode = second === "111111" ? "222222" : "111111";
  for (let guess = 0; guess < 5; guess += 1)
    assert.deepEqual(await verify(wrongCode), [403, "otp_expired"]);
  assert.deepEqual(await verify(second), [403, "otp_expired"]);
  assert.equal(inviteIn(await followVerifyLink(world, link)).length, 43);
});

it("the right code works once after four wrong codes", async () => {
  const world = await identityWorld();
  await linkTo(world, null);
  const { code } = await world.waitForEmail(ADA);
  const verify = (token: string | null) =>
    world.sendRequest("POST", "/verify", { body: { type: "email", email: ADA, token } });
  for (let guess = 0; guess < 4; guess += 1) await verify("no code");
  assert.equal((await verify(code)).status, 200);
  assert.deepEqual(statusAndCode(await verify(code)), [403, "otp_expired"]);
});

it("posting the token of a link bound to another browser creates no session", async () => {
  const world = await identityWorld();
  const { challenge } = createPkce();
  const link = await linkTo(world, null, {
    code_challenge: challenge,
    code_challenge_method: "s256",
  });
  const token_hash = new URL(link ?? "").searchParams.get("token");
  const reply = await world.sendRequest("POST", "/verify", {
    body: { type: "signup", token_hash },
  });
  assert.deepEqual(statusAndCode(reply), [403, "otp_expired"]);
  assert.match((await followVerifyLink(world, link)).search, /code=/);
});

it("rejects a token used for another purpose", async () => {
  const world = await identityWorld();
  await world.addMember(ADA);
  await world.sendRequest("POST", "/recover", { body: { email: ADA } });
  const { link: emailedToken, code } = await world.waitForEmail(ADA);
  const link = verifyLinkOf(emailedToken ?? "");
  const body = { type: "signup", email: ADA, token: code };
  assert.deepEqual(statusAndCode(await world.sendRequest("POST", "/verify", { body })), [
    403,
    "otp_expired",
  ]);
  const otherMember = (link ?? "").replace("type=recovery", "type=signup");
  assert.match((await followVerifyLink(world, otherMember)).hash, /otp_expired/);
});

/** Requests an email change with a challenge. `finish` follows the link in the same browser. */
async function requestEmailChange(world: IdentityWorld, jwt: string, email: string) {
  const { challenge, verifier } = createPkce();
  const body = { email, code_challenge: challenge, code_challenge_method: "s256" };
  const changeRequest = await world.sendRequest("PUT", "/user", { jwt, body });
  assert.equal(changeRequest.status, 200);
  const mail = await world.waitForEmail(email);
  const finish = async (code_verifier = verifier) => {
    const back = await followVerifyLink(world, mail.link);
    const auth_code = back.searchParams.get("code") ?? "";
    return world.sendRequest("POST", "/token?grant_type=pkce", {
      body: { auth_code, code_verifier },
    });
  };
  return { asked: changeRequest, mail, finish };
}

describe("an email change", () => {
  const WANTED = "wanted@example.org";

  it("takes effect only in the browser that requested it", async () => {
    const world = await identityWorld();
    const { access, id } = await world.addMember(ADA);
    const { mail, finish } = await requestEmailChange(world, access, WANTED);
    const elsewhere = await followVerifyLink(world, mail.link);
    assert.equal(elsewhere.hash, "#type=email_change");
    assert.deepEqual(statusAndCode(await finish(createPkce().verifier)), [
      400,
      "bad_code_verifier",
    ]);
    assert.equal((await world.deps.store.identity.userById(id))?.email, ADA);
    assert.equal((await finish()).status, 200);
    assert.equal((await world.deps.store.identity.userById(id))?.email, WANTED);
    assert.match((await followVerifyLink(world, mail.link)).hash, /otp_expired/);
    assert.equal((await world.waitForEmail(ADA)).type, "email_changed");
  });

  it("without a challenge requires the code, and its link has no effect", async () => {
    const world = await identityWorld();
    const { access } = await world.addMember(ADA);
    await world.sendRequest("PUT", "/user", { jwt: access, body: { email: WANTED } });
    const { link, code } = await world.waitForEmail(WANTED);
    assert.match((await followVerifyLink(world, link)).hash, /bad_code_verifier/);
    assert.equal(await world.deps.store.identity.userByEmail(WANTED), null);
    const body = { type: "email_change", email: ADA, token: code };
    assert.equal((await world.sendRequest("POST", "/verify", { body })).status, 200);
    assert.notEqual(await world.deps.store.identity.userByEmail(WANTED), null);
  });

  it("is resent only to the most recently requested address", async () => {
    const world = await identityWorld();
    const { access } = await world.addMember(ADA);
    for (const email of ["first@example.org", WANTED]) {
      await requestEmailChange(world, access, email);
      world.clock.advance(61_000);
    }
    world.receivedEmails.splice(0);
    await world.sendRequest("POST", "/resend", { body: { type: "email_change", email: ADA } });
    assert.equal((await world.waitForEmail(WANTED)).type, "email_change");
    assert.equal(world.receivedEmails.length, 1);
  });

  it("names the account in its email", async () => {
    const world = await identityWorld({ handleOf: async () => "ada" });
    const { access } = await world.addMember(ADA);
    const { mail } = await requestEmailChange(world, access, WANTED);
    assert.equal((mail as { handle?: string }).handle, "ada");
  });

  it("to a taken or reserved address returns the same response, and the address's owner is notified", async () => {
    const world = await identityWorld({ reserved: () => ["chief@example.org"] });
    const { access, id } = await world.addMember(ADA);
    await world.addMember("bob@example.org");
    const answers = [];
    for (const email of ["free@example.org", "bob@example.org", "chief@example.org"]) {
      const { asked: changeRequest, mail, finish } = await requestEmailChange(world, access, email);
      answers.push([changeRequest.status, Object.keys(changeRequest.body).join()]);
      const isAvailable = email === "free@example.org";
      assert.deepEqual(
        [mail.type, mail.link === null],
        [isAvailable ? "email_change" : "email_in_use", !isAvailable],
      );
      if (isAvailable) assert.equal((await finish()).status, 200);
    }
    assert.equal(new Set(answers.map(String)).size, 1, answers.join("; "));
    assert.equal((await world.deps.store.identity.userById(id))?.email, "free@example.org");
  });

  it("fails if the address is reserved by the time the link is followed", async () => {
    const reserved: string[] = [];
    const world = await identityWorld({ reserved: () => reserved });
    const { access } = await world.addMember(ADA);
    const { finish } = await requestEmailChange(world, access, WANTED);
    reserved.push(WANTED);
    assert.deepEqual(statusAndCode(await finish()), [422, "email_exists"]);
  });

  it("fails if another account took the address in the meantime", async () => {
    const world = await identityWorld();
    const { access } = await world.addMember(ADA);
    const { finish } = await requestEmailChange(world, access, WANTED);
    world.receivedEmails.splice(0);
    const otherMember = await world.addMember(WANTED);
    assert.deepEqual(statusAndCode(await finish()), [422, "email_exists"]);
    assert.equal((await signInMember(world, WANTED)).id, otherMember.id);
  });
});

it("rejects anything but a valid S256 challenge", async () => {
  const world = await identityWorld();
  for (const [code_challenge, code_challenge_method] of [
    [createPkce().challenge, "plain"],
    [createPkce().challenge, undefined],
    ["short", "s256"],
  ]) {
    const body = { email: ADA, password: TEST_PASSWORD, code_challenge, code_challenge_method };
    const reply = await world.sendRequest("POST", "/signup", { body });
    assert.deepEqual(statusAndCode(reply), [400, "validation_failed"]);
  }
});
