// Measures every read that an HTTP route waits for, on a database with `--stored N` matches
// (default 200,000) among `--bots N` bots (default 500), created by simulated play. `--data DIR`
// keeps the database for the next run. Bot 0 plays one in twenty matches, more than any other bot.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";

import { MILLISECOND_US, SECOND_MS } from "#base/util/time.ts";
import { AUDIT_KINDS } from "#core/ids/audit-kinds.ts";
import { monthOf, windowOfMonth } from "#core/ladder/season.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { FinalStanding } from "#data/store/season.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import { playersOf } from "#testing/store-contract/store-fill.ts";
import {
  addSamplePlayers,
  sampleBot,
  sampleId,
  sampleMatch,
  SAMPLES_CREATED_AT,
  SAMPLE_SEASON,
  sampleSeat,
  sampleTime,
} from "#testing/store-contract/store-samples.ts";

const TARGET_MS = 20;
const CALLS = 50;
const CONCURRENT_SAVES = 320;
/** Seconds between match starts. The matches span about two months. */
const SPACING_S = 15;
const LIVE_SEASON = "2026-02";
const MAPS = ["arena", "cross", "ring", "maze"];

type Size = { stored: number; bots: number };
type TimedRead = [name: string, run: (store: Store, call: number) => Promise<unknown>];

export async function run(): Promise<void> {
  const options = {
    stored: { type: "string", default: "200000" },
    bots: { type: "string", default: "500" },
    data: { type: "string" },
  } as const;
  const { values } = parseArgs({ options, strict: false });
  const size = { stored: Number(values.stored), bots: Number(values.bots) };
  const dataOption = values.data as string | undefined;
  const data = dataOption ?? (await mkdtemp(join(tmpdir(), "bout-bench-queries-")));
  await seedMatches(data, size);
  const store = await openStore({ data });
  await benchReads(store, size);
  await store.close();
  if (dataOption === undefined) await rm(data, { recursive: true });
}

async function seedMatches(data: string, { stored, bots }: Size): Promise<void> {
  const store = await openStore({ data }, SAMPLES_CREATED_AT);
  const start = performance.now();
  await addSamplePlayers(store, bots);
  const { games: storedGames } = await store.matches.counts("public");
  let nextNumber = storedGames;
  const saveNext = async () => {
    while (nextNumber < stored) await store.matches.save(playedMatch(nextNumber++, bots));
  };
  await Promise.all(Array.from({ length: CONCURRENT_SAVES }, saveNext));
  await store.seasons.open([{ ...windowOfMonth(LIVE_SEASON), archivedAt: null }]);
  const botIds = sampleStandings(bots).map(({ botId }) => botId);
  await store.standings.record(
    { ...LIVE_COMPETITION, day: "2026-02-02", notedAt: SAMPLES_CREATED_AT, botIds },
    "",
  );
  const seconds = (performance.now() - start) / SECOND_MS;
  console.log(`${stored - storedGames} matches of ${bots} bots saved in ${seconds.toFixed(0)} s`);
  await archiveSeason(store, sampleStandings(bots));
  await store.close();
}

async function archiveSeason(store: Store, places: FinalStanding[]): Promise<void> {
  const start = performance.now();
  if (!(await store.seasons.archive(SAMPLE_SEASON, SAMPLES_CREATED_AT, places))) return;
  const ms = (performance.now() - start).toFixed(0);
  console.log(`its first month archived in ${ms} ms, with ${places.length} places`);
}

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

function sampleStandings(bots: number): FinalStanding[] {
  return Array.from({ length: bots }, (_, number) => {
    const { id: botId, name, owner, house } = sampleBot(number);
    const result = { wins: 1, draws: 1, losses: 1, rating: 1500, deviation: 50 };
    const versionId = sampleId("version", number);
    return { rank: number + 1, botId, versionId, name, owner, house, label: "v1", ...result };
  });
}

const BUSIEST_BOT = sampleId("bot", 0);
const LIST_QUERY = { ladderId: "public", limit: 50, withStats: false };
const ARCHIVED_COMPETITION = { ladderId: "public", season: SAMPLE_SEASON };
const LIVE_COMPETITION = { ladderId: "public", season: LIVE_SEASON };

const botAt = ({ bots }: Size, call: number) => sampleId("bot", call % bots);
const matchAt = ({ stored }: Size, number: number) => sampleId("match", number % stored);
const middleMatch = (size: Size, call: number) => matchAt(size, Math.floor(size.stored / 2) + call);

const YEAR_SPAN = { from: "2025-07-01", to: "2026-07-01" };
const RECORD_QUERY = { ladderId: "public", botId: BUSIEST_BOT };
const LOSS_QUERY = {
  botId: BUSIEST_BOT,
  versionId: sampleId("version", 0),
  games: 500,
  losses: 50,
};

function rowReads(size: Size): TimedRead[] {
  const fiveHundredIds = (kind: "bot" | "version", call: number) =>
    Array.from({ length: 500 }, (_, number) => sampleId(kind, (call + number) % size.bots));
  return [
    ["house bots", (store) => store.bots.house()],
    ["500 bots by id", (store, call) => store.bots.byIds(fiveHundredIds("bot", call))],
    ["bot by name", (store, call) => store.bots.byName(`Bot-${call}`)],
    ["a search", (store, call) => store.bots.search(`t-${call}`, 10)],
    ["bot by token", (store, call) => store.bots.byToken(`hash-${call}`)],
    ["500 versions by id", (store, call) => store.versions.byIds(fiveHundredIds("version", call))],
    ["a version by label", (store, call) => store.versions.byLabel(botAt(size, call), "v1")],
    ["versions of a bot", (store, call) => store.versions.list(botAt(size, call), { limit: 100 })],
    ["its latest versions", (store, call) => store.versions.latest(botAt(size, call), 200, [])],
    ["a match", (store, call) => store.matches.byId(middleMatch(size, call * 97))],
    ["its statistics", (store, call) => store.matches.stats(middleMatch(size, call * 97))],
    ["whether its replay exists", (store, call) => store.replays.has(middleMatch(size, call * 97))],
  ];
}

function listReads(size: Size): TimedRead[] {
  const busiestQuery = { ...LIST_QUERY, botId: BUSIEST_BOT };
  const narrowQuery = { ...busiestQuery, versionId: sampleId("version", 0), map: "maze" };
  const rarestQuery = { ...narrowQuery, opponentId: sampleId("bot", size.bots - 1) };
  return [
    ["its wins on a map", (store) => store.matches.list({ ...narrowQuery, result: "W" })],
    ["those against one opponent", (store) => store.matches.list({ ...rarestQuery, result: "W" })],
    ["matches, first page", (store) => store.matches.list(LIST_QUERY)],
    [
      "matches, middle page",
      (store, call) => store.matches.list({ ...LIST_QUERY, before: middleMatch(size, call) }),
    ],
    [
      "matches, last page",
      (store, call) => store.matches.list({ ...LIST_QUERY, before: matchAt(size, 50 + call) }),
    ],
    // Longer lists are read in pages of this size. See #web/http/read-queue.ts.
    ["matches with statistics", (store) => store.matches.list({ ...LIST_QUERY, withStats: true })],
    [
      "a season's matches, first page",
      (store) => store.matches.list({ ...LIST_QUERY, ...ARCHIVED_COMPETITION }),
    ],
    [
      "a season's matches, last page",
      (store, call) =>
        store.matches.list({
          ...LIST_QUERY,
          ...ARCHIVED_COMPETITION,
          before: matchAt(size, 50 + call),
        }),
    ],
    [
      "matches of a season not played",
      (store) => store.matches.list({ ...LIST_QUERY, season: "2020-01" }),
    ],
    [
      "a bot's matches",
      (store, call) => store.matches.list({ ...LIST_QUERY, botId: botAt(size, call) }),
    ],
    ["the busiest bot's, first page", (store) => store.matches.list(busiestQuery)],
    [
      "the busiest bot's, last page",
      (store, call) => store.matches.list({ ...busiestQuery, before: matchAt(size, 1000 + call) }),
    ],
    [
      "the busiest bot's, in a season",
      (store) => store.matches.list({ ...busiestQuery, ...ARCHIVED_COMPETITION }),
    ],
    [
      "the busiest bot's, with statistics",
      (store) => store.matches.list({ ...busiestQuery, withStats: true }),
    ],
  ];
}

function statsReads(size: Size): TimedRead[] {
  const versions = (call: number) =>
    [0, 1, 2].map((number) => sampleId("version", (call + number) % size.bots));
  const olderCursor = (call: number) => ({
    ended: sampleTime((size.stored / 4) * SPACING_S),
    id: matchAt(size, call),
  });
  const historyQuery = { ladderId: "public", botId: BUSIEST_BOT, points: 1000 };
  return [
    ["analytics of 366 days", (store) => store.stats.analytics({ ...YEAR_SPAN, limit: 10 })],
    ["the busiest bot's record by map", (store) => store.stats.maps(RECORD_QUERY)],
    [
      "its record by opponent",
      (store) => store.stats.recentOpponents({ ...RECORD_QUERY, matches: 500, opponents: 100 }),
    ],
    ["its play", (store) => store.stats.play(LIVE_COMPETITION, BUSIEST_BOT)],
    // Losses are read in pages of this size. See #web/bots/bot-record.ts.
    [
      "lost games of its version",
      (store) => store.stats.losses({ ...LOSS_QUERY, ...LIVE_COMPETITION, before: null }),
    ],
    [
      "its older lost games",
      (store, call) =>
        store.stats.losses({ ...LOSS_QUERY, ...ARCHIVED_COMPETITION, before: olderCursor(call) }),
    ],
    ["its ladders", (store) => store.matches.laddersOf(BUSIEST_BOT)],
    ["its current version", (store) => store.versions.current(BUSIEST_BOT, "public")],
    ["turns of the busiest version", (store) => store.stats.turns([sampleId("version", 0)], 500)],
    ["turns of three versions", (store, call) => store.stats.turns(versions(call), 500)],
    [
      "a bot's rating history",
      (store, call) => store.stats.ratings({ ...historyQuery, botId: botAt(size, call + 1) }),
    ],
    ["the busiest bot's rating history", (store) => store.stats.ratings(historyQuery)],
    [
      "its rating history of a season",
      (store) => store.stats.ratings({ ...historyQuery, season: SAMPLE_SEASON }),
    ],
    ["seasons", (store) => store.seasons.list()],
    ["champions", (store) => store.seasons.champions()],
    ["places at midnight", (store) => store.standings.latest("public")],
    ["final standings", (store) => store.seasons.standings(SAMPLE_SEASON)],
    ["final places of a bot", (store, call) => store.seasons.placesOf(botAt(size, call))],
    [
      "statistics of the archived season",
      (store) => store.stats.competition(ARCHIVED_COMPETITION, 10),
    ],
    ["statistics of the live season", (store) => store.stats.competition(LIVE_COMPETITION, 10)],
    [
      "statistics of all seasons",
      (store) => store.stats.ladder({ ladderId: "public", rivalries: 10 }),
    ],
    [
      "a bot's opponents",
      (store, call) => store.stats.opponents(botAt(size, call), ARCHIVED_COMPETITION),
    ],
    ["audit", (store) => store.audit.list({ limit: 100 })],
  ];
}

const BOT_KINDS = AUDIT_KINDS.filter((kind) => kind.startsWith("bot."));

function operatorReads({ bots }: Size): TimedRead[] {
  const botIdChunk = (call: number) =>
    Array.from({ length: 10 }, (_, number) => sampleId("bot", (call * 10 + number) % bots));
  const excessRead = (retainCount: number): TimedRead => [
    `replays beyond ${retainCount}, of 10 bots`,
    (store, call) =>
      store.replays.listExcess({
        botIds: botIdChunk(call),
        ladderIds: ["public", "cup"],
        keep: retainCount,
      }),
  ];
  return [
    ["settings", (store) => store.settings.current()],
    ["changes of settings", (store) => store.settings.history(50)],
    ["audit of bots", (store) => store.audit.list({ kind: BOT_KINDS, limit: 500 })],
    excessRead(100_000),
    excessRead(700),
  ];
}

const allReads = (size: Size): TimedRead[] => [
  ...rowReads(size),
  ...listReads(size),
  ...statsReads(size),
  ...operatorReads(size),
];

async function benchReads(store: Store, size: Size): Promise<void> {
  console.log(`milliseconds of ${CALLS} calls: CPU time of one, then elapsed time`);
  console.log("                                            mean  median    p90    max");
  for (const [name, read] of allReads(size)) {
    const before = process.cpuUsage();
    const times = await sortedTimes((call) => read(store, call));
    const { user, system } = process.cpuUsage(before);
    const mean = (user + system) / MILLISECOND_US / CALLS;
    const quantile = (share: number) => times[Math.min(CALLS - 1, Math.floor(CALLS * share))]!;
    const numbers = [mean, quantile(0.5), quantile(0.9), quantile(1)].map((time) =>
      time.toFixed(2).padStart(6),
    );
    const verdict = Math.min(mean, quantile(0.5)) > TARGET_MS ? "  too long" : "";
    console.log(`  ${name.padEnd(40)} ${numbers.join(" ")}${verdict}`);
  }
}

async function sortedTimes(read: (call: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < CALLS; call++) {
    const start = performance.now();
    await read(call);
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b);
}
