// Writes the database from which the upgrade tests start, with this tree's store. Run the script
// for each release with a new schema; it never overwrites a fixture. The fixtures for schemas 22
// and 25 were written by release 0.48.1, commit 37a8067. Usage: node
// scripts/write-upgrade-fixtures.ts

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { sql } from "kysely";

import { assertDefined } from "#base/util/assert-defined.ts";
import { fighterIdAt } from "#core/engine/types.ts";
import { SYSTEM_ACTOR } from "#core/ids/audit-kinds.ts";
import { HUMAN_SEAT } from "#core/ids/match-modes.ts";
import type { MatchMode, UnratedReason } from "#core/ids/match-modes.ts";
import { windowOfMonth } from "#core/ladder/season.ts";
import { createRandomDraw } from "#core/pairing/random.ts";
import type { RandomDraw } from "#core/pairing/random.ts";
import { CENTRE } from "#core/rating/score.ts";
import { migrate, NEWEST_SCHEMA } from "#data/migrations/migrations.ts";
import type { Backend } from "#data/queries/database-backend.ts";
import { createStore } from "#data/queries/database-store.ts";
import { sqliteDialect } from "#data/sqlite/sqlite-driver.ts";
import { sqliteBackend } from "#data/sqlite/sqlite-file.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { FinalStanding } from "#data/store/season.ts";
import type { Store } from "#data/store/store.ts";
import { RELEASE } from "#server/composition/release.ts";
import {
  sampleAudit,
  sampleBot,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleVersion,
  statusChange,
} from "#testing/store-contract/store-samples.ts";
import {
  FIXTURE_BOTS,
  FIXTURE_MATCHES,
  FIXTURES_FOLDER,
  loadFixture,
  readEverything,
  tablesOf,
  UPGRADED_AT,
} from "#testing/store-contract/upgrade-fixture.ts";

const ROOT = join(import.meta.dirname, "..");
const GOLDEN = join(ROOT, "src/testing/fixtures/golden");
const SEED = 481;
const LIVE_LABEL = "v2 (fast)";
const [CLOSED, LIVE] = ["2026-09", "2026-10"];
const CREATED_AT = `${CLOSED}-01T00:00:00.000Z`;
const ARCHIVED = `${LIVE}-01T00:00:07.250Z`;
const LAST_CLOSED = 27;
const UNRATED: Readonly<Record<number, UnratedReason>> = { 9: "server_fault", 40: "nobody_ready" };
const EVENT = [54, 55];
const CASUAL: Readonly<Record<number, MatchMode>> = { 50: "human", 51: "practice" };
const RETAINED_REPLAYS = 8;
/** Number of matches whose turns aren't counted yet, as after an upgrade from schema 23. */
const UNCOUNTED = 4;

const KITER = 0;
const RETIRED = 5;
const BANNED = 6;
const SUSPENDED = 7;
const FRESH = 8;

const BOTS: readonly Partial<BotRecord>[] = [
  { name: "house-kiter", owner: "house", house: true },
  { name: "Ada_One", owner: "Ada Lovelace", avatar: "ronin" },
  { name: "ada-two", owner: "ADA LOVELACE" },
  { name: "GRETA", owner: "Größe" },
  { name: "greta2", owner: "GRÖßE", avatar: "titan" },
  { name: "Old-Timer", owner: "O'Neill; sons" },
  { name: "Cheater", owner: "eve" },
  { name: "Quiet", owner: "ada lovelace" },
  { name: "Fresh", owner: "Zoë 🤺" },
];

const GOLDEN_FIGHTS = [
  "bumpers cage courtyard disqualification forfeit halls keep lanes pillars pinwheel",
  "timeout-damage timeout-draw timeout-hp trench",
].flatMap((names) => names.split(" "));

type GoldenStats = { map: string; ticks: number; winner: "A" | "B" | null; reason: string };

const newBackend = (): Backend => sqliteBackend(sqliteDialect(":memory:", "write"));

/** Returns when a match was played: `number` days after `CREATED_AT`, within two months. */
const playedAt = (number: number, seconds = 0): string =>
  new Date(
    Date.parse(CREATED_AT) + number * 86_400_000 + seconds * 1000 + number * 137,
  ).toISOString();

const versionOf = (bot: number, isLive: boolean): number => 2 * bot + Number(isLive);

function matchOf(number: number, draw: RandomDraw): FinishedMatch {
  const isLive = number > LAST_CLOSED;
  const players = isLive ? [KITER, 1, 2, 3, 4, SUSPENDED] : [KITER, 1, 2, 3, 4, RETIRED, BANNED];
  const drawPlayer = (candidates: readonly number[]) =>
    assertDefined(candidates[Math.floor(draw() * candidates.length)], "bot");
  const first = drawPlayer(players);
  const otherPlayers = players.filter((player) => player !== first);
  const pair = [first, drawPlayer(otherPlayers)] as const;
  const name = GOLDEN_FIGHTS[Math.floor(draw() * GOLDEN_FIGHTS.length)];
  const stats = readFileSync(join(GOLDEN, `${name}.stats.json`), "utf8").trim();
  const goldenStats = JSON.parse(stats) as GoldenStats;
  const unrated = UNRATED[number] ?? null;
  const voided = unrated !== null;
  const change = voided ? null : Math.round(draw() * 40 - 20);
  const ended = playedAt(number, 30 + goldenStats.ticks);
  const winner =
    voided || goldenStats.winner === null ? null : pair[goldenStats.winner === "A" ? 0 : 1];
  return sampleMatch(number, {
    ...(EVENT.includes(number)
      ? { ladderId: "event", season: null }
      : { season: isLive ? LIVE : CLOSED }),
    map: goldenStats.map,
    started: playedAt(number),
    ended,
    durationMs: Date.parse(ended) - Date.parse(playedAt(number)) + 0.125,
    finalTick: voided ? 0 : goldenStats.ticks,
    reason: unrated === "server_fault" ? unrated : voided ? "forfeit" : goldenStats.reason,
    winnerBotId: winner === null ? null : sampleId("bot", winner),
    voided,
    rated: !voided,
    unratedReason: unrated,
    settled: number > 10,
    seats: pair.map((bot, seat) => {
      const before = change === null ? null : CENTRE + 10 * bot;
      return sampleSeat(versionOf(bot, isLive), {
        botId: sampleId("bot", bot),
        name: BOTS[bot]?.name ?? "",
        version: isLive ? LIVE_LABEL : "v1",
        fighter: fighterIdAt(seat),
        ratingBefore: before,
        ratingAfter: before === null ? null : before + (seat === 0 ? 1 : -1) * (change ?? 0),
      });
    }),
    stats: voided ? null : stats.replace(/"match_id":"[^"]+"/, `"match_id":"${matchId(number)}"`),
  });
}

function withMode(match: FinishedMatch, number: number): FinishedMatch {
  const mode = CASUAL[number];
  if (mode === undefined) return match;
  const person = { ...HUMAN_SEAT, botId: null, versionId: null };
  const seats = match.seats.map((seat, at) => ({
    ...seat,
    ratingBefore: null,
    ratingAfter: null,
    ...(mode === "human" && at === 1 && person),
  }));
  return { ...match, mode, rated: false, unratedReason: "mode", seats };
}

const matchId = (number: number): string => sampleId("match", number);

async function addPlayers(store: Store): Promise<void> {
  for (const [number, changes] of BOTS.entries()) {
    const bot = sampleBot(number, { created: playedAt(0, number), ...changes });
    await store.bots.add(bot, `hash-${number}`, null);
    if (number === FRESH) continue;
    for (const isLive of [false, true])
      await store.versions.add(
        sampleVersion(versionOf(number, isLive), {
          botId: bot.id,
          label: isLive ? LIVE_LABEL : "v1",
          notes: isLive ? "" : 'It\'s the "first";\ninsert coin',
          created: playedAt(isLive ? LAST_CLOSED : 0, 60 + number),
        }),
        null,
      );
  }
}

async function populate(store: Store): Promise<void> {
  const draw = createRandomDraw(SEED);
  const matches = FIXTURE_MATCHES.map((_, number) => withMode(matchOf(number, draw), number));
  await addPlayers(store);
  for (const match of matches.slice(0, LAST_CLOSED + 1)) await store.matches.save(match);
  await store.seasons.open([{ ...windowOfMonth(LIVE), archivedAt: null }]);
  await store.seasons.archive(
    CLOSED,
    ARCHIVED,
    finalStandingsOf(await store.stats.activity(closedCompetition), draw),
  );
  await store.bots.setStatus(sampleId("bot", RETIRED), statusChange("retired"));
  await store.bots.setStatus(sampleId("bot", BANNED), statusChange("banned"));
  await store.bots.rotateToken(sampleId("bot", BANNED), "hash-new");
  for (const bot of [1, 2, RETIRED]) await store.versions.retire(sampleId("bot", bot), "v1");
  for (const match of matches.slice(LAST_CLOSED + 1)) await store.matches.save(match);
  await store.bots.setStatus(sampleId("bot", SUSPENDED), statusChange("suspended"));
  const botIds = [2, 1, 3].map((bot) => sampleId("bot", bot));
  const day = playedAt(FIXTURE_MATCHES.length - 1).slice(0, "YYYY-MM-DD".length);
  const competition = { ladderId: "public", season: LIVE };
  await store.standings.record(
    { ...competition, day, notedAt: `${day}T00:00:01.000Z`, botIds },
    CREATED_AT,
  );
  await store.audit.add(auditEntries());
  await store.replays.release(FIXTURE_BOTS, RETAINED_REPLAYS, FIXTURE_MATCHES.length);
}

const closedCompetition = { ladderId: "public", season: CLOSED };

function finalStandingsOf(
  activity: Awaited<ReturnType<Store["stats"]["activity"]>>,
  draw: RandomDraw,
): FinalStanding[] {
  return activity.map(({ botId, versionId }, rankIndex) => {
    const {
      name = "",
      owner = "",
      house = false,
    } = assertDefined(BOTS[FIXTURE_BOTS.indexOf(botId)], "bot");
    const ratingStats = {
      rating: CENTRE + 90 - 30 * rankIndex - draw(),
      deviation: 60 + 9 * draw(),
    };
    const results = { wins: activity.length - rankIndex, draws: 1, losses: rankIndex };
    return {
      rank: rankIndex + 1,
      botId,
      versionId,
      name,
      owner,
      house,
      label: "v1",
      ...ratingStats,
      ...results,
    };
  });
}

function auditEntries() {
  return BOTS.flatMap(({ name = "", owner = "" }, number) => {
    const subject = { kind: "bot", id: sampleId("bot", number), name } as const;
    const facts = { actor: SYSTEM_ACTOR, subject, reason: null };
    const registered = { ...facts, kind: "bot.registered", detail: { owner } } as const;
    const reason = "hourly_quota";
    const throttled = { ...facts, kind: "bot.throttled", detail: { reason } } as const;
    return [
      sampleAudit(2 * number, { at: playedAt(0, number), ...registered }),
      sampleAudit(2 * number + 1, { at: playedAt(30 + (number >> 1)), ...throttled }),
    ];
  });
}

async function removeTurnCounts({ database }: Backend): Promise<void> {
  const oldest = sql`select ended, id from matches where voided = 0 order by ended limit ${UNCOUNTED}`;
  await sql`insert into uncounted_turns ${oldest}`.execute(database);
  await sql`delete from version_turns
    where match_id in (select match_id from uncounted_turns)`.execute(database);
}

async function dumpTables(backend: Backend): Promise<string> {
  // The migration that creates seasons opens the first one, so the dump deletes that row first.
  const texts = ["delete from seasons;\n"];
  for (const { name, columns } of await tablesOf(backend.database)) {
    const order = columns.map((_, at) => at + 1).join();
    const query = `select ${columns.join()} from ${name} order by ${order}`;
    const { rows } = await sql.raw<Record<string, unknown>>(query).execute(backend.database);
    const values = rows.map((row) => `(${Object.values(row).map(literal).join(", ")})`);
    if (rows.length > 0)
      texts.push(`insert into ${name} (${columns.join(", ")}) values\n${values.join(",\n")};\n`);
  }
  return texts.join("");
}

function literal(value: unknown): string {
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString("hex")}'`;
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  return String(value);
}

/** Existing fixtures stay as released, because upgrades start from them. */
async function write(schema: number): Promise<void> {
  const rows = new URL(`schema-${schema}.sql`, FIXTURES_FOLDER);
  const reads = new URL(`schema-${schema}.json`, FIXTURES_FOLDER);
  if (existsSync(rows)) return console.log(`schema ${schema} already exists`);
  writeFileSync(rows, await dumpTables(await populatedBackend()));
  const upgraded = newBackend();
  await loadFixture(upgraded, schema);
  await migrate(upgraded, UPGRADED_AT);
  const parts = Object.entries(await readEverything(createStore(upgraded)));
  const lines = parts.map(
    ([name, readResult]) => `${JSON.stringify(name)}: ${JSON.stringify(readResult)}`,
  );
  writeFileSync(reads, `{\n${lines.join(",\n")}\n}\n`);
  console.log(`wrote schema ${schema}, by release ${RELEASE}`);
}

async function populatedBackend(): Promise<Backend> {
  const backend = newBackend();
  await migrate(backend, CREATED_AT);
  await populate(createStore(backend));
  await removeTurnCounts(backend);
  return backend;
}

await write(NEWEST_SCHEMA);
