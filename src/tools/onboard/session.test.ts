import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { suite, test } from "node:test";
import type { TestContext } from "node:test";

import { TEST_PASSWORD, identityWorld } from "#testing/fixtures/identity-world.ts";
import type { IdentityWorld, IdentityWorldChanges } from "#testing/fixtures/identity-world.ts";

import { OnboardError } from "./onboard-error.ts";
import { signInOrUp } from "./session.ts";
import type { Login, SessionDeps } from "./session.ts";

const ADA: Login = { email: "ada@example.org", password: TEST_PASSWORD };

async function serveReplies(t: TestContext, answer: (request: Request) => Promise<Response>) {
  const http = createServer((incoming, outgoing) => {
    void (async () => {
      const { method = "GET", url = "/", headers } = incoming;
      const body = new Uint8Array(await buffer(incoming));
      const receivedRequest = Object.entries(headers).map(([name, value]): [string, string] => {
        return [name, String(value)];
      });
      const address = new URL(url, "http://localhost:7777");
      const sentRequest = body.length > 0 ? { body } : {};
      const response = await answer(
        new Request(address, { method, headers: receivedRequest, ...sentRequest }),
      );
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(await response.text());
    })();
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    http.close();
    http.closeAllConnections();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

/** Signs in at the embedded identity provider, with scripted input at the terminal. */
async function createSignIn(t: TestContext, changes: IdentityWorldChanges = {}) {
  const world = await identityWorld(changes);
  const { embedded, receivedEmails: emails } = world;
  const projectUrl = await serveReplies(t, (request) => embedded.respond(request, "192.0.2.1"));
  const messages: string[] = [];
  const typedCodes: (() => Promise<string>)[] = [];
  const questions: string[] = [];
  const deps: SessionDeps = {
    prompt: {
      ask: async (question) => {
        questions.push(question);
        return (await typedCodes.shift()?.()) ?? "";
      },
      askSecret: () => assert.fail("no password prompt expected"),
    },
    codeInOutbox: null,
    givenCode: null,
    isOnThisMachine: false,
    accountPage: "http://ladder/account",
    tell: (text) => void messages.push(text),
    pause: async () => {},
  };
  const provider = { projectUrl, publishableKey: embedded.publishableKey };
  const open = (person = ADA, more: Partial<SessionDeps> = {}) =>
    signInOrUp(provider, person, { ...deps, ...more });
  const lastCode = async () => {
    await embedded.whenIdle();
    return emails.findLast(({ code }) => code !== null)?.code ?? null;
  };
  return { ...world, told: messages, typed: typedCodes, asked: questions, open, lastCode };
}

const ownerOf = async ({ sendRequest }: IdentityWorld, access: string) =>
  (await sendRequest("GET", "/user", { jwt: access })).body.email;

const stopsWith = (promise: Promise<string>, pattern: RegExp) =>
  assert.rejects(
    promise,
    (error: Error) => error instanceof OnboardError && pattern.test(error.message),
  );

suite("a session", () => {
  test("is opened for a new email with the code from the outbox, and later with the password", async (t) => {
    const signIn = await createSignIn(t);
    const access = await signIn.open(ADA, { codeInOutbox: signIn.lastCode });
    assert.equal(await ownerOf(signIn, access), ADA.email);
    assert.deepEqual(signIn.asked, []);
    assert.match(signIn.told.join(), /confirmation email/);
    assert.equal(await ownerOf(signIn, await signIn.open()), ADA.email);
    assert.equal(signIn.receivedEmails.length, 1);
  });

  test("is opened with a typed code after a wrong attempt", async (t) => {
    const signIn = await createSignIn(t);
    signIn.typed.push(
      async () => "000000",
      async () => (await signIn.waitForEmail(ADA.email)).code!.replace(/^.../, "$& "),
    );
    const access = await signIn.open();
    assert.equal(await ownerOf(signIn, access), ADA.email);
    assert.equal(signIn.asked.length, 2);
    assert.match(signIn.told.join(), /code is wrong/);
  });

  test("resumes confirmation with --code, or with a new email", async (t) => {
    const signIn = await createSignIn(t);
    const stopped = signIn.open(ADA, { prompt: null });
    await stopsWith(
      stopped,
      /A 6-digit code was sent to ada@example\.org if .*\. Run the command again with --code/,
    );
    const { code } = await signIn.waitForEmail(ADA.email);
    const access = await signIn.open(ADA, { prompt: null, givenCode: code });
    assert.equal(await ownerOf(signIn, access), ADA.email);
    const secondUser = { email: "eve@example.org", password: TEST_PASSWORD };
    await stopsWith(signIn.open(secondUser, { prompt: null }), /6-digit code/);
    signIn.clock.advance(11 * 60_000);
    const laterCode = await signIn.open(secondUser, {
      prompt: null,
      codeInOutbox: signIn.lastCode,
    });
    assert.equal(await ownerOf(signIn, laterCode), secondUser.email);
    assert.equal(signIn.receivedEmails.filter(({ to }) => to === secondUser.email).length, 2);
  });

  test("needs no confirmation if the provider confirms automatically", async (t) => {
    const signIn = await createSignIn(t, { settings: { autoconfirm: true } });
    assert.equal(await ownerOf(signIn, await signIn.open()), ADA.email);
    const wrongCode = { ...ADA, password: "another password" };
    await stopsWith(signIn.open(wrongCode), /Wrong password for/);
  });

  test("prints the provider's error text", async (t) => {
    const signIn = await createSignIn(t);
    await stopsWith(
      signIn.open({ ...ADA, password: "short" }),
      /failed: The password must have at least 8/,
    );
    await stopsWith(
      signIn.open({ ...ADA, email: "nowhere" }),
      /failed: .*email address\. .*with the right --email/,
    );
    const closedSignUp = await createSignIn(t, { settings: { signupOpen: false } });
    await stopsWith(closedSignUp.open(), /failed: Signups are not allowed/);
  });

  test("mentions after three wrong codes that the email may already have an account", async (t) => {
    const signIn = await createSignIn(t);
    await signIn.addMember(ADA.email);
    await stopsWith(
      signIn.open({ ...ADA, password: "another password" }),
      /may already have an account/,
    );
    assert.equal(signIn.asked.length, 3);
    const messages = signIn.told.join();
    assert.match(messages, /to ada@example\.org if the address is new/);
    assert.match(messages, /with another password\. .*http:\/\/ladder\/account/);
    assert.doesNotMatch(messages, /outbox/);
  });

  test("says where a local ladder without a mail server writes the code", async (t) => {
    const signIn = await createSignIn(t);
    await stopsWith(signIn.open(ADA, { isOnThisMachine: true }), /is not confirmed/);
    assert.match(signIn.told.join(), /outbox\.jsonl in its data folder.*--outbox/);
  });
});

test("detects a provider that returns a fake user for a known email", async (t) => {
  const projectUrl = await serveReplies(t, async ({ url }) =>
    url.includes("/signup")
      ? Response.json({ id: "made up", email: ADA.email, identities: [] })
      : Response.json({ error_code: "invalid_credentials", msg: "no" }, { status: 400 }),
  );
  const deps = {
    prompt: null,
    codeInOutbox: null,
    givenCode: null,
    isOnThisMachine: false,
    accountPage: "http://ladder/account",
    tell: () => {},
    pause: async () => {},
  };
  const openedSession = signInOrUp({ projectUrl, publishableKey: "key" }, ADA, deps);
  await stopsWith(openedSession, /Wrong password.*http:\/\/ladder\/account/);
});

test("reports a provider that is down, and a URL that isn't a provider", async (t) => {
  const projectUrl = await serveReplies(t, async () => new Response("hello"));
  const deps = {
    prompt: null,
    codeInOutbox: null,
    givenCode: null,
    isOnThisMachine: false,
    accountPage: "",
    tell: () => {},
    pause: async () => {},
  };
  const open = (url: string) => signInOrUp({ projectUrl: url, publishableKey: "k" }, ADA, deps);
  await stopsWith(open(projectUrl), /Sign-in failed: status 200/);
  await stopsWith(open("http://127.0.0.1:9"), /127\.0\.0\.1:9 can't be reached: \S+/);
});
