import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";

// How long each read takes that an HTTP route waits for, from a database that is made by playing
// `--stored N` matches (default 200,000) among `--bots N` bots (500); `--data DIR` keeps it there
// for the next run. Bot 0 has a twentieth of the matches, more than anybody else.
import { MILLISECOND, SECOND_MS } from "#base/units/time.ts";
import { monthOf, windowOfMonth } from "#core/ladder/season.ts";
import type { FinalStanding, FinishedMatch, Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import { playersOf } from "#testing/store-cases/store-fill.ts";
import {
  addSamplePlayers,
  sampleBot,
  sampleId,
  sampleMatch,
  SAMPLES_MADE,
  SAMPLE_SEASON,
  sampleSeat,
  sampleTime,
} from "#testing/store-cases/store-samples.ts";

/** Longest allowed, in milliseconds. */
const TARGET_MS = 20;
const CALLS = 50;
const SAVES_AT_ONCE = 320;
/** Seconds from one start to the next: the matches reach from a first month into a second. */
const SPACING_S = 15;
const LIVE_SEASON = "2026-02";
const MAPS = ["arena", "cross", "ring", "maze"];

type Size = { stored: number; bots: number };
type Read = [name: string, run: (store: Store, call: number) => Promise<unknown>];

export async function run(): Promise<void> {
  const options = {
    stored: { type: "string", default: "200000" },
    bots: { type: "string", default: "500" },
    data: { type: "string" },
  } as const;
  const { values } = parseArgs({ options, strict: false });
  const size = { stored: Number(values.stored), bots: Number(values.bots) };
  const kept = values.data as string | undefined;
  const data = kept ?? (await mkdtemp(join(tmpdir(), "bout-bench-queries-")));
  await seed(data, size);
  const store = await openStore({ data });
  await benchReads(store, size);
  await store.close();
  if (kept === undefined) await rm(data, { recursive: true });
}

async function seed(data: string, { stored, bots }: Size): Promise<void> {
  const store = await openStore({ data }, SAMPLES_MADE);
  const start = performance.now();
  await addSamplePlayers(store, bots);
  const { games } = await store.matchCounts("public");
  let next = games;
  const saveOn = async () => {
    while (next < stored) await store.saveMatch(playedMatch(next++, bots));
  };
  await Promise.all(Array.from({ length: SAVES_AT_ONCE }, saveOn));
  await store.openSeasons([{ ...windowOfMonth(LIVE_SEASON), archivedAt: null }]);
  await store.archiveSeason(SAMPLE_SEASON, SAMPLES_MADE, standings(bots));
  await store.close();
  const seconds = (performance.now() - start) / SECOND_MS;
  console.log(`${stored - games} matches of ${bots} bots saved in ${seconds.toFixed(0)} s`);
}

/** Draws, and wins of either side, on all maps. */
function playedMatch(number: number, bots: number): FinishedMatch {
  const [first, second] =
    number % 20 === 0 ? [0, 1 + ((number / 20) % (bots - 1))] : playersOf(number, bots);
  const started = sampleTime(number * SPACING_S);
  const winners = [null, sampleId("bot", first), sampleId("bot", second)];
  return sampleMatch(number, {
    started,
    ended: sampleTime(number * SPACING_S + 60),
    season: monthOf(started),
    map: MAPS[number % MAPS.length]!,
    winnerBotId: winners[(number >> 2) % winners.length]!,
    seats: [sampleSeat(first), sampleSeat(second, { fighter: "B", ratingAfter: 1492 })],
    settled: true,
  });
}

function standings(bots: number): FinalStanding[] {
  return Array.from({ length: bots }, (_, number) => {
    const { id: botId, name, owner, house } = sampleBot(number);
    const result = { wins: 1, draws: 1, losses: 1, rating: 1500, deviation: 50 };
    const versionId = sampleId("version", number);
    return { rank: number + 1, botId, versionId, name, owner, house, label: "v1", ...result };
  });
}

function readsOf({ stored, bots }: Size): Read[] {
  const bot = (call: number) => sampleId("bot", call % bots);
  const match = (number: number) => sampleId("match", number % stored);
  const busiest = sampleId("bot", 0);
  const hundreds = (kind: "bot" | "version", call: number) =>
    Array.from({ length: 500 }, (_, number) => sampleId(kind, (call + number) % bots));
  const versions = (call: number) => [0, 1, 2].map((n) => sampleId("version", (call + n) % bots));
  const list = { ladderId: "public", limit: 50, withStats: false };
  const ofBusiest = { ...list, botId: busiest };
  const archived = { ladderId: "public", season: SAMPLE_SEASON };
  const live = { ladderId: "public", season: LIVE_SEASON };
  const history = { ladderId: "public", botId: busiest, points: 1000 };
  const middle = (call: number) => match(Math.floor(stored / 2) + call);
  return [
    ["house bots", (store) => store.houseBots()],
    ["500 bots by id", (store, call) => store.botsById(hundreds("bot", call))],
    ["bot by name", (store, call) => store.botByName(`Bot-${call}`)],
    ["bot by token", (store, call) => store.botByToken(`hash-${call}`)],
    ["500 versions by id", (store, call) => store.versionsById(hundreds("version", call))],
    ["a version by its label", (store, call) => store.version(bot(call), "v1")],
    ["versions of a bot", (store, call) => store.versionsOf(bot(call), { limit: 100 })],
    ["its latest versions", (store, call) => store.latestVersions(bot(call), 200, [])],
    ["a match", (store, call) => store.match(middle(call * 97))],
    ["its statistics", (store, call) => store.matchStats(middle(call * 97))],
    ["whether its replay is there", (store, call) => store.hasReplay(middle(call * 97))],
    ["matches, first page", (store) => store.matches(list)],
    ["matches, middle page", (store, call) => store.matches({ ...list, before: middle(call) })],
    ["matches, last page", (store, call) => store.matches({ ...list, before: match(50 + call) })],
    // Longer lists are read in portions of this size (#web/http/read-queue.ts).
    ["matches with statistics", (store) => store.matches({ ...list, withStats: true })],
    ["a season's matches, first page", (store) => store.matches({ ...list, ...archived })],
    [
      "a season's matches, last page",
      (store, call) => store.matches({ ...list, ...archived, before: match(50 + call) }),
    ],
    ["matches of a season not played", (store) => store.matches({ ...list, season: "2020-01" })],
    ["a bot's matches", (store, call) => store.matches({ ...list, botId: bot(call) })],
    ["the busiest bot's, first page", (store) => store.matches(ofBusiest)],
    [
      "the busiest bot's, last page",
      (store, call) => store.matches({ ...ofBusiest, before: match(1000 + call) }),
    ],
    ["the busiest bot's, of a season", (store) => store.matches({ ...ofBusiest, ...archived })],
    [
      "the busiest bot's, with statistics",
      (store) => store.matches({ ...ofBusiest, withStats: true }),
    ],
    ["its ladders", (store) => store.playedLadders(busiest)],
    ["its current version", (store) => store.currentVersion(busiest, "public")],
    ["turns of the busiest version", (store) => store.turnFigures([sampleId("version", 0)], 500)],
    ["turns of three versions", (store, call) => store.turnFigures(versions(call), 500)],
    [
      "a bot's rating history",
      (store, call) => store.ratingHistory({ ...history, botId: bot(call + 1) }),
    ],
    ["the busiest bot's rating history", (store) => store.ratingHistory(history)],
    [
      "its rating history of a season",
      (store) => store.ratingHistory({ ...history, season: SAMPLE_SEASON }),
    ],
    ["seasons", (store) => store.seasons()],
    ["final standings", (store) => store.finalStandings(SAMPLE_SEASON)],
    ["final places of a bot", (store, call) => store.finalPlacesOf(bot(call))],
    ["figures of the archived season", (store) => store.figures(archived, 10)],
    ["figures of the live season", (store) => store.figures(live, 10)],
    ["a bot's opponents", (store, call) => store.opponentsOf(bot(call), archived)],
    ["audit", (store) => store.audit({ limit: 100 })],
  ];
}

async function benchReads(store: Store, size: Size): Promise<void> {
  console.log(`milliseconds of ${CALLS} calls: processor time of one, then how long it took`);
  console.log("                                            mean  median    p90    max");
  for (const [name, read] of readsOf(size)) {
    const before = process.cpuUsage();
    const times = await timesOf((call) => read(store, call));
    const { user, system } = process.cpuUsage(before);
    const mean = (user + system) / MILLISECOND / CALLS;
    const at = (share: number) => times[Math.min(CALLS - 1, Math.floor(CALLS * share))]!;
    const figures = [mean, at(0.5), at(0.9), at(1)].map((time) => time.toFixed(2).padStart(6));
    const verdict = Math.min(mean, at(0.5)) > TARGET_MS ? "  too long" : "";
    console.log(`  ${name.padEnd(40)} ${figures.join(" ")}${verdict}`);
  }
}

/** Sorted. */
async function timesOf(read: (call: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < CALLS; call++) {
    const start = performance.now();
    await read(call);
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b);
}
