import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { around } from "#data/store/store.ts";
import {
  buttonOf,
  codeIn,
  follow,
  identityWorld,
  PASSWORD,
  pkce,
  signIn,
} from "#testing/fixtures/identity-world.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

const ADA = "ada@example.org";
const signUpBody = (email: string, more: object = {}) => ({ email, password: PASSWORD, ...more });

/** A body without what is random or of the moment. */
function shapeOf(body: object): string {
  const known = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
  return JSON.stringify(body)
    .replaceAll(known, "an id")
    .replaceAll(/"[^"]*@[^"]*"/g, '"address"');
}

describe("what is answered tells nobody which addresses are known:", () => {
  it("signing up", async () => {
    const world = await identityWorld();
    await world.ask("POST", "/signup", { body: signUpBody("waiting@example.org") });
    const { email: known } = await world.member(ADA);
    const replies = await Promise.all(
      [known, "waiting@example.org", "new@example.org"].map((email) =>
        world.ask("POST", "/signup", { body: signUpBody(email) }),
      ),
    );
    const shapes = replies.map(({ status, body }) => `${status} ${shapeOf(body)}`);
    assert.equal(new Set(shapes).size, 1, shapes.join("\n"));
    assert.deepEqual(
      world.mails.map(({ to }) => to),
      ["waiting@example.org", "new@example.org"],
    );
  });

  it("recovering and asking again", async () => {
    const world = await identityWorld();
    await world.member(ADA);
    for (const [path, body] of [
      ["/recover", {}],
      ["/resend", { type: "signup" }],
      ["/resend", { type: "email_change" }],
    ] as const)
      for (const email of [ADA, "nobody@example.org"]) {
        const reply = await world.ask("POST", path, { body: { email, ...body } });
        assert.deepEqual([reply.status, reply.body], [200, {}]);
      }
    assert.equal((await world.mailTo(ADA)).type, "recovery");
    assert.deepEqual(
      world.mails.map(({ to, type }) => [to, type]),
      [[ADA, "recovery"]],
    );
  });

  it("the limit of mails to one mailbox", async () => {
    const world = await identityWorld({ settings: { limitsAddresses: true } });
    await world.member(ADA);
    world.clock.pass(60_000);
    for (const email of [ADA, "new@example.org"]) {
      const codes = [];
      for (let time = 0; time < 2; time += 1)
        codes.push((await world.ask("POST", "/signup", { body: signUpBody(email) })).status);
      assert.deepEqual(codes, [200, 429], email);
    }
  });
});

it("mails to one mailbox are a minute apart for each purpose, where addresses are limited", async () => {
  for (const limitsAddresses of [true, false]) {
    const world = await identityWorld({ settings: { limitsAddresses } });
    const ask = async (path: string) =>
      codeIn(await world.ask("POST", path, { body: { email: ADA } }));
    assert.deepEqual((await ask("/recover"))[0], 200);
    const again = limitsAddresses ? [429, "over_email_send_rate_limit"] : [200, undefined];
    assert.deepEqual(await ask("/recover"), again);
    assert.equal((await world.ask("POST", "/signup", { body: signUpBody(ADA) })).status, 200);
    world.clock.pass(60_000);
    assert.deepEqual((await ask("/recover"))[0], 200);
  }
});

it("a link confirms the password of the sign-up that it came from, not of one before", async () => {
  const world = await identityWorld();
  const early = { email: ADA, password: "chosen by a stranger" };
  await world.ask("POST", "/signup", { body: early });
  const { link: first } = await world.mailTo(ADA);
  await world.ask("POST", "/signup", { body: signUpBody(ADA) });
  const { link: second } = await world.mailTo(ADA);
  assert.equal((await follow(world, first)).hash.includes("otp_expired"), true);
  await follow(world, second);
  await signIn(world, ADA);
  const stranger = await world.ask("POST", "/token?grant_type=password", { body: early });
  assert.deepEqual(codeIn(stranger), [400, "invalid_credentials"]);
});

it("a link of before is dead from the moment on in which the password is another", async () => {
  const memory = memoryStore();
  let isBroken = false;
  const putToken: typeof memory.identity.putToken = async (token) => {
    if (isBroken) throw new Error("cut short");
    return memory.identity.putToken(token);
  };
  const world = await identityWorld({ store: changedStore(memory, { identity: { putToken } }) });
  await world.ask("POST", "/signup", { body: signUpBody(ADA) });
  const { link } = await world.mailTo(ADA);
  isBroken = true;
  const next = { email: ADA, password: "chosen by a stranger" };
  assert.equal((await world.ask("POST", "/signup", { body: next })).status, 503);
  assert.match((await follow(world, link)).hash, /otp_expired/);
});

it("recovering an address that nobody confirmed forgets the password that was chosen for it", async () => {
  const world = await identityWorld();
  const early = { email: ADA, password: "chosen by a stranger" };
  await world.ask("POST", "/signup", { body: early });
  world.mails.splice(0);
  await world.ask("POST", "/recover", { body: { email: ADA } });
  await follow(world, (await world.mailTo(ADA)).link);
  const stranger = await world.ask("POST", "/token?grant_type=password", { body: early });
  assert.deepEqual(codeIn(stranger), [400, "invalid_credentials"]);
});

it("nobody signs up while that is closed", async () => {
  const { ask } = await identityWorld({ settings: { signupOpen: false } });
  const reply = await ask("POST", "/signup", { body: signUpBody(ADA) });
  assert.deepEqual(codeIn(reply), [422, "signup_disabled"]);
  const settings = await ask("GET", "/settings");
  assert.equal((settings.body as unknown as { disable_signup: boolean }).disable_signup, true);
});

it("without mails an address counts at once, and its owner is told that it is taken", async () => {
  const { ask, mails } = await identityWorld({ settings: { autoconfirm: true } });
  const { status, body } = await ask("POST", "/signup", { body: signUpBody(ADA) });
  assert.equal(status, 200);
  assert.equal((await ask("GET", "/user", { jwt: body.access_token })).body.email, ADA);
  const again = await ask("POST", "/signup", { body: signUpBody(ADA) });
  assert.deepEqual(codeIn(again), [422, "user_already_exists"]);
  assert.deepEqual(mails, []);
});

it("texts that are no address are refused", async () => {
  const { ask } = await identityWorld();
  const wrong = [
    "",
    "ada",
    "@x",
    "a@",
    "a b@x.org",
    "a@x.org\r\nBcc: b@x.org",
    "<a@x.org>",
    "a@x,b@y",
    "a\u001b@x.org",
    "a\u202e@x.org",
  ];
  for (const email of [...wrong, null, 7, [ADA], `${"a".repeat(65)}@x.org`, `a@${"x".repeat(255)}`])
    assert.deepEqual(
      codeIn(await ask("POST", "/signup", { body: { ...signUpBody(""), email } })),
      [400, "validation_failed"],
      JSON.stringify(email),
    );
});

it("what people say of themselves is bounded, and changes no prototype", async () => {
  const world = await identityWorld();
  const large = { data: { text: "x".repeat(2048) } };
  const reply = await world.ask("POST", "/signup", { body: signUpBody(ADA, large) });
  assert.deepEqual(codeIn(reply), [400, "validation_failed"]);
  const poisoned = `{"email":"${ADA}","password":"${PASSWORD}","data":{"__proto__":{"polluted":1}}}`;
  const headers = { "Content-Type": "application/json" };
  assert.equal((await world.ask("POST", "/signup", { body: poisoned, headers })).status, 200);
  assert.equal("polluted" in {}, false);
});

it("a mail has a link and six digits, and says how long they are good", async () => {
  const world = await identityWorld();
  await world.ask("POST", "/signup", { body: signUpBody(ADA) });
  const { link, code, ...facts } = await world.mailTo(ADA);
  assert.deepEqual(facts, { to: ADA, type: "signup", linkHours: 24, codeMinutes: 10 });
  assert.match(
    link ?? "",
    /^http:\/\/localhost:7777\/account\/confirm#token=[\w-]{43}&type=signup$/,
  );
  assert.match(code ?? "", /^\d{6}$/);
});

it("nothing that opens a door is stored: no password, token, code or secret", async () => {
  const written: string[] = [];
  const memory = memoryStore();
  const store = around(memory, (method, name, { access }) => async (...values) => {
    if (access === "write") written.push(JSON.stringify([name, values]));
    return method(...values);
  });
  const world = await identityWorld({ store });
  const { challenge, verifier } = pkce();
  const proof = { code_challenge: challenge, code_challenge_method: "s256" };
  await world.ask("POST", "/signup", { body: signUpBody(ADA, proof) });
  const mail = await world.mailTo(ADA);
  const token = new URL(buttonOf(mail.link ?? "")).searchParams.get("token") ?? "";
  const authCode = (await follow(world, mail.link)).searchParams.get("code") ?? "";
  const exchange = { auth_code: authCode, code_verifier: verifier };
  const { body } = await world.ask("POST", "/token?grant_type=pkce", { body: exchange });
  const registration = { redirect_uris: ["https://client.example/cb"] };
  const client = await world.ask("POST", "/oauth/clients/register", { body: registration });
  const opening = [PASSWORD, token, authCode, verifier, body.access_token, body.refresh_token];
  for (const secret of [...opening, client.body.client_secret]) {
    assert.ok(secret.length >= 8);
    assert.deepEqual(
      written.filter((line) => line.includes(secret)),
      [],
    );
  }
  assert.ok(!written.some((line) => new RegExp(`\\b${mail.code}\\b`).test(line)));
  assert.ok(written.length > 5);
});
