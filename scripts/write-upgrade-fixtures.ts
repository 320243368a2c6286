// node scripts/write-upgrade-fixtures.ts: writes the database that the tests of upgrades start from,
// as the store of this tree leaves it. Run it at the commit of a release with a new schema; a fixture
// that exists is never overwritten. Those of schemas 22 and 25 were written by release 0.48.1, commit
// 37a8067.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { sql } from "kysely";

import { sure } from "#base/units/sure.ts";
import { fighterIdAt } from "#core/engine/types.ts";
import { windowOfMonth } from "#core/ladder/season.ts";
import { createDraw } from "#core/pairing/random.ts";
import type { Draw } from "#core/pairing/random.ts";
import { CENTRE } from "#core/rating/score.ts";
import { SYSTEM } from "#core/words/audit.ts";
import { HUMAN } from "#core/words/rated.ts";
import type { Mode, UnratedReason } from "#core/words/rated.ts";
import { migrate, NEWEST_SCHEMA } from "#data/migrations/migrations.ts";
import type { Backend } from "#data/queries/backend.ts";
import { storeOf } from "#data/queries/database-store.ts";
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
  toStatus,
} from "#testing/store-cases/store-samples.ts";
import {
  FIXTURE_BOTS,
  FIXTURE_MATCHES,
  FIXTURES_FOLDER,
  loadFixture,
  readsOf,
  tablesOf,
  UPGRADED,
} from "#testing/store-cases/upgrade-fixture.ts";

const ROOT = join(import.meta.dirname, "..");
const GOLDEN = join(ROOT, "src/testing/fixtures/golden");
const SEED = 481;
const LIVE_LABEL = "v2 (fast)";
const [CLOSED, LIVE] = ["2026-09", "2026-10"];
const MADE = `${CLOSED}-01T00:00:00.000Z`;
const ARCHIVED = `${LIVE}-01T00:00:07.250Z`;
const LAST_CLOSED = 27;
const UNRATED: Readonly<Record<number, UnratedReason>> = { 9: "server_fault", 40: "nobody_ready" };
const EVENT = [54, 55];
const CASUAL: Readonly<Record<number, Mode>> = { 50: "human", 51: "practice" };
const KEPT_REPLAYS = 8;
/** Matches whose turns are yet to be counted, as after an upgrade from schema 23. */
const UNCOUNTED = 4;

const KITER = 0;
const RETIRED = 5;
const BANNED = 6;
const SUSPENDED = 7;
/** It has never played. */
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

type Fought = { map: string; ticks: number; winner: "A" | "B" | null; reason: string };

const newBackend = (): Backend => sqliteBackend(sqliteDialect(":memory:", "write"));

/** When a match was played, within two months from `MADE`. */
const playedAt = (number: number, seconds = 0): string =>
  new Date(Date.parse(MADE) + number * 86_400_000 + seconds * 1000 + number * 137).toISOString();

const versionOf = (bot: number, isLive: boolean): number => 2 * bot + Number(isLive);

function matchOf(number: number, draw: Draw): FinishedMatch {
  const isLive = number > LAST_CLOSED;
  const players = isLive ? [KITER, 1, 2, 3, 4, SUSPENDED] : [KITER, 1, 2, 3, 4, RETIRED, BANNED];
  const drawn = (among: readonly number[]) => sure(among[Math.floor(draw() * among.length)], "bot");
  const first = drawn(players);
  const others = players.filter((player) => player !== first);
  const pair = [first, drawn(others)] as const;
  const name = GOLDEN_FIGHTS[Math.floor(draw() * GOLDEN_FIGHTS.length)];
  const stats = readFileSync(join(GOLDEN, `${name}.stats.json`), "utf8").trim();
  const fought = JSON.parse(stats) as Fought;
  const unrated = UNRATED[number] ?? null;
  const voided = unrated !== null;
  const change = voided ? null : Math.round(draw() * 40 - 20);
  const ended = playedAt(number, 30 + fought.ticks);
  const winner = voided || fought.winner === null ? null : pair[fought.winner === "A" ? 0 : 1];
  return sampleMatch(number, {
    ...(EVENT.includes(number)
      ? { ladderId: "event", season: null }
      : { season: isLive ? LIVE : CLOSED }),
    map: fought.map,
    started: playedAt(number),
    ended,
    durationMs: Date.parse(ended) - Date.parse(playedAt(number)) + 0.125,
    finalTick: voided ? 0 : fought.ticks,
    reason: unrated === "server_fault" ? unrated : voided ? "forfeit" : fought.reason,
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

/** The same match in the mode of its number; the second seat of a human game is a person's. */
function inMode(match: FinishedMatch, number: number): FinishedMatch {
  const mode = CASUAL[number];
  if (mode === undefined) return match;
  const person = { ...HUMAN, botId: null, versionId: null };
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

/**
 * The closed month and its standings, then the live one; in between, what owners and operators did.
 */
async function live(store: Store): Promise<void> {
  const draw = createDraw(SEED);
  const matches = FIXTURE_MATCHES.map((_, number) => inMode(matchOf(number, draw), number));
  await addPlayers(store);
  for (const match of matches.slice(0, LAST_CLOSED + 1)) await store.matches.save(match);
  await store.seasons.open([{ ...windowOfMonth(LIVE), archivedAt: null }]);
  await store.seasons.archive(
    CLOSED,
    ARCHIVED,
    placesOf(await store.figures.activity(closed), draw),
  );
  await store.bots.setStatus(sampleId("bot", RETIRED), toStatus("retired"));
  await store.bots.setStatus(sampleId("bot", BANNED), toStatus("banned"));
  await store.bots.rotateToken(sampleId("bot", BANNED), "hash-new");
  for (const bot of [1, 2, RETIRED]) await store.versions.retire(sampleId("bot", bot), "v1");
  for (const match of matches.slice(LAST_CLOSED + 1)) await store.matches.save(match);
  await store.bots.setStatus(sampleId("bot", SUSPENDED), toStatus("suspended"));
  const botIds = [2, 1, 3].map((bot) => sampleId("bot", bot));
  const day = playedAt(FIXTURE_MATCHES.length - 1).slice(0, "YYYY-MM-DD".length);
  const of = { ladderId: "public", season: LIVE };
  await store.standings.note({ ...of, day, notedAt: `${day}T00:00:01.000Z`, botIds }, MADE);
  await store.audit.add(auditEntries());
  await store.replays.release(FIXTURE_BOTS, KEPT_REPLAYS, FIXTURE_MATCHES.length);
}

const closed = { ladderId: "public", season: CLOSED };

function placesOf(
  played: Awaited<ReturnType<Store["figures"]["activity"]>>,
  draw: Draw,
): FinalStanding[] {
  return played.map(({ botId, versionId }, place) => {
    const { name = "", owner = "", house = false } = sure(BOTS[FIXTURE_BOTS.indexOf(botId)], "bot");
    const figures = { rating: CENTRE + 90 - 30 * place - draw(), deviation: 60 + 9 * draw() };
    const results = { wins: played.length - place, draws: 1, losses: place };
    return {
      rank: place + 1,
      botId,
      versionId,
      name,
      owner,
      house,
      label: "v1",
      ...figures,
      ...results,
    };
  });
}

function auditEntries() {
  return BOTS.flatMap(({ name = "", owner = "" }, number) => {
    const subject = { kind: "bot", id: sampleId("bot", number), name } as const;
    const facts = { actor: SYSTEM, subject, reason: null };
    const registered = { ...facts, kind: "bot.registered", detail: { owner } } as const;
    const reason = "hourly_quota";
    const throttled = { ...facts, kind: "bot.throttled", detail: { reason } } as const;
    return [
      sampleAudit(2 * number, { at: playedAt(0, number), ...registered }),
      sampleAudit(2 * number + 1, { at: playedAt(30 + (number >> 1)), ...throttled }),
    ];
  });
}

async function forgetTurns({ database }: Backend): Promise<void> {
  const oldest = sql`select ended, id from matches where voided = 0 order by ended limit ${UNCOUNTED}`;
  await sql`insert into uncounted_turns ${oldest}`.execute(database);
  await sql`delete from version_turns
    where match_id in (select match_id from uncounted_turns)`.execute(database);
}

async function dumped(backend: Backend): Promise<string> {
  // The migration that creates seasons opens the first one.
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

/** An existing text is kept: an upgrade starts from what was released. */
async function write(schema: number): Promise<void> {
  const rows = new URL(`schema-${schema}.sql`, FIXTURES_FOLDER);
  const reads = new URL(`schema-${schema}.json`, FIXTURES_FOLDER);
  if (existsSync(rows)) return console.log(`schema ${schema} is there already`);
  writeFileSync(rows, await dumped(await lived()));
  const upgraded = newBackend();
  await loadFixture(upgraded, schema);
  await migrate(upgraded, UPGRADED);
  const parts = Object.entries(await readsOf(storeOf(upgraded)));
  const lines = parts.map(([name, read]) => `${JSON.stringify(name)}: ${JSON.stringify(read)}`);
  writeFileSync(reads, `{\n${lines.join(",\n")}\n}\n`);
  console.log(`schema ${schema} is written, by release ${RELEASE}`);
}

async function lived(): Promise<Backend> {
  const backend = newBackend();
  await migrate(backend, MADE);
  await live(storeOf(backend));
  await forgetTurns(backend);
  return backend;
}

await write(NEWEST_SCHEMA);
