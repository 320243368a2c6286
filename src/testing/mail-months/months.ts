// Months of mail in simulated time: the real decisions, rounds and lane over a real SQLite database,
// with a clock that only this moves and a mail server that does what it likes. The process that
// makes and sends letters is killed again and again.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { DAY_MS, HOUR_MS } from "#base/units/time.ts";
import type { Begun } from "#data/store/delivery.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { createDice } from "#testing/simulation/dice.ts";
import { SAMPLES_MADE } from "#testing/store-cases/store-samples.ts";

import { expectedOf } from "./expected.ts";
import { openLedger } from "./ledger.ts";
import { openLife } from "./life.ts";
import type { SenderLife } from "./life.ts";
import type { Somebody } from "./person.ts";
import { openPost } from "./post.ts";
import { openSender } from "./sender.ts";
import type { MailSender } from "./sender.ts";
import { live, openWorld, resolve } from "./world.ts";

export type MonthsSize = { seed: number; accounts: number; days: number };

export type MonthsReport = {
  faults: string[];
  /** How many letters came to which end, and how many processes there were. */
  counts: Record<string, number>;
};

/** `plant` puts a bug into the store that letters are made and sent from. */
export async function months(
  size: MonthsSize,
  plant: (store: Store) => Store = (store) => store,
): Promise<MonthsReport> {
  const data = await mkdtemp(join(tmpdir(), "bout-mail-months-"));
  const store = await openStore({ data }, SAMPLES_MADE);
  try {
    return await runMonths(size, store, plant(store));
  } finally {
    await store.close();
    await rm(data, { recursive: true });
  }
}

type Skipped = Extract<Begun, { skipped: unknown }>;

/** Seconds that the lane may have before something else happens. */
const LANE_S = 400;

async function runMonths(size: MonthsSize, store: Store, planted: Store): Promise<MonthsReport> {
  const dice = createDice(size.seed);
  const clock = fakeClock();
  const people = new Map<string, Somebody>();
  const ledger = openLedger(people);
  const now = () => clock.wall().getTime();
  let ids = 0;
  const newId = () => `01900000-0000-7000-8000-f${(ids += 1).toString(16).padStart(11, "0")}`;
  let life: SenderLife | null = null;
  let lives = 0;
  const refusing = (to: string) =>
    people.values().some(({ email, isRefused }) => isRefused && email === to);
  const post = openPost({
    dice: dice.branch("post"),
    isRefused: refusing,
    kill: () => life?.die(),
    ...ledger,
  });
  const around = { store, ledger, people, size, now, newId, changeSpell: post.change };
  const world = await openWorld({ ...around, dice: dice.branch("world") });
  const expected = expectedOf(world);

  const begin = (): MailSender => {
    const branch = dice.branch(`life ${(lives += 1)}`);
    const skipped = (begun: Skipped) => void skips.push(begun);
    const own = openLife({ store: planted, dice: branch, skipped });
    life = own;
    return openSender({ life: own, clock, events: world.events, carry: post.carry, newId });
  };

  const skips: Skipped[] = [];
  async function checkSkips(): Promise<void> {
    if (skips.length === 0) return;
    const rows = new Map((await store.deliveries.list(1_000_000)).map((row) => [row.id, row]));
    for (const begun of skips.splice(0)) ledger.skipped(begun, rows.get(begun.id));
  }

  const end = now() + size.days * DAY_MS;
  let process = begin();
  while (now() < end) {
    const hours = dice.chance(0.02) ? dice.between(6, 80) : dice.between(0.5, 4);
    if (process.life.isDead()) process = begin();
    if (hours > 4) await process.stop();
    clock.stall(hours * HOUR_MS);
    if (hours > 4) process = begin();
    // What goes out and what people do are never at once, so that each letter can be judged.
    await process.settle();
    await checkSkips();
    await live(world, hours);
    expected.begins();
    if (await process.look()) await expected.looked();
    await process.send(dice.below(LANE_S));
    await checkSkips();
  }

  post.change(null);
  for (let calm = 0; calm < CALM_ROUNDS; calm += 1) {
    if (process.life.isDead()) process = begin();
    await resolve(world, true);
    await process.send(CALM_S);
    await checkSkips();
  }
  await process.stop();
  await store.deliveries.interrupt(clock.wall().toISOString());
  const rows = await store.deliveries.list(1_000_000);
  const counts = ledger.close(rows, clock.wall().toISOString());
  const faults = [...ledger.faults].toSorted();
  return { faults, counts: { ...counts, lives, people: people.size } };
}

/** At the end, until nothing waits any more. */
const CALM_ROUNDS = 20;
const CALM_S = 99_999;
