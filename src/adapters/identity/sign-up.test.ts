import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { hashToken } from "#data/credentials/token.ts";
import { wrapRepositories } from "#data/store/store.ts";
import {
  verifyLinkOf,
  statusAndCode,
  followVerifyLink,
  identityWorld,
  TEST_PASSWORD,
  createPkce,
  signInMember,
} from "#testing/fixtures/identity-world.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";

const ADA = "ada@example.org";
const signUpBody = (email: string, extraFields: object = {}) => ({
  email,
  password: TEST_PASSWORD,
  ...extraFields,
});

function shapeOf(body: object): string {
  const uuidPattern = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
  return JSON.stringify(body)
    .replaceAll(uuidPattern, "an id")
    .replaceAll(/"[^"]*@[^"]*"/g, '"address"');
}

describe("responses don't reveal which addresses have an account:", () => {
  it("sign-up", async () => {
    const world = await identityWorld();
    await world.sendRequest("POST", "/signup", { body: signUpBody("waiting@example.org") });
    await world.waitForEmail("waiting@example.org");
    const { email: uuidPattern } = await world.addMember(ADA);
    const replies = await Promise.all(
      [uuidPattern, "waiting@example.org", "new@example.org"].map((email) =>
        world.sendRequest("POST", "/signup", { body: signUpBody(email) }),
      ),
    );
    const shapes = replies.map(({ status, body }) => `${status} ${shapeOf(body)}`);
    assert.equal(new Set(shapes).size, 1, shapes.join("\n"));
    for (const email of ["waiting@example.org", "new@example.org"])
      assert.equal((await world.waitForEmail(email)).type, "signup");
    assert.equal((await world.waitForEmail(uuidPattern)).type, "email_in_use");
  });

  it("recovery and resend", async () => {
    const world = await identityWorld();
    await world.addMember(ADA);
    for (const [path, body] of [
      ["/recover", {}],
      ["/resend", { type: "signup" }],
      ["/resend", { type: "email_change" }],
    ] as const)
      for (const email of [ADA, "nobody@example.org"]) {
        const reply = await world.sendRequest("POST", path, { body: { email, ...body } });
        assert.deepEqual([reply.status, reply.body], [200, {}]);
      }
    assert.equal((await world.waitForEmail(ADA)).type, "recovery");
    assert.deepEqual(
      world.receivedEmails.map(({ to, type }) => [to, type]),
      [[ADA, "recovery"]],
    );
  });

  it("email limit per mailbox", async () => {
    const world = await identityWorld({ settings: { limitsAddresses: true } });
    await world.addMember(ADA);
    world.clock.advance(60_000);
    for (const email of [ADA, "new@example.org"]) {
      const codes = [];
      for (let time = 0; time < 2; time += 1)
        codes.push(
          (await world.sendRequest("POST", "/signup", { body: signUpBody(email) })).status,
        );
      assert.deepEqual(codes, [200, 429], email);
    }
  });
});

describe("emails to one mailbox", () => {
  const OWNER = "192.0.2.1";
  const limitedWorld = () => identityWorld({ settings: { limitsAddresses: true } });

  it("are limited to one a minute per purpose and requester if address limits are on", async () => {
    for (const limitsAddresses of [true, false]) {
      const world = await identityWorld({ settings: { limitsAddresses } });
      const context = async (path: string, caller = OWNER) =>
        statusAndCode(await world.sendRequest("POST", path, { body: { email: ADA }, caller }));
      assert.deepEqual((await context("/recover"))[0], 200);
      const expectedRepeat = limitsAddresses
        ? [429, "over_email_send_rate_limit"]
        : [200, undefined];
      assert.deepEqual(await context("/recover"), expectedRepeat);
      assert.deepEqual((await context("/recover", "192.0.2.66"))[0], 200, "another requester");
      assert.equal(
        (await world.sendRequest("POST", "/signup", { body: signUpBody(ADA) })).status,
        200,
      );
      world.clock.advance(60_000);
      assert.deepEqual((await context("/recover"))[0], 200);
    }
  });

  it("are limited to ten a day per requester and fifty in total", async () => {
    const world = await limitedWorld();
    const context = async (caller: string) => {
      world.clock.advance(60_000);
      return (await world.sendRequest("POST", "/recover", { body: { email: ADA }, caller })).status;
    };
    const statuses = [];
    for (let time = 0; time < 12; time += 1) statuses.push(await context("192.0.2.66"));
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 200), 429, 429]);
    assert.equal(await context(OWNER), 200, "a requester at their limit doesn't affect the owner");
    let acceptedCount = 11;
    for (let stranger = 0; stranger < 10; stranger += 1)
      for (let time = 0; time < 5; time += 1)
        if ((await context(`198.51.100.${stranger}`)) === 200) acceptedCount += 1;
    // The limit recovers by about two emails per hour.
    assert.ok(acceptedCount >= 50 && acceptedCount <= 54, `${acceptedCount}`);
    assert.equal(await context("203.0.113.1"), 429);
  });

  it("count only toward the limit of their own purpose, even if no email is sent", async () => {
    const world = await limitedWorld();
    await world.addMember(ADA);
    for (const type of ["signup", "email_change"])
      for (let stranger = 0; stranger < 60; stranger += 1) {
        const caller = `198.51.100.${stranger}`;
        await world.sendRequest("POST", "/resend", { body: { type, email: ADA }, caller });
      }
    assert.equal(world.receivedEmails.length, 0);
    const recovery = await world.sendRequest("POST", "/recover", {
      body: { email: ADA },
      caller: OWNER,
    });
    assert.equal(recovery.status, 200);
    assert.equal((await world.waitForEmail(ADA)).type, "recovery");
  });

  it("count toward the new address's limit when an email change is resent", async () => {
    const world = await limitedWorld();
    const target = "victim@example.org";
    const eves = [];
    for (const name of ["eve1", "eve2", "eve3"])
      eves.push(await world.addMember(`${name}@example.org`));
    for (const [at, { access: jwt }] of eves.entries()) {
      const options = { body: { email: target }, jwt, caller: `198.51.100.${at}` };
      assert.equal((await world.sendRequest("PUT", "/user", options)).status, 200);
    }
    const acceptedCount = () => world.receivedEmails.filter(({ to }) => to === target).length;
    await world.waitForEmail(target);
    assert.equal(acceptedCount(), 3);
    for (const { email } of eves) {
      const body = { type: "email_change", email };
      await world.sendRequest("POST", "/resend", { body, caller: "203.0.113.1" });
    }
    await world.waitForEmail(target);
    assert.equal(acceptedCount(), 4, "one a minute from one requester");
  });

  it("requested by a stranger don't invalidate the owner's links, and only the stranger's newest three links work", async () => {
    const world = await limitedWorld();
    const linkBy = async (path: string, caller: string) => {
      world.receivedEmails.splice(0);
      world.clock.advance(60_000);
      const body = { ...signUpBody(ADA), type: "signup" };
      assert.equal((await world.sendRequest("POST", path, { body, caller })).status, 200);
      return (await world.waitForEmail(ADA)).link ?? "";
    };
    const isGood = async (link: string) => {
      const hash = hashToken(new URL(verifyLinkOf(link)).searchParams.get("token") ?? "");
      return (await world.deps.store.identity.token(hash)) !== null;
    };
    const ownLink = await linkBy("/signup", OWNER);
    const strangers = [];
    for (let time = 0; time < 2; time += 1)
      for (const path of ["/signup", "/resend"]) strangers.push(await linkBy(path, "192.0.2.66"));
    assert.ok(await isGood(ownLink));
    assert.deepEqual(await Promise.all(strangers.map(isGood)), [false, true, true, true]);
    assert.match((await followVerifyLink(world, ownLink)).hash, /^#type=signup/);
    assert.deepEqual(await Promise.all(strangers.map(isGood)), [false, false, false, false]);
  });
});

it("rejects every sign-up while registration is closed", async () => {
  const { sendRequest: context } = await identityWorld({ settings: { signupOpen: false } });
  const reply = await context("POST", "/signup", { body: signUpBody(ADA) });
  assert.deepEqual(statusAndCode(reply), [422, "signup_disabled"]);
  const settings = await context("GET", "/settings");
  assert.equal((settings.body as unknown as { disable_signup: boolean }).disable_signup, true);
});

it("without email, confirms addresses immediately and reports taken addresses", async () => {
  const { sendRequest: context, receivedEmails } = await identityWorld({
    settings: { autoconfirm: true },
  });
  const { status, body } = await context("POST", "/signup", { body: signUpBody(ADA) });
  assert.equal(status, 200);
  assert.equal((await context("GET", "/user", { jwt: body.access_token })).body.email, ADA);
  const expectedRepeat = await context("POST", "/signup", { body: signUpBody(ADA) });
  assert.deepEqual(statusAndCode(expectedRepeat), [422, "user_already_exists"]);
  assert.deepEqual(receivedEmails, []);
});

it("rejects invalid email addresses", async () => {
  const { sendRequest: context } = await identityWorld();
  const invalidEmails = [
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
  for (const email of [
    ...invalidEmails,
    null,
    7,
    [ADA],
    `${"a".repeat(65)}@x.org`,
    `a@${"x".repeat(255)}`,
  ])
    assert.deepEqual(
      statusAndCode(await context("POST", "/signup", { body: { ...signUpBody(""), email } })),
      [400, "validation_failed"],
      JSON.stringify(email),
    );
});

it("treats all spellings of a domain as one address, for limits and accounts", async () => {
  const world = await identityWorld({ settings: { limitsAddresses: true } });
  const { id } = await world.addMember("u@example.com");
  const spellings = ["U@EXAMPLE.com", "u@ｅxample.com", "u@example。com", "u@examⓟle.com"];
  for (const email of spellings) {
    const reply = await world.sendRequest("POST", "/signup", { body: signUpBody(email) });
    assert.deepEqual(statusAndCode(reply), [429, "over_email_send_rate_limit"], email);
    assert.equal((await signInMember(world, email)).id, id, email);
  }
  assert.deepEqual(world.receivedEmails, []);
});

it("limits the size of user metadata and prevents prototype pollution", async () => {
  const world = await identityWorld();
  const large = { data: { text: "x".repeat(2048) } };
  const reply = await world.sendRequest("POST", "/signup", { body: signUpBody(ADA, large) });
  assert.deepEqual(statusAndCode(reply), [400, "validation_failed"]);
  const maliciousHeaders = `{"email":"${ADA}","password":"${TEST_PASSWORD}","data":{"__proto__":{"polluted":1}}}`;
  const headers = { "Content-Type": "application/json" };
  assert.equal(
    (await world.sendRequest("POST", "/signup", { body: maliciousHeaders, headers })).status,
    200,
  );
  assert.equal("polluted" in {}, false);
});

it("an email contains a link and a 6-digit code with their lifetimes", async () => {
  const world = await identityWorld();
  await world.sendRequest("POST", "/signup", { body: signUpBody(ADA) });
  const { link, code, ...metadata } = await world.waitForEmail(ADA);
  assert.deepEqual(metadata, { to: ADA, type: "signup", linkHours: 24, codeMinutes: 10 });
  assert.match(
    link ?? "",
    /^http:\/\/localhost:7777\/account\/confirm#token=[\w-]{43}&type=signup$/,
  );
  assert.match(code ?? "", /^\d{6}$/);
});

it("the store holds no usable credentials: no password, token, code or secret", async () => {
  const storeWrites: string[] = [];
  const memory = memoryStore();
  const store = wrapRepositories(memory, (method, name, { access }) => async (...values) => {
    if (access === "write") storeWrites.push(JSON.stringify([name, values]));
    return method(...values);
  });
  const world = await identityWorld({ store });
  const { challenge, verifier } = createPkce();
  const proof = { code_challenge: challenge, code_challenge_method: "s256" };
  await world.sendRequest("POST", "/signup", { body: signUpBody(ADA, proof) });
  const mail = await world.waitForEmail(ADA);
  const token = new URL(verifyLinkOf(mail.link ?? "")).searchParams.get("token") ?? "";
  const authCode = (await followVerifyLink(world, mail.link)).searchParams.get("code") ?? "";
  const exchange = { auth_code: authCode, code_verifier: verifier };
  const { body } = await world.sendRequest("POST", "/token?grant_type=pkce", { body: exchange });
  const registration = { redirect_uris: ["https://client.example/cb"] };
  const client = await world.sendRequest("POST", "/oauth/clients/register", { body: registration });
  const opening = [TEST_PASSWORD, token, authCode, verifier, body.access_token, body.refresh_token];
  for (const secret of [...opening, client.body.client_secret]) {
    assert.ok(secret.length >= 8);
    assert.deepEqual(
      storeWrites.filter((line) => line.includes(secret)),
      [],
    );
  }
  assert.ok(!storeWrites.some((line) => new RegExp(`\\b${mail.code}\\b`).test(line)));
  assert.ok(storeWrites.length > 5);
});
