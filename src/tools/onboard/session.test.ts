import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { suite, test } from "node:test";
import type { TestContext } from "node:test";

import { PASSWORD, identityWorld } from "#testing/fixtures/identity-world.ts";
import type { IdentityWorld, WorldChanges } from "#testing/fixtures/identity-world.ts";

import { Halt } from "./halt.ts";
import { openSession } from "./session.ts";
import type { Login, SessionDeps } from "./session.ts";

const ADA: Login = { email: "ada@example.org", password: PASSWORD };

/** Answers on a port of its own for as long as the test runs. */
async function serveAnswers(t: TestContext, answer: (request: Request) => Promise<Response>) {
  const http = createServer((incoming, outgoing) => {
    void (async () => {
      const { method = "GET", url = "/", headers } = incoming;
      const body = new Uint8Array(await buffer(incoming));
      const given = Object.entries(headers).map(([name, value]): [string, string] => {
        return [name, String(value)];
      });
      const address = new URL(url, "http://localhost:7777");
      const sent = body.length > 0 ? { body } : {};
      const response = await answer(new Request(address, { method, headers: given, ...sent }));
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

/** The embedded provider, and what the person sees and does at the terminal. */
async function openDesk(t: TestContext, changes: WorldChanges = {}) {
  const world = await identityWorld(changes);
  const { embedded, mails } = world;
  const projectUrl = await serveAnswers(t, (request) => embedded.answer(request, "192.0.2.1"));
  const told: string[] = [];
  const typed: (() => Promise<string>)[] = [];
  const asked: string[] = [];
  const deps: SessionDeps = {
    prompt: {
      ask: async (question) => {
        asked.push(question);
        return (await typed.shift()?.()) ?? "";
      },
      askSecret: () => assert.fail("nobody asks for a password here"),
    },
    codeInOutbox: null,
    givenCode: null,
    isOnThisMachine: false,
    accountPage: "http://ladder/account",
    tell: (text) => void told.push(text),
    pause: async () => {},
  };
  const provider = { projectUrl, publishableKey: embedded.publishableKey };
  const open = (person = ADA, more: Partial<SessionDeps> = {}) =>
    openSession(provider, person, { ...deps, ...more });
  const lastCode = async () => {
    await embedded.settled();
    return mails.findLast(({ code }) => code !== null)?.code ?? null;
  };
  return { ...world, told, typed, asked, open, lastCode };
}

/** Whose token it is, by the provider itself. */
const ownerOf = async ({ ask }: IdentityWorld, access: string) =>
  (await ask("GET", "/user", { jwt: access })).body.email;

const halts = (promise: Promise<string>, said: RegExp) =>
  assert.rejects(promise, (error: Error) => error instanceof Halt && said.test(error.message));

suite("a session", () => {
  test("is opened for a new address by the digits in the outbox, and later by the password", async (t) => {
    const desk = await openDesk(t);
    const access = await desk.open(ADA, { codeInOutbox: desk.lastCode });
    assert.equal(await ownerOf(desk, access), ADA.email);
    assert.deepEqual(desk.asked, []);
    assert.match(desk.told.join(), /mail .* on its way/);
    assert.equal(await ownerOf(desk, await desk.open()), ADA.email);
    assert.equal(desk.mails.length, 1);
  });

  test("is opened by typed digits, with another try after a mistake", async (t) => {
    const desk = await openDesk(t);
    desk.typed.push(
      async () => "000000",
      async () => (await desk.mailTo(ADA.email)).code!.replace(/^.../, "$& "),
    );
    const access = await desk.open();
    assert.equal(await ownerOf(desk, access), ADA.email);
    assert.equal(desk.asked.length, 2);
    assert.match(desk.told.join(), /digits are wrong/);
  });

  test("goes on where the confirmation was left, with digits of the call or a new mail", async (t) => {
    const desk = await openDesk(t);
    const halted = desk.open(ADA, { prompt: null });
    await halts(halted, /six digits went to ada@example\.org, if .*\. Call again with --code/);
    const { code } = await desk.mailTo(ADA.email);
    const access = await desk.open(ADA, { prompt: null, givenCode: code });
    assert.equal(await ownerOf(desk, access), ADA.email);
    const eve = { email: "eve@example.org", password: PASSWORD };
    await halts(desk.open(eve, { prompt: null }), /six digits/);
    desk.clock.pass(11 * 60_000);
    const later = await desk.open(eve, { prompt: null, codeInOutbox: desk.lastCode });
    assert.equal(await ownerOf(desk, later), eve.email);
    assert.equal(desk.mails.filter(({ to }) => to === eve.email).length, 2);
  });

  test("needs no confirmation where the provider confirms by itself", async (t) => {
    const desk = await openDesk(t, { settings: { autoconfirm: true } });
    assert.equal(await ownerOf(desk, await desk.open()), ADA.email);
    const wrong = { ...ADA, password: "another password" };
    await halts(desk.open(wrong), /has an account, and this is not its password/);
  });

  test("is refused in the provider's own words", async (t) => {
    const desk = await openDesk(t);
    await halts(
      desk.open({ ...ADA, password: "short" }),
      /refused: The password must have at least 8/,
    );
    await halts(
      desk.open({ ...ADA, email: "nowhere" }),
      /refused: .*email address\. .*with --email/,
    );
    const closed = await openDesk(t, { settings: { signupOpen: false } });
    await halts(closed.open(), /refused: Signups are not allowed/);
  });

  test("says after three mistakes that the address may have an account", async (t) => {
    const desk = await openDesk(t);
    await desk.member(ADA.email);
    await halts(desk.open({ ...ADA, password: "another password" }), /may have an account already/);
    assert.equal(desk.asked.length, 3);
    const told = desk.told.join();
    assert.match(told, /on its way to ada@example\.org, if it is new here/);
    assert.match(told, /the password is wrong: .*http:\/\/ladder\/account/);
    assert.doesNotMatch(told, /outbox/);
  });

  test("on this machine says where a ladder without a mail server has the digits", async (t) => {
    const desk = await openDesk(t);
    await halts(desk.open(ADA, { isOnThisMachine: true }), /is not confirmed/);
    assert.match(desk.told.join(), /outbox\.jsonl in its data folder.*--outbox/);
  });
});

test("an outside provider that makes up a user for a known address is seen through", async (t) => {
  const projectUrl = await serveAnswers(t, async ({ url }) =>
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
  const opened = openSession({ projectUrl, publishableKey: "key" }, ADA, deps);
  await halts(opened, /not its password.*http:\/\/ladder\/account/);
});

test("a provider that is away, or none, is named", async (t) => {
  const projectUrl = await serveAnswers(t, async () => new Response("hello"));
  const deps = {
    prompt: null,
    codeInOutbox: null,
    givenCode: null,
    isOnThisMachine: false,
    accountPage: "",
    tell: () => {},
    pause: async () => {},
  };
  const open = (url: string) => openSession({ projectUrl: url, publishableKey: "k" }, ADA, deps);
  await halts(open(projectUrl), /Signing in is refused: it answers 200/);
  await halts(open("http://127.0.0.1:9"), /127\.0\.0\.1:9 cannot be reached: \S+/);
});
