// Letters that people may refuse, from the store to a carrier that does what the test says.
import assert from "node:assert/strict";
import { it } from "node:test";
import type { TestContext } from "node:test";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import { SECOND_MS } from "#base/units/time.ts";
import { CATEGORY_OF } from "#core/mail/notice.ts";
import { FIXED } from "#core/words/limits.ts";
import type { NewDelivery } from "#data/store/delivery.ts";
import type { Store } from "#data/store/store.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { openMailServer, openOddServer } from "#testing/fixtures/mail-server.ts";
import type { SmtpStep } from "#testing/fixtures/mail-server.ts";
import { memoryStores } from "#testing/store-cases/memory-store.ts";
import { entry, NOW, sampleAccount } from "#testing/store-cases/store-account-cases.ts";
import { sampleId } from "#testing/store-cases/store-samples.ts";

import type { Carrier, Mail } from "./carrier.ts";
import { openSecondLane } from "./second-lane.ts";
import type { SecondLaneDeps } from "./second-lane.ts";
import { smtpCarrier } from "./smtp.ts";
import { readUnsubscribeToken, unsubscribeToken } from "./unsubscribe-link.ts";

const HOST = "ladder.example";
const LINK = "https://ladder.example/api/email/unsubscribe?token=x";
const CREATED = "2026-01-05T11:00:00.000Z";

const delivery = (number: number): NewDelivery => ({
  id: sampleId("delivery", number),
  accountId: sampleId("account", number),
  category: CATEGORY_OF.welcome,
  subject: "welcome",
  notice: { kind: "welcome", data: { handle: `person-${number}` } },
  announcementId: null,
  created: CREATED,
  due: CREATED,
});

/** A store with this many letters, each to somebody else, and a lane over it. */
async function world(letters: number, carry: Carrier, open = memoryStores()) {
  const store = open();
  for (let number = 0; number < letters; number += 1) {
    await store.accounts.add(sampleAccount(number, { emailConfirmedAt: NOW }), entry());
    await store.deliveries.queue([delivery(number)], []);
  }
  const clock = fakeClock();
  const log: object[] = [];
  const note = (facts: object, message: string) => void log.push({ ...facts, message });
  let ids = 0;
  const deps: SecondLaneDeps = {
    store,
    write: ({ kind }) => ({ subject: kind, text: kind, html: `<p>${kind}</p>` }),
    sender: { baseUrl: "https://ladder.example", contact: null },
    carry,
    host: HOST,
    linkOf: () => LINK,
    ends: new Map(),
    clock,
    newId: () => sampleId("audit", 9000 + ++ids),
    log: { warn: note, error: note },
  };
  return { store, clock, log, deps };
}

/** Lets everything happen that waits for no time. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 30; turns += 1) await turnOfTheLoop();
}

const statesOf = async (store: Store) =>
  (await store.deliveries.list(99)).map(({ state }) => state).toReversed();

/** Takes everything, and notes when. */
function taker(clock: () => number) {
  const taken: { mail: Mail; atMs: number }[] = [];
  const carry: Carrier = async (mail) => {
    taken.push({ mail, atMs: clock() });
    return null;
  };
  return { taken, carry };
}

it("letters go out one a second, each once, with the link that refuses them", async () => {
  let now = () => 0;
  const { taken, carry } = taker(() => now());
  const { store, clock, deps, log } = await world(4, carry);
  now = () => clock.now() / 1000;
  const lane = openSecondLane(deps);
  for (let seconds = 0; seconds < 8; seconds += 1) {
    await settle();
    clock.pass(SECOND_MS);
  }
  await lane.stop();
  assert.deepEqual(
    taken.map(({ mail }) => mail.to),
    [0, 1, 2, 3].map((number) => `person-${number}@example.org`),
  );
  const starts = taken.map(({ atMs }) => atMs);
  for (const [at, start] of starts.slice(1).entries())
    assert.ok(start - starts[at]! >= FIXED.optional_mail_every_ms, starts.join());
  assert.ok(taken.every(({ mail }) => mail.unsubscribe === LINK));
  assert.deepEqual(await statesOf(store), Array(4).fill("accepted"));
  assert.deepEqual([...deps.ends], [["accepted", 4]]);
  assert.deepEqual(log, []);
});

it("who refuses mail while it waits gets none", async () => {
  let now = () => 0;
  const { taken, carry } = taker(() => now());
  const { store, clock, deps } = await world(2, carry);
  now = () => clock.now();
  await store.accounts.optOut(sampleId("account", 0), "onboarding");
  const lane = openSecondLane(deps);
  await settle();
  await lane.stop();
  assert.deepEqual(
    taken.map(({ mail }) => mail.to),
    ["person-1@example.org"],
  );
  assert.deepEqual(await statesOf(store), ["skipped", "accepted"]);
  assert.deepEqual(Object.fromEntries(deps.ends), { skipped: 1, accepted: 1 });
});

it("a process that ends between the two transactions leaves a letter unknown for good", async () => {
  const open = memoryStores();
  const { store, deps } = await world(1, async () => null, open);
  assert.ok(await store.deliveries.begin("2026-01-05T12:00:00.000Z", HOST));
  const carried: Mail[] = [];
  const carry: Carrier = async (mail) => {
    carried.push(mail);
    return null;
  };
  const again = openSecondLane({ ...deps, store: open(), carry });
  await settle();
  await again.stop();
  assert.deepEqual(carried, []);
  const [row] = await store.deliveries.list(9);
  assert.deepEqual(
    [row?.state, row?.error, row?.messageId],
    ["unknown", "interrupted", `<${row?.id}@${HOST}>`],
  );
});

it("a stop leaves the letter on its way a moment, and then knows nothing of it", async () => {
  const carry: Carrier = (_mail, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("cut short")));
    });
  const { store, clock, deps } = await world(2, carry);
  const lane = openSecondLane(deps);
  await settle();
  const stopping = lane.stop();
  await settle();
  assert.deepEqual(await statesOf(store), ["sending", "pending"]);
  clock.pass(FIXED.mail_stop_s * SECOND_MS);
  await stopping;
  assert.deepEqual(await statesOf(store), ["unknown", "pending"]);
});

it("a store that is away is asked again, and the end of a letter is not lost", async () => {
  let failures = 3;
  const { store, clock, deps, log } = await world(1, async () => null);
  const { deliveries } = store;
  const end: typeof deliveries.end = async (...values) => {
    if ((failures -= 1) > 0) throw new Error("away");
    return deliveries.end(...values);
  };
  const lane = openSecondLane({ ...deps, store: { deliveries: { ...deliveries, end } } });
  for (let seconds = 0; seconds < 20; seconds += 1) {
    await settle();
    clock.pass(SECOND_MS);
  }
  await lane.stop();
  assert.deepEqual(await statesOf(store), ["accepted"]);
  assert.ok(log.length > 0);
});

const FROM = { name: "Bout", address: "bout@ladder.example" };
const smtp = (port: number) =>
  smtpCarrier(
    { host: "127.0.0.1", port, isSecure: false, login: { user: "bout", password: "right" } },
    FROM,
    HOST,
    { connectMs: 2000, greetingMs: 2000, silenceMs: 300 },
  );

/** Sends one letter and resolves with how it ended. */
async function sentTo(t: TestContext, port: number) {
  const { store, deps, log } = await world(1, smtp(port));
  const lane = openSecondLane(deps);
  t.after(() => lane.stop());
  for (;;) {
    const [row] = await store.deliveries.list(1);
    if (row !== undefined && row.ended !== null) {
      await lane.stop();
      return { row, log, incidents: await store.incidents.list(9) };
    }
    await turnOfTheLoop();
  }
}

const REFUSALS: [SmtpStep, number, string | null][] = [
  ["login", 535, "login_refused"],
  ["sender", 553, "sender_refused"],
  ["recipient", 550, null],
  ["recipient", 450, null],
  ["content", 552, null],
];
for (const [step, code, cause] of REFUSALS)
  it(`a mail server that refuses the ${step} with ${code} makes it failed (T48)`, async (t) => {
    const text = "no: person-0@example.org";
    const server = await openMailServer({ step, code, text });
    t.after(() => server.close());
    const { row, log, incidents } = await sentTo(t, server.port);
    assert.deepEqual([row.state, row.responseCode, row.attempt], ["failed", code, 1]);
    assert.deepEqual(
      incidents.map((incident) => incident.cause),
      cause === null ? [] : [cause],
    );
    assert.doesNotMatch(JSON.stringify([row, log]), /@example|no:/);
  });

it("a mail server that says nothing after the letter, or hangs up, makes it unknown (T48)", async (t) => {
  const answers: Record<string, string> = { EHLO: "250-odd\r\n250 AUTH PLAIN", DATA: "354 go on" };
  for (const hangsUp of [false, true]) {
    let received = 0;
    const server = await openOddServer((line, socket) => {
      const [verb = ""] = line.split(" ");
      if (line === ".") {
        received += 1;
        if (hangsUp) socket.destroy();
      } else if (/^(?:EHLO|AUTH|MAIL|RCPT|DATA)$/.test(verb))
        socket.write(`${answers[verb] ?? (verb === "AUTH" ? "235 in" : "250 ok")}\r\n`);
    });
    t.after(() => server.close());
    const { row } = await sentTo(t, server.port);
    assert.deepEqual([row.state, row.responseCode, received], ["unknown", null, 1]);
  }
});

it("a letter over SMTP has the headers of a refusal by one click", async (t) => {
  const server = await openMailServer();
  t.after(() => server.close());
  const { row } = await sentTo(t, server.port);
  assert.deepEqual([row.state, row.responseCode], ["accepted", 250]);
  const raw = server.mails[0]?.raw ?? "";
  assert.match(raw, /^List-Unsubscribe: <https:\/\/ladder\.example\/api\/[^>]*>\r$/im);
  assert.match(raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/im);
  assert.ok(raw.includes(`Message-ID: ${row.messageId}`));
});

it("a link that refuses mail is only what this server has signed", () => {
  const key = Buffer.alloc(32, 1);
  const meant = { accountId: sampleId("account", 1), category: "achievements" } as const;
  const token = unsubscribeToken(key, meant, 0);
  assert.deepEqual(readUnsubscribeToken(key, token, 1), meant);
  assert.equal(readUnsubscribeToken(Buffer.alloc(32, 2), token, 1), null);
  const [text = "", signature = ""] = token.split(".");
  const other = Buffer.from(
    Buffer.from(text, "base64url").toString().replace("achievements", "onboarding"),
  ).toString("base64url");
  for (const forged of [
    `${other}.${signature}`,
    text,
    `${text}.`,
    `${token}.x`,
    "",
    "x".repeat(400),
  ])
    assert.equal(readUnsubscribeToken(key, forged, 1), null, forged);
});
