import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { hashToken } from "#data/access/token.ts";
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
    await world.mailTo("waiting@example.org");
    const { email: known } = await world.member(ADA);
    const replies = await Promise.all(
      [known, "waiting@example.org", "new@example.org"].map((email) =>
        world.ask("POST", "/signup", { body: signUpBody(email) }),
      ),
    );
    const shapes = replies.map(({ status, body }) => `${status} ${shapeOf(body)}`);
    assert.equal(new Set(shapes).size, 1, shapes.join("\n"));
    for (const email of ["waiting@example.org", "new@example.org"])
      assert.equal((await world.mailTo(email)).type, "signup");
    assert.equal((await world.mailTo(known)).type, "email_in_use");
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

describe("emails to one mailbox", () => {
  const OWNER = "192.0.2.1";
  const limited = () => identityWorld({ settings: { limitsAddresses: true } });

  it("are a minute apart for each purpose and requester, where addresses are limited", async () => {
    for (const limitsAddresses of [true, false]) {
      const world = await identityWorld({ settings: { limitsAddresses } });
      const ask = async (path: string, caller = OWNER) =>
        codeIn(await world.ask("POST", path, { body: { email: ADA }, caller }));
      assert.deepEqual((await ask("/recover"))[0], 200);
      const again = limitsAddresses ? [429, "over_email_send_rate_limit"] : [200, undefined];
      assert.deepEqual(await ask("/recover"), again);
      assert.deepEqual((await ask("/recover", "192.0.2.66"))[0], 200, "another requester");
      assert.equal((await world.ask("POST", "/signup", { body: signUpBody(ADA) })).status, 200);
      world.clock.pass(60_000);
      assert.deepEqual((await ask("/recover"))[0], 200);
    }
  });

  it("come to ten a day for one requester, and fifty for all", async () => {
    const world = await limited();
    const ask = async (caller: string) => {
      world.clock.pass(60_000);
      return (await world.ask("POST", "/recover", { body: { email: ADA }, caller })).status;
    };
    const statuses = [];
    for (let time = 0; time < 12; time += 1) statuses.push(await ask("192.0.2.66"));
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 200), 429, 429]);
    assert.equal(await ask(OWNER), 200, "a stranger who used up theirs leaves the owner's");
    let sent = 11;
    for (let stranger = 0; stranger < 10; stranger += 1)
      for (let time = 0; time < 5; time += 1)
        if ((await ask(`198.51.100.${stranger}`)) === 200) sent += 1;
    // About two per hour are refilled meanwhile.
    assert.ok(sent >= 50 && sent <= 54, `${sent}`);
    assert.equal(await ask("203.0.113.1"), 429);
  });

  it("of one purpose leave those of the others to the owner, also where nothing is sent", async () => {
    const world = await limited();
    await world.member(ADA);
    for (const type of ["signup", "email_change"])
      for (let stranger = 0; stranger < 60; stranger += 1) {
        const caller = `198.51.100.${stranger}`;
        await world.ask("POST", "/resend", { body: { type, email: ADA }, caller });
      }
    assert.equal(world.mails.length, 0);
    const recovery = await world.ask("POST", "/recover", { body: { email: ADA }, caller: OWNER });
    assert.equal(recovery.status, 200);
    assert.equal((await world.mailTo(ADA)).type, "recovery");
  });

  it("count for the new address when an email change is resent", async () => {
    const world = await limited();
    const target = "victim@example.org";
    const eves = [];
    for (const name of ["eve1", "eve2", "eve3"])
      eves.push(await world.member(`${name}@example.org`));
    for (const [at, { access: jwt }] of eves.entries()) {
      const options = { body: { email: target }, jwt, caller: `198.51.100.${at}` };
      assert.equal((await world.ask("PUT", "/user", options)).status, 200);
    }
    const sent = () => world.mails.filter(({ to }) => to === target).length;
    await world.mailTo(target);
    assert.equal(sent(), 3);
    for (const { email } of eves) {
      const body = { type: "email_change", email };
      await world.ask("POST", "/resend", { body, caller: "203.0.113.1" });
    }
    await world.mailTo(target);
    assert.equal(sent(), 4, "one a minute from one requester");
  });

  it("a stranger's end none of the owner's links, and their own ones are the newest three", async () => {
    const world = await limited();
    const linkBy = async (path: string, caller: string) => {
      world.mails.splice(0);
      world.clock.pass(60_000);
      const body = { ...signUpBody(ADA), type: "signup" };
      assert.equal((await world.ask("POST", path, { body, caller })).status, 200);
      return (await world.mailTo(ADA)).link ?? "";
    };
    const isGood = async (link: string) => {
      const hash = hashToken(new URL(buttonOf(link)).searchParams.get("token") ?? "");
      return (await world.deps.store.identity.token(hash)) !== null;
    };
    const own = await linkBy("/signup", OWNER);
    const strangers = [];
    for (let time = 0; time < 2; time += 1)
      for (const path of ["/signup", "/resend"]) strangers.push(await linkBy(path, "192.0.2.66"));
    assert.ok(await isGood(own));
    assert.deepEqual(await Promise.all(strangers.map(isGood)), [false, true, true, true]);
    assert.match((await follow(world, own)).hash, /^#type=signup/);
    assert.deepEqual(await Promise.all(strangers.map(isGood)), [false, false, false, false]);
  });
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
    "a@localhost",
    "a@x..org",
    "a@x.org.",
    "a@x.org/b",
    "a@x\n.org",
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

it("all spellings of a domain are one address, for limits and for accounts", async () => {
  const world = await identityWorld({ settings: { limitsAddresses: true } });
  const { id } = await world.member("u@example.com");
  const spellings = ["U@EXAMPLE.com", "u@ｅxample.com", "u@example。com", "u@examⓟle.com"];
  for (const email of spellings) {
    const reply = await world.ask("POST", "/signup", { body: signUpBody(email) });
    assert.deepEqual(codeIn(reply), [429, "over_email_send_rate_limit"], email);
    assert.equal((await signIn(world, email)).id, id, email);
  }
  assert.deepEqual(world.mails, []);
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
