// npm run bench events: measures the cost of an event on a ladder with `--stored N` matches
// (default 200,000) among `--bots N` bots (default 500), two per account. All matches are within
// the event's window. `--data DIR` keeps the database for the next run. Bot 4 plays one in twenty
// matches.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { parseArgs } from "node:util";

import { MILLISECOND_US, SECOND_MS } from "#base/util/time.ts";
import type { Reconciliation } from "#core/api/event.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { HOUSE_BOTS } from "#core/ids/house-bots.ts";
import { monthOf } from "#core/ladder/season.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";
import { openAwards } from "#live/awards/awards.ts";
import { openStore } from "#server/composition/open-store.ts";
import {
  accountApi,
  signUpAccount,
  sendRequest,
  makeAdmin,
} from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { playersOf } from "#testing/store-contract/store-fill.ts";
import {
  sampleAudit,
  sampleBot,
  sampleId,
  sampleMatch,
  SAMPLES_CREATED_AT,
  sampleSeat,
  sampleTime,
  sampleVersion,
} from "#testing/store-contract/store-samples.ts";

import { middleValue } from "./sockets/children.ts";

const CONCURRENT_SAVES = 320;
const SPACING_S = 15;
const CALLS = 50;
const RECOUNT_ROUNDS = 3;
const NANOSECONDS = 1_000_000;
const BOTS_PER_ACCOUNT = 2;
const BUSIEST_BOT = HOUSE_BOTS.length;
const MAPS = ["arena", "cross", "ring", "maze"];

/** Thresholds are high enough that no account completes an achievement. */
const SAMPLE_EVENT: EventDefinition = {
  id: "spring",
  ladderId: "public",
  name: "Spring",
  description: "",
  opensAt: sampleTime(0),
  closesAt: "2027-01-01T00:00:00.000Z",
  timezone: "UTC",
  metadata: null,
  image: null,
  submissionUrl: null,
  submissionInstructions: "",
  flagMode: "testing",
  revision: 0,
  enabled: true,
  achievements: [
    { kind: "games", count: 500 } as const,
    { kind: "defeat", opponent: "kiter", wins: 3, maps: 3 } as const,
    { kind: "clean", games: 5000 } as const,
    { kind: "streak", wins: 5000 } as const,
    { kind: "score", least: 5000 } as const,
  ].map((condition) => ({
    id: `by-${condition.kind}`,
    name: condition.kind,
    description: "How to earn it.",
    condition,
  })),
  approved: {},
};

type Size = { stored: number; bots: number };
type AccountHolder = { token: string; account: AccountRecord };
type EventWorld = { api: AccountApi; store: Store; people: AccountHolder[]; size: Size };

export async function run(): Promise<void> {
  const options = {
    stored: { type: "string", default: "200000" },
    bots: { type: "string", default: "500" },
    data: { type: "string" },
  } as const;
  const { values } = parseArgs({ options, strict: false });
  const size = { stored: Number(values.stored), bots: Number(values.bots) };
  const dataOption = values.data as string | undefined;
  const data = dataOption ?? (await mkdtemp(join(tmpdir(), "bout-bench-events-")));
  const store = await openStore({ data }, SAMPLES_CREATED_AT);
  try {
    await measureEvents(await openWorld(store, size));
  } finally {
    await store.close();
    if (dataOption === undefined) await rm(data, { recursive: true });
  }
}

async function openWorld(store: Store, size: Size): Promise<EventWorld> {
  const api = accountApi({}, { store });
  const people: AccountHolder[] = [];
  for (let number = 0; number < size.bots / BOTS_PER_ACCOUNT; number += 1)
    people.push(await signUpAccount(api, `person-${number}`));
  await seedMatches({ api, store, people, size });
  await store.events.add(SAMPLE_EVENT, sampleAudit(1));
  api.events.upsert(SAMPLE_EVENT);
  return { api, store, people, size };
}

async function seedMatches(world: EventWorld): Promise<void> {
  const { store, size } = world;
  const start = performance.now();
  const { games: matchCount } = await store.matches.counts("public");
  if (matchCount === 0) await addPlayers(world);
  let nextNumber = matchCount;
  const saveNext = async () => {
    while (nextNumber < size.stored) await store.matches.save(playedMatch(nextNumber++, world));
  };
  await Promise.all(Array.from({ length: CONCURRENT_SAVES }, saveNext));
  const seconds = (performance.now() - start) / SECOND_MS;
  if (matchCount < size.stored)
    console.log(
      `${size.stored - matchCount} matches of ${size.bots} bots in ${seconds.toFixed(0)} s`,
    );
}

async function addPlayers({ store, people, size }: EventWorld): Promise<void> {
  for (let number = 0; number < size.bots; number += 1) {
    const house = HOUSE_BOTS[number];
    const owner = { owner: `person-${number}`, ownerId: ownerOf(number, people)?.account.id ?? "" };
    const changes = house === undefined ? owner : { house: true, owner: "house", name: house.name };
    await store.bots.add(sampleBot(number, changes), `hash-${number}`, null);
    await store.versions.add(sampleVersion(number), null);
  }
}

const ownerOf = (number: number, people: readonly AccountHolder[]): AccountHolder | null =>
  number < HOUSE_BOTS.length ? null : people[Math.floor(number / BOTS_PER_ACCOUNT)]!;

function playedMatch(number: number, { people, size: { bots } }: EventWorld): FinishedMatch {
  const players =
    number % 20 === 0
      ? [BUSIEST_BOT, BUSIEST_BOT + 1 + ((number / 20) % (bots - BUSIEST_BOT - 1))]
      : null;
  const [first, second] = players ?? playersOf(number, bots);
  const started = sampleTime(number * SPACING_S);
  const winners = [null, sampleId("bot", first!), sampleId("bot", second!)];
  const seats = [first!, second!].map((player, seat) =>
    sampleSeat(player, {
      fighter: "AB"[seat]!,
      accountId: ownerOf(player, people)?.account.id ?? null,
      deviationAfter: 40,
      scoreAfter: 1400 + (number % 200),
    }),
  );
  return sampleMatch(number, {
    started,
    ended: sampleTime(number * SPACING_S + 60),
    season: monthOf(started),
    map: MAPS[number % MAPS.length]!,
    winnerBotId: winners[(number >> 2) % winners.length]!,
    seats,
  });
}

async function measureEvents(world: EventWorld): Promise<void> {
  console.log("milliseconds: CPU time of all threads, elapsed time, longest wait");
  console.log("                                             mean   median      max   others");
  await benchCards(world);
  await benchStart(world);
  await benchMatches(world);
  await benchRecounts(world);
}

/** Only `run` is measured. */
type Job = { prepare?: () => Promise<unknown>; run: () => Promise<unknown> };

/**
 * The `others` column is the longest event loop delay, which is how long other work on the thread
 * had to wait.
 */
async function reportJobs(name: string, jobs: readonly Job[]): Promise<void> {
  const times: number[] = [];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let cpuMs = 0;
  for (const { prepare, run } of jobs) {
    await prepare?.();
    const before = process.cpuUsage();
    const start = performance.now();
    delay.enable();
    await run();
    delay.disable();
    times.push(performance.now() - start);
    const { user, system } = process.cpuUsage(before);
    cpuMs += (user + system) / MILLISECOND_US;
  }
  const longestWaitMs = delay.max / NANOSECONDS;
  const numbers = [cpuMs / jobs.length, middleValue(times), Math.max(...times), longestWaitMs];
  const formattedFigures = numbers.map((time) => time.toFixed(1).padStart(9)).join("");
  console.log(`  ${name.padEnd(40)} ${formattedFigures}`);
}

const CARDS = "/api/account/events/spring/achievements";

async function benchCards({ api, people }: EventWorld): Promise<void> {
  const cardsJob = (person: AccountHolder): Job => ({ run: () => requestCards(api, person) });
  const busiest = ownerOf(BUSIEST_BOT, people)!;
  const sampledPeople = people.slice(-CALLS);
  await reportJobs("cards of the busiest account, first time", [cardsJob(busiest)]);
  await reportJobs(
    "cards of the busiest account, later",
    Array.from({ length: CALLS }, () => cardsJob(busiest)),
  );
  await reportJobs("cards of an account, first time", sampledPeople.map(cardsJob));
  await reportJobs("cards of an account, later", sampledPeople.map(cardsJob));
}

async function requestCards(api: AccountApi, { token }: AccountHolder): Promise<void> {
  const { told: outcome } = await sendRequest(api, ["GET", CARDS], { token });
  if (outcome !== "200") throw new Error(outcome);
}

async function benchStart({ api, store }: EventWorld): Promise<void> {
  const awards = openAwards({
    store,
    events: api.events,
    hasMail: true,
    newId: api.newId,
    instant: () => api.now().toISOString(),
    after: () => () => {},
    log: { error: (fields) => console.error(fields) },
  });
  await reportJobs("all awards of the event at startup", [{ run: () => awards.whenIdle() }]);
  awards.stop();
}

/** Measures awarding after a match, once every account has been processed since startup. */
async function benchMatches(world: EventWorld): Promise<void> {
  const { api, store, people } = world;
  for (const person of people) await requestCards(api, person);
  const { games: first } = await store.matches.counts("public");
  const jobs = Array.from({ length: CALLS }, (_, number) => {
    const match = playedMatch(first + number, world);
    return { prepare: () => store.matches.save(match), run: () => awardMatch(api, match) };
  });
  await reportJobs("awards after a match", jobs);
}

async function awardMatch({ awards }: AccountApi, match: FinishedMatch): Promise<void> {
  const { id, ladderId, rated, ended, seats } = match;
  const players = seats.map(({ botId, accountId }) => ({ botId: botId ?? "", accountId }));
  awards.handleMatchStored({ matchId: id, ladderId, rated, ended, seats: players });
  await awards.whenIdle();
}

async function benchRecounts({ api }: EventWorld): Promise<void> {
  const grace = await signUpAccount(api, "grace");
  await makeAdmin(api, grace.account);
  const run = async () => {
    const path = ["POST", "/api/admin/events/spring/reconcile"] as const;
    const { told: outcome, body } = await sendRequest(api, path, { token: grace.token });
    const { missing_awards: missingAwards } = body as Reconciliation;
    if (outcome !== "200" || missingAwards.length > 0)
      throw new Error(`${outcome}: some awards are missing`);
  };
  await reportJobs(
    "reconcile",
    Array.from({ length: RECOUNT_ROUNDS }, () => ({ run })),
  );
}
