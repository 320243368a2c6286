// Simulates months of email. The server's own rules, rounds and queue run on a SQLite database,
// with a virtual clock and an unreliable mail server. The process that creates and sends emails is
// killed repeatedly.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { DAY_MS, HOUR_MS } from "#base/util/time.ts";
import type { StartedDelivery } from "#data/store/delivery.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { createDice } from "#testing/simulation/dice.ts";
import { SAMPLES_CREATED_AT } from "#testing/store-contract/store-samples.ts";

import { createExpectedEmails } from "./expected-emails.ts";
import { createMailLedger } from "./ledger.ts";
import { createMailSender } from "./mail-sender.ts";
import type { MailSender } from "./mail-sender.ts";
import { createMailServer } from "./mail-server.ts";
import { simulateHours, createMailWorld, resolveIncidents } from "./mail-world.ts";
import type { MailPerson } from "./person.ts";
import { createSenderProcess } from "./sender-process.ts";
import type { SenderProcess } from "./sender-process.ts";

export type MailSimulationSize = { seed: number; accounts: number; days: number };

export type MailSimulationReport = {
  problems: string[];
  counts: Record<string, number>;
};

/** `plantBug` puts a bug into the store. */
export async function simulateMail(
  size: MailSimulationSize,
  plantBug: (store: Store) => Store = (store) => store,
): Promise<MailSimulationReport> {
  const data = await mkdtemp(join(tmpdir(), "bout-mail-months-"));
  const store = await openStore({ data }, SAMPLES_CREATED_AT);
  try {
    return await runSimulation(size, store, plantBug(store));
  } finally {
    await store.close();
    await rm(data, { recursive: true });
  }
}

type SkippedDelivery = Extract<StartedDelivery, { skipped: unknown }>;

/** Maximum virtual seconds for which the queue runs between events. */
const MAX_SEND_S = 400;

async function runSimulation(
  size: MailSimulationSize,
  store: Store,
  brokenStore: Store,
): Promise<MailSimulationReport> {
  const dice = createDice(size.seed);
  const clock = fakeClock();
  const people = new Map<string, MailPerson>();
  const ledger = createMailLedger(people);
  const now = () => clock.wall().getTime();
  let idCount = 0;
  const newId = () => `01900000-0000-7000-8000-f${(idCount += 1).toString(16).padStart(11, "0")}`;
  let currentProcess: SenderProcess | null = null;
  let processCount = 0;
  const isRefusedAddress = (to: string) =>
    people.values().some(({ email, isRefused }) => isRefused && email === to);
  const mailServer = createMailServer({
    dice: dice.branch("post"),
    isRefused: isRefusedAddress,
    kill: () => currentProcess?.kill(),
    ...ledger,
  });
  const sharedDeps = { store, ledger, people, size, now, newId, setOutage: mailServer.setOutage };
  const world = await createMailWorld({ ...sharedDeps, dice: dice.branch("world") });
  const expectedEmails = createExpectedEmails(world);

  const startSender = (): MailSender => {
    const branch = dice.branch(`life ${(processCount += 1)}`);
    const skipped = (begun: SkippedDelivery) => void skippedDeliveries.push(begun);
    const senderProcess = createSenderProcess({ store: brokenStore, dice: branch, skipped });
    currentProcess = senderProcess;
    return createMailSender({
      senderProcess: senderProcess,
      clock,
      events: world.events,
      transport: mailServer.carry,
      newId,
    });
  };

  const skippedDeliveries: SkippedDelivery[] = [];
  async function checkSkips(): Promise<void> {
    if (skippedDeliveries.length === 0) return;
    const rows = new Map((await store.deliveries.list(1_000_000)).map((row) => [row.id, row]));
    for (const begun of skippedDeliveries.splice(0)) ledger.skipped(begun, rows.get(begun.id));
  }

  const end = now() + size.days * DAY_MS;
  let sender = startSender();
  while (now() < end) {
    const hours = dice.chance(0.02) ? dice.between(6, 80) : dice.between(0.5, 4);
    if (sender.senderProcess.isDead()) sender = startSender();
    if (hours > 4) await sender.stop();
    clock.stall(hours * HOUR_MS);
    if (hours > 4) sender = startSender();
    // Sends only while people are idle, so that every email can be checked.
    await sender.settle();
    await checkSkips();
    await simulateHours(world, hours);
    expectedEmails.startRound();
    if (await sender.runRound()) await expectedEmails.finishRound();
    await sender.send(dice.below(MAX_SEND_S));
    await checkSkips();
  }

  mailServer.setOutage(null);
  for (let calmRound = 0; calmRound < CALM_ROUNDS; calmRound += 1) {
    if (sender.senderProcess.isDead()) sender = startSender();
    await resolveIncidents(world, true);
    await sender.send(CALM_S);
    await checkSkips();
  }
  await sender.stop();
  await store.deliveries.interrupt(clock.wall().toISOString());
  const rows = await store.deliveries.list(1_000_000);
  const counts = ledger.close(rows, clock.wall().toISOString());
  const problems = [...ledger.problems].toSorted();
  return { problems, counts: { ...counts, lives: processCount, people: people.size } };
}

const CALM_ROUNDS = 20;
const CALM_S = 99_999;
