// npm run bench events: what an event costs on a ladder of `--stored N` matches (default 200,000)
// among `--bots N` bots (500), two of each account, all within the event's window. `--data DIR`
// keeps the database for the next run. Bot 4 has a twentieth of the matches.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { parseArgs } from "node:util";

import { MILLISECOND, SECOND_MS } from "#base/units/time.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { monthOf } from "#core/ladder/season.ts";
import type { Reconciliation } from "#core/resources/event.ts";
import { HOUSE_BOTS } from "#core/words/house.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";
import { openAwards } from "#live/awards/awards.ts";
import { openStore } from "#server/composition/open-store.ts";
import { accountApi, addPerson, ask, promote } from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { playersOf } from "#testing/store-cases/store-fill.ts";
import {
  sampleAudit,
  sampleBot,
  sampleId,
  sampleMatch,
  SAMPLES_MADE,
  sampleSeat,
  sampleTime,
  sampleVersion,
} from "#testing/store-cases/store-samples.ts";

import { median } from "./sockets/children.ts";

const SAVES_AT_ONCE = 320;
const SPACING_S = 15;
const CALLS = 50;
const RECOUNTS = 3;
/** In a millisecond. */
const NANOSECONDS = 1_000_000;
const BOTS_EACH = 2;
/** The first that is nobody's house bot. */
const BUSIEST = HOUSE_BOTS.length;
const MAPS = ["arena", "cross", "ring", "maze"];

/** Out of reach for most, so that nobody is done with it. */
const EVENT: EventDefinition = {
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
    description: "What earns it.",
    condition,
  })),
  approved: {},
};

type Size = { stored: number; bots: number };
type Person = { token: string; account: AccountRecord };
type World = { api: AccountApi; store: Store; people: Person[]; size: Size };

export async function run(): Promise<void> {
  const options = {
    stored: { type: "string", default: "200000" },
    bots: { type: "string", default: "500" },
    data: { type: "string" },
  } as const;
  const { values } = parseArgs({ options, strict: false });
  const size = { stored: Number(values.stored), bots: Number(values.bots) };
  const kept = values.data as string | undefined;
  const data = kept ?? (await mkdtemp(join(tmpdir(), "bout-bench-events-")));
  const store = await openStore({ data }, SAMPLES_MADE);
  try {
    await measure(await openWorld(store, size));
  } finally {
    await store.close();
    if (kept === undefined) await rm(data, { recursive: true });
  }
}

async function openWorld(store: Store, size: Size): Promise<World> {
  const api = accountApi({}, { store });
  const people: Person[] = [];
  for (let number = 0; number < size.bots / BOTS_EACH; number += 1)
    people.push(await addPerson(api, `person-${number}`));
  await seed({ api, store, people, size });
  await store.events.add(EVENT, sampleAudit(1));
  api.events.put(EVENT);
  return { api, store, people, size };
}

async function seed(world: World): Promise<void> {
  const { store, size } = world;
  const start = performance.now();
  const { games } = await store.matches.counts("public");
  if (games === 0) await addPlayers(world);
  let next = games;
  const saveOn = async () => {
    while (next < size.stored) await store.matches.save(playedMatch(next++, world));
  };
  await Promise.all(Array.from({ length: SAVES_AT_ONCE }, saveOn));
  const seconds = (performance.now() - start) / SECOND_MS;
  if (games < size.stored)
    console.log(`${size.stored - games} matches of ${size.bots} bots in ${seconds.toFixed(0)} s`);
}

async function addPlayers({ store, people, size }: World): Promise<void> {
  for (let number = 0; number < size.bots; number += 1) {
    const house = HOUSE_BOTS[number];
    const owner = { owner: `person-${number}`, ownerId: ownerOf(number, people)?.account.id ?? "" };
    const changes = house === undefined ? owner : { house: true, owner: "house", name: house.name };
    await store.bots.add(sampleBot(number, changes), `hash-${number}`, null);
    await store.versions.add(sampleVersion(number), null);
  }
}

const ownerOf = (number: number, people: readonly Person[]): Person | null =>
  number < HOUSE_BOTS.length ? null : people[Math.floor(number / BOTS_EACH)]!;

/** Draws, and wins of either side, on all maps. */
function playedMatch(number: number, { people, size: { bots } }: World): FinishedMatch {
  const players =
    number % 20 === 0 ? [BUSIEST, BUSIEST + 1 + ((number / 20) % (bots - BUSIEST - 1))] : null;
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

async function measure(world: World): Promise<void> {
  console.log("milliseconds: processor time of all threads, how long it took, longest wait");
  console.log("                                             mean   median      max   others");
  await benchCards(world);
  await benchStart(world);
  await benchGames(world);
  await benchRecounts(world);
}

/** What is prepared is not counted. */
type Job = { prepare?: () => Promise<unknown>; run: () => Promise<unknown> };

/** `others` is how long anybody else who wanted the thread waited at most. */
async function report(name: string, jobs: readonly Job[]): Promise<void> {
  const times: number[] = [];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let spent = 0;
  for (const { prepare, run } of jobs) {
    await prepare?.();
    const before = process.cpuUsage();
    const start = performance.now();
    delay.enable();
    await run();
    delay.disable();
    times.push(performance.now() - start);
    const { user, system } = process.cpuUsage(before);
    spent += (user + system) / MILLISECOND;
  }
  const others = delay.max / NANOSECONDS;
  const figures = [spent / jobs.length, median(times), Math.max(...times), others];
  const shown = figures.map((time) => time.toFixed(1).padStart(9)).join("");
  console.log(`  ${name.padEnd(40)} ${shown}`);
}

const CARDS = "/api/account/events/spring/achievements";

async function benchCards({ api, people }: World): Promise<void> {
  const look = (person: Person): Job => ({ run: () => cards(api, person) });
  const busiest = ownerOf(BUSIEST, people)!;
  const some = people.slice(-CALLS);
  await report("cards of the busiest account, first time", [look(busiest)]);
  await report(
    "cards of the busiest account, later",
    Array.from({ length: CALLS }, () => look(busiest)),
  );
  await report("cards of an account, first time", some.map(look));
  await report("cards of an account, later", some.map(look));
}

async function cards(api: AccountApi, { token }: Person): Promise<void> {
  const { told } = await ask(api, ["GET", CARDS], { token });
  if (told !== "200") throw new Error(told);
}

/** What a start does for an event that is not settled: everybody is looked at. */
async function benchStart({ api, store }: World): Promise<void> {
  const awards = openAwards({
    store,
    events: api.events,
    hasMail: true,
    newId: api.newId,
    instant: () => api.now().toISOString(),
    after: () => () => {},
    log: { error: (fields) => console.error(fields) },
  });
  await report("all awards of the event at a start", [{ run: () => awards.settled() }]);
  awards.stop();
}

/** Of bots that have been looked at since the start. */
async function benchGames(world: World): Promise<void> {
  const { api, store, people } = world;
  for (const person of people) await cards(api, person);
  const { games: first } = await store.matches.counts("public");
  const jobs = Array.from({ length: CALLS }, (_, number) => {
    const game = playedMatch(first + number, world);
    return { prepare: () => store.matches.save(game), run: () => settled(api, game) };
  });
  await report("awards after a game", jobs);
}

async function settled({ awards }: AccountApi, game: FinishedMatch): Promise<void> {
  const { id, ladderId, rated, ended, seats } = game;
  const players = seats.map(({ botId, accountId }) => ({ botId: botId ?? "", accountId }));
  awards.stored({ matchId: id, ladderId, rated, ended, seats: players });
  await awards.settled();
}

async function benchRecounts({ api }: World): Promise<void> {
  const grace = await addPerson(api, "grace");
  await promote(api, grace.account);
  const run = async () => {
    const path = ["POST", "/api/admin/events/spring/reconcile"] as const;
    const { told, body } = await ask(api, path, { token: grace.token });
    const { missing_awards: lost } = body as Reconciliation;
    if (told !== "200" || lost.length > 0) throw new Error(`${told}: not all given`);
  };
  await report(
    "reconcile",
    Array.from({ length: RECOUNTS }, () => ({ run })),
  );
}
