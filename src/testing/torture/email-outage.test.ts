import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { newId } from "#base/clock/clock.ts";
import { createDelivery } from "#core/mail/due-email.ts";
import { onboardingEmails } from "#core/mail/onboarding.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { Store } from "#data/store/store.ts";
import { openMail } from "#server/composition/mail.ts";
import { readServeOptions } from "#server/configuration/flags.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { openSmtpServer } from "#testing/fixtures/mail-server.ts";
import type { MailServer, SmtpRefusal } from "#testing/fixtures/mail-server.ts";
import { TEST_BUILD } from "#testing/fixtures/project.ts";
import { SAMPLE_EMAILS } from "#testing/fixtures/sample-emails.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";
import { sampleEntry, sampleAccount } from "#testing/store-contract/store-account-cases.ts";

const PEOPLE = 12;

async function openMailWorld(t: TestContext, port: number) {
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
    apiSettings: { baseUrl: "https://ladder.example" },
    build: TEST_BUILD,
    store,
    key: Buffer.alloc(32, 7),
    clock,
    newId,
    log: log as unknown as Parameters<typeof openMail>[0]["log"],
    printLine: () => {},
  });
  t.after(() => mail.stop());
  const until = async (isSo: () => Promise<boolean> | boolean) => {
    while (!(await isSo())) {
      clock.advance(500);
      await pause(2);
    }
  };
  return { store, clock, until, ...mail };
}

async function fillQueue(store: Store, at: string): Promise<void> {
  for (let number = 1; number <= PEOPLE; number += 1) {
    const account = await store.accounts.add(
      sampleAccount(number, { emailConfirmedAt: at }),
      sampleEntry({ id: newId() }),
    );
    await store.deliveries.queue([welcomeEmail(account, at)], []);
  }
}

function welcomeEmail({ id }: AccountRecord, at: string) {
  const [welcome] = onboardingEmails({ accountId: id, handle: "ada" }, at);
  return createDelivery(welcome!, at, newId);
}

const openScopes = async (store: Store): Promise<string[]> =>
  (await store.incidents.list(99))
    .filter(({ resolved }) => resolved === null)
    .map(({ scope }) => scope)
    .toSorted();

type Outage = { begin: () => Promise<number>; end: () => Promise<MailServer> };

function smtpFailure(fault: SmtpRefusal): Outage {
  let server: MailServer;
  return {
    begin: async () => (server = await openSmtpServer(fault)).port,
    end: async () => {
      fault.step = null;
      return server;
    },
  };
}

function unreachable(): Outage {
  let port: number;
  return {
    begin: async () => {
      const server = await openSmtpServer();
      await server.close();
      return (port = server.port);
    },
    end: () => openSmtpServer(null, port),
  };
}

const smtpText = "not today";
const OUTAGES: Record<string, Outage> = {
  "rejects every recipient": smtpFailure({ step: "recipient", code: 550, text: smtpText }),
  "refuses connections": unreachable(),
  hangs: smtpFailure({ step: "greeting", code: null, text: smtpText }),
  "answers 421": smtpFailure({ step: "greeting", code: 421, text: smtpText }),
};

for (const [description, outage] of Object.entries(OUTAGES))
  it(`T100 no transactional email is lost and no recipient is suppressed if the mail server ${description} for a while`, async (t) => {
    const { store, clock, until, send, report } = await openMailWorld(t, await outage.begin());
    await fillQueue(store, clock.wall().toISOString());
    const people = Array.from({ length: PEOPLE }, (_, number) => `new-${number}@example.org`);
    for (const person of people) send(person, SAMPLE_EMAILS.signup);
    await until(async () => (await openScopes(store)).length === 2);
    assert.deepEqual(await openScopes(store), ["*", "transactional"]);
    await until(() => report().retrying === PEOPLE);
    assert.equal(report().sent, 0);

    const server = await outage.end();
    t.after(() => server.close());
    await until(() => report().sent === PEOPLE);
    await until(async () => (await openScopes(store)).length === 1);
    assert.deepEqual(await openScopes(store), ["*"]);
    const end = sampleEntry({ id: newId(), kind: "mail.resolved", at: clock.wall().toISOString() });
    await store.incidents.resolve("*", "grace", end);
    await until(async () => (await store.deliveries.counts(end.at)).pending === 0);
    await until(async () => (await store.deliveries.counts(end.at)).sending === 0);

    const deliveredTo = server.receivedMessages.flatMap(({ recipients }) => recipients);
    assert.deepEqual(
      deliveredTo.filter((to) => to.startsWith("new-")).toSorted(),
      people.toSorted(),
    );
    assert.ok(deliveredTo.some((to) => to.startsWith("person-")));
    assert.deepEqual(await store.deliveries.listSuppressed(9), { total: 0, accounts: [] });
    const { waiting, given_up: givenUp, failed } = report();
    assert.deepEqual({ waiting, givenUp, failed }, { waiting: 0, givenUp: 0, failed: 0 });
  });
