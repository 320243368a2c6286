// Ways in which a mail server fails for a while, over real sockets, with both priorities of email.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { newId } from "#base/clock/clock.ts";
import { deliveryOf } from "#core/mail/due-letter.ts";
import { onboardingLetters } from "#core/mail/onboarding.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { Store } from "#data/store/store.ts";
import { openMail } from "#server/composition/mail.ts";
import { readServeOptions } from "#server/configuration/flags.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { LETTERS } from "#testing/fixtures/letters.ts";
import { openMailServer } from "#testing/fixtures/mail-server.ts";
import type { MailServer, SmtpRefusal } from "#testing/fixtures/mail-server.ts";
import { BUILD } from "#testing/fixtures/project.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";
import { entry, sampleAccount } from "#testing/store-cases/store-account-cases.ts";

const PEOPLE = 12;

async function mailWorld(t: TestContext, port: number) {
  const data = await mkdtemp(join(tmpdir(), "bout-mail-"));
  t.after(() => rm(data, { recursive: true }));
  const options = readServeOptions(
    ["--data", data, "--smtp", `smtp://127.0.0.1:${port}`, "--base-url", "https://ladder.example"],
    {},
  );
  assert.ok(!("error" in options));
  const [store, clock] = [memoryStore(), fakeClock()];
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const mail = await openMail({
    options,
    place: { baseUrl: "https://ladder.example" },
    build: BUILD,
    store,
    key: Buffer.alloc(32, 7),
    clock,
    newId,
    log: log as unknown as Parameters<typeof openMail>[0]["log"],
    tell: () => {},
  });
  t.after(() => mail.stop());
  /** Lets time pass, and the sockets work, until it is so. */
  const until = async (isSo: () => Promise<boolean> | boolean) => {
    while (!(await isSo())) {
      clock.pass(500);
      await pause(2);
    }
  };
  return { store, clock, until, ...mail };
}

/** Accounts with a confirmed address, each with an optional email that is due. */
async function fillQueue(store: Store, at: string): Promise<void> {
  for (let number = 1; number <= PEOPLE; number += 1) {
    const account = await store.accounts.add(
      sampleAccount(number, { emailConfirmedAt: at }),
      entry({ id: newId() }),
    );
    await store.deliveries.queue([welcomeOf(account, at)], []);
  }
}

function welcomeOf({ id }: AccountRecord, at: string) {
  const [welcome] = onboardingLetters({ accountId: id, handle: "ada" }, at);
  return deliveryOf(welcome!, at, newId);
}

const openScopes = async (store: Store): Promise<string[]> =>
  (await store.incidents.list(99))
    .filter(({ resolved }) => resolved === null)
    .map(({ scope }) => scope)
    .toSorted();

type Outage = { begin: () => Promise<number>; end: () => Promise<MailServer> };

/** A server that is there, and refuses or hangs at a step. */
function failing(fault: SmtpRefusal): Outage {
  let server: MailServer;
  return {
    begin: async () => (server = await openMailServer(fault)).port,
    end: async () => {
      fault.step = null;
      return server;
    },
  };
}

/** No server at the port for a while. */
function unreachable(): Outage {
  let port: number;
  return {
    begin: async () => {
      const server = await openMailServer();
      await server.close();
      return (port = server.port);
    },
    end: () => openMailServer(null, port),
  };
}

const text = "not today";
const OUTAGES: Record<string, Outage> = {
  "rejects every recipient": failing({ step: "recipient", code: 550, text }),
  "refuses connections": unreachable(),
  hangs: failing({ step: "greeting", code: null, text }),
  "answers 421": failing({ step: "greeting", code: 421, text }),
};

for (const [what, outage] of Object.entries(OUTAGES))
  it(`T100 a mail server that ${what} for a while costs no transactional email and suppresses no recipient`, async (t) => {
    const { store, clock, until, send, report } = await mailWorld(t, await outage.begin());
    await fillQueue(store, clock.wall().toISOString());
    const people = Array.from({ length: PEOPLE }, (_, number) => `new-${number}@example.org`);
    for (const person of people) send(person, LETTERS.signup);
    await until(async () => (await openScopes(store)).length === 2);
    assert.deepEqual(await openScopes(store), ["*", "transactional"]);
    await until(() => report().retrying === PEOPLE);
    assert.equal(report().sent, 0);

    const server = await outage.end();
    t.after(() => server.close());
    await until(() => report().sent === PEOPLE);
    await until(async () => (await openScopes(store)).length === 1);
    assert.deepEqual(await openScopes(store), ["*"]);
    const end = entry({ id: newId(), kind: "mail.resolved", at: clock.wall().toISOString() });
    await store.incidents.resolve("*", "grace", end);
    await until(async () => (await store.deliveries.counts(end.at)).pending === 0);
    await until(async () => (await store.deliveries.counts(end.at)).sending === 0);

    const arrived = server.mails.flatMap(({ recipients }) => recipients);
    assert.deepEqual(arrived.filter((to) => to.startsWith("new-")).toSorted(), people.toSorted());
    assert.ok(arrived.some((to) => to.startsWith("person-")));
    assert.deepEqual(await store.deliveries.suppressed(9), { total: 0, accounts: [] });
    const { waiting, given_up: givenUp, failed } = report();
    assert.deepEqual({ waiting, givenUp, failed }, { waiting: 0, givenUp: 0, failed: 0 });
  });
