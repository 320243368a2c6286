// Months of mail in simulated time: the real decisions, rounds and lane over a real SQLite database,
// with a clock that only this moves and a mail server that does what it likes. The process that
// makes and sends letters is killed again and again.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import { DAY_MS, HOUR_MS, SECOND_MS } from "#base/units/time.ts";
import { PUBLIC } from "#core/ladder/ladder.ts";
import { FIXED } from "#core/words/limits.ts";
import type { Store } from "#data/store/store.ts";
import { openSecondLane } from "#outside/mail/second-lane.ts";
import { openStore } from "#server/composition/open-store.ts";
import { openLetterRounds } from "#server/jobs/letters.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { createDice } from "#testing/simulation/dice.ts";
import { CUP } from "#testing/store-cases/store-kept-ladder-cases.ts";
import { SAMPLES_MADE } from "#testing/store-cases/store-samples.ts";

import { expectedOf } from "./expected.ts";
import { openLedger } from "./ledger.ts";
import { openLife } from "./life.ts";
import type { SenderLife } from "./life.ts";
import type { Somebody } from "./person.ts";
import { openPost } from "./post.ts";
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

  function begin() {
    const own = openLife({
      store: planted,
      dice: dice.branch(`life ${(lives += 1)}`),
      skipped: (begun) => void pendingSkips.push(begun),
    });
    life = own;
    const log = { warn: () => {}, error: () => {} };
    const { signal } = new AbortController();
    const rounds = openLetterRounds({
      store: own.store,
      events: { all: () => world.events },
      ladders: { all: () => [PUBLIC, CUP] },
      adminEmails: () => new Set(),
      clock,
      newId,
    });
    const lane = openSecondLane({
      store: own.store,
      write: (notice) => ({ subject: "", text: JSON.stringify(notice), html: "" }),
      sender: { baseUrl: "https://ladder.example", contact: null },
      carry: post.carry,
      host: "ladder.example",
      linkOf: (meant) => JSON.stringify(meant),
      clock,
      newId,
      log,
    });
    return { own, lane, look: () => rounds.look(signal) };
  }

  const pendingSkips: Parameters<typeof ledger.skipped>[0][] = [];
  async function checkSkips(): Promise<void> {
    if (pendingSkips.length === 0) return;
    const rows = new Map((await store.deliveries.list(1_000_000)).map((row) => [row.id, row]));
    for (const begun of pendingSkips.splice(0)) ledger.skipped(begun, rows.get(begun.id));
  }

  /** Lets everything happen that waits for no time. */
  async function settle(own: SenderLife): Promise<void> {
    for (let quiet = 0; quiet < 3 && !own.isDead();) {
      await turnOfTheLoop();
      quiet = own.inFlight() === 0 ? quiet + 1 : 0;
    }
  }

  async function send(own: SenderLife, mostS: number): Promise<void> {
    await settle(own);
    for (let second = 0; second < mostS && !own.isDead(); second += 1) {
      clock.pass(SECOND_MS);
      await settle(own);
      if (!own.isBusy() && second > IDLE_S) break;
    }
  }

  async function look({ own, look: begun }: ReturnType<typeof begin>): Promise<void> {
    let isDone: boolean | null = null;
    expected.begins();
    begun().then(
      () => void (isDone = true),
      () => void (isDone = false),
    );
    while (isDone === null && !own.isDead()) await turnOfTheLoop();
    if (isDone === true) await expected.looked();
  }

  async function stop({ own, lane }: ReturnType<typeof begin>): Promise<void> {
    let isDone = false;
    void lane.stop().then(() => (isDone = true));
    while (!isDone && !own.isDead()) {
      await settle(own);
      clock.pass(SECOND_MS);
    }
  }

  const end = now() + size.days * DAY_MS;
  let process = begin();
  while (now() < end) {
    const hours = dice.chance(0.02) ? dice.between(6, 80) : dice.between(0.5, 4);
    if (process.own.isDead()) process = begin();
    if (hours > 4) await stop(process);
    clock.stall(hours * HOUR_MS);
    if (hours > 4) process = begin();
    // What goes out and what people do are never at once, so that each letter can be judged.
    await settle(process.own);
    await checkSkips();
    await live(world, hours);
    await look(process);
    await send(process.own, dice.below(LANE_S));
    await checkSkips();
  }

  post.change(null);
  for (let calm = 0; calm < CALM_ROUNDS; calm += 1) {
    if (process.own.isDead()) process = begin();
    await resolve(world, true);
    await send(process.own, 99_999);
    await checkSkips();
  }
  await stop(process);
  await store.deliveries.interrupt(clock.wall().toISOString());
  const rows = await store.deliveries.list(1_000_000);
  const counts = ledger.close(rows, clock.wall().toISOString());
  return {
    faults: [...ledger.faults].toSorted(),
    counts: { ...counts, lives, people: people.size },
  };
}

/** After the lane has found nothing, it looks again within this time. */
const IDLE_S = 2 + FIXED.optional_mail_every_ms / SECOND_MS;
/** At the end, until nothing waits any more. */
const CALM_ROUNDS = 20;
