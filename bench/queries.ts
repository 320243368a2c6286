import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";

// How long each read takes that an HTTP route waits for, from a database made by playing `--stored
// N` matches (default 200,000) among `--bots N` bots (500); `--data DIR` keeps it there for the
// next run. Bot 0 has a twentieth of the matches, more than any other bot.
import { MILLISECOND, SECOND_MS } from "#base/units/time.ts";
import { monthOf, windowOfMonth } from "#core/ladder/season.ts";
import { AUDIT_KINDS } from "#core/words/audit.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { FinalStanding } from "#data/store/season.ts";
import type { Store } from "#data/store/store.ts";
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
/** Seconds from one start to the next: the matches reach from one month into the next. */
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
  const { games } = await store.matches.counts("public");
  let next = games;
  const saveOn = async () => {
    while (next < stored) await store.matches.save(playedMatch(next++, bots));
  };
  await Promise.all(Array.from({ length: SAVES_AT_ONCE }, saveOn));
  await store.seasons.open([{ ...windowOfMonth(LIVE_SEASON), archivedAt: null }]);
  const botIds = standings(bots).map(({ botId }) => botId);
  await store.standings.note({ ...LIVE, day: "2026-02-02", notedAt: SAMPLES_MADE, botIds }, "");
  const seconds = (performance.now() - start) / SECOND_MS;
  console.log(`${stored - games} matches of ${bots} bots saved in ${seconds.toFixed(0)} s`);
  await archive(store, standings(bots));
  await store.close();
}

async function archive(store: Store, places: FinalStanding[]): Promise<void> {
  const start = performance.now();
  if (!(await store.seasons.archive(SAMPLE_SEASON, SAMPLES_MADE, places))) return;
  const ms = (performance.now() - start).toFixed(0);
  console.log(`its first month archived in ${ms} ms, with ${places.length} places`);
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

const BUSIEST = sampleId("bot", 0);
const LIST = { ladderId: "public", limit: 50, withStats: false };
const ARCHIVED = { ladderId: "public", season: SAMPLE_SEASON };
const LIVE = { ladderId: "public", season: LIVE_SEASON };

const bot = ({ bots }: Size, call: number) => sampleId("bot", call % bots);
const match = ({ stored }: Size, number: number) => sampleId("match", number % stored);
const middle = (size: Size, call: number) => match(size, Math.floor(size.stored / 2) + call);

/** More than all matches. */
const YEAR = { from: "2025-07-01", to: "2026-07-01" };
const RECORD = { ladderId: "public", botId: BUSIEST };
const LOSSES = { botId: BUSIEST, versionId: sampleId("version", 0), games: 500, losses: 50 };

function rowReads(size: Size): Read[] {
  const hundreds = (kind: "bot" | "version", call: number) =>
    Array.from({ length: 500 }, (_, number) => sampleId(kind, (call + number) % size.bots));
  return [
    ["house bots", (store) => store.bots.house()],
    ["500 bots by id", (store, call) => store.bots.byIds(hundreds("bot", call))],
    ["bot by name", (store, call) => store.bots.byName(`Bot-${call}`)],
    ["a search", (store, call) => store.bots.search(`t-${call}`, 10)],
    ["bot by token", (store, call) => store.bots.byToken(`hash-${call}`)],
    ["500 versions by id", (store, call) => store.versions.byIds(hundreds("version", call))],
    ["a version by its label", (store, call) => store.versions.byLabel(bot(size, call), "v1")],
    ["versions of a bot", (store, call) => store.versions.list(bot(size, call), { limit: 100 })],
    ["its latest versions", (store, call) => store.versions.latest(bot(size, call), 200, [])],
    ["a match", (store, call) => store.matches.byId(middle(size, call * 97))],
    ["its statistics", (store, call) => store.matches.stats(middle(size, call * 97))],
    ["whether its replay is there", (store, call) => store.replays.has(middle(size, call * 97))],
  ];
}

function listReads(size: Size): Read[] {
  const ofBusiest = { ...LIST, botId: BUSIEST };
  const narrowed = { ...ofBusiest, versionId: sampleId("version", 0), map: "maze" };
  const rarest = { ...narrowed, opponentId: sampleId("bot", size.bots - 1) };
  return [
    ["its wins on a map", (store) => store.matches.list({ ...narrowed, result: "W" })],
    ["those against one opponent", (store) => store.matches.list({ ...rarest, result: "W" })],
    ["matches, first page", (store) => store.matches.list(LIST)],
    [
      "matches, middle page",
      (store, call) => store.matches.list({ ...LIST, before: middle(size, call) }),
    ],
    [
      "matches, last page",
      (store, call) => store.matches.list({ ...LIST, before: match(size, 50 + call) }),
    ],
    // Longer lists are read in portions of this size (#web/http/read-queue.ts).
    ["matches with statistics", (store) => store.matches.list({ ...LIST, withStats: true })],
    ["a season's matches, first page", (store) => store.matches.list({ ...LIST, ...ARCHIVED })],
    [
      "a season's matches, last page",
      (store, call) => store.matches.list({ ...LIST, ...ARCHIVED, before: match(size, 50 + call) }),
    ],
    [
      "matches of a season not played",
      (store) => store.matches.list({ ...LIST, season: "2020-01" }),
    ],
    ["a bot's matches", (store, call) => store.matches.list({ ...LIST, botId: bot(size, call) })],
    ["the busiest bot's, first page", (store) => store.matches.list(ofBusiest)],
    [
      "the busiest bot's, last page",
      (store, call) => store.matches.list({ ...ofBusiest, before: match(size, 1000 + call) }),
    ],
    [
      "the busiest bot's, of a season",
      (store) => store.matches.list({ ...ofBusiest, ...ARCHIVED }),
    ],
    [
      "the busiest bot's, with statistics",
      (store) => store.matches.list({ ...ofBusiest, withStats: true }),
    ],
  ];
}

function figureReads(size: Size): Read[] {
  const versions = (call: number) =>
    [0, 1, 2].map((number) => sampleId("version", (call + number) % size.bots));
  const older = (call: number) => ({
    ended: sampleTime((size.stored / 4) * SPACING_S),
    id: match(size, call),
  });
  const history = { ladderId: "public", botId: BUSIEST, points: 1000 };
  return [
    ["analytics of 366 days", (store) => store.figures.analytics({ ...YEAR, most: 10 })],
    ["the busiest bot's record by map", (store) => store.figures.maps(RECORD)],
    [
      "its record by opponent",
      (store) => store.figures.recentOpponents({ ...RECORD, matches: 500, opponents: 100 }),
    ],
    ["its play", (store) => store.figures.play(LIVE, BUSIEST)],
    // Losses are read in portions of this size (#web/bots/bot-record.ts).
    [
      "lost games of its version",
      (store) => store.figures.losses({ ...LOSSES, ...LIVE, before: null }),
    ],
    [
      "its older lost games",
      (store, call) => store.figures.losses({ ...LOSSES, ...ARCHIVED, before: older(call) }),
    ],
    ["its ladders", (store) => store.matches.laddersOf(BUSIEST)],
    ["its current version", (store) => store.versions.current(BUSIEST, "public")],
    ["turns of the busiest version", (store) => store.figures.turns([sampleId("version", 0)], 500)],
    ["turns of three versions", (store, call) => store.figures.turns(versions(call), 500)],
    [
      "a bot's rating history",
      (store, call) => store.figures.ratings({ ...history, botId: bot(size, call + 1) }),
    ],
    ["the busiest bot's rating history", (store) => store.figures.ratings(history)],
    [
      "its rating history of a season",
      (store) => store.figures.ratings({ ...history, season: SAMPLE_SEASON }),
    ],
    ["seasons", (store) => store.seasons.list()],
    ["champions", (store) => store.seasons.champions()],
    ["places at midnight", (store) => store.standings.latest("public")],
    ["final standings", (store) => store.seasons.standings(SAMPLE_SEASON)],
    ["final places of a bot", (store, call) => store.seasons.placesOf(bot(size, call))],
    ["figures of the archived season", (store) => store.figures.competition(ARCHIVED, 10)],
    ["figures of the live season", (store) => store.figures.competition(LIVE, 10)],
    [
      "figures of all seasons",
      (store) => store.figures.ladder({ ladderId: "public", rivalries: 10 }),
    ],
    ["a bot's opponents", (store, call) => store.figures.opponents(bot(size, call), ARCHIVED)],
    ["audit", (store) => store.audit.list({ limit: 100 })],
  ];
}

const BOT_KINDS = AUDIT_KINDS.filter((kind) => kind.startsWith("bot."));

/** Of operators: settings, the audit, and how many replays the next cleanup would remove. */
function operatorReads({ bots }: Size): Read[] {
  const portion = (call: number) =>
    Array.from({ length: 10 }, (_, number) => sampleId("bot", (call * 10 + number) % bots));
  const allowed = (keep: number): Read => [
    `replays beyond ${keep}, of 10 bots`,
    (store, call) =>
      store.replays.beyond({ botIds: portion(call), ladderIds: ["public", "cup"], keep }),
  ];
  return [
    ["settings", (store) => store.settings.current()],
    ["changes of settings", (store) => store.settings.history(50)],
    ["audit of bots", (store) => store.audit.list({ kind: BOT_KINDS, limit: 500 })],
    allowed(100_000),
    allowed(700),
  ];
}

const readsOf = (size: Size): Read[] => [
  ...rowReads(size),
  ...listReads(size),
  ...figureReads(size),
  ...operatorReads(size),
];

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
