// The HTTP side over a store in memory and a fake arena, with every answer checked.

import { pino } from "pino";

import { buildApp } from "#api/app.ts";
import { memoryStore } from "#contract/memory-store.ts";
import { openDocuments } from "#documents/documents.ts";
import { ATTACKS, DAMAGE_SOURCES } from "#engine/types.ts";
import type { FighterId, FighterStats, MatchStats } from "#engine/types.ts";
import { followChanges } from "#http/changes.ts";
import type { ApiDeps, ApiSettings, App } from "#http/deps.ts";
import { LIMITS, limitsWith } from "#protocol/limits.ts";
import type { BotRecord, BotStatus, FinishedMatch, Store, VersionRecord } from "#store/store.ts";
import { hashToken } from "#store/token.ts";

import { fakeArena } from "./fake-arena.ts";
import type { FakeArena } from "./fake-arena.ts";
import { checkResponses } from "./response-check.ts";

const START_MS = Date.UTC(2026, 0, 5, 12);
const MINUTE_MS = 60_000;

export type TestApi = {
  app: App;
  store: Store;
  arena: FakeArena;
  /** Gzip bytes by match id. */
  replays: Map<string, Uint8Array>;
  log: string[];
  /** Every token that was given out. */
  tokens: string[];
  /** Deterministic ids in the form of UUIDs. */
  newId: () => string;
  /** The next minute of a clock that only tests move. */
  tick: () => string;
};

/** An app in anonymous mode unless told otherwise; `changes` replaces dependencies. */
export function testApi(
  settings: Partial<ApiSettings> = {},
  changes: Partial<ApiDeps> = {},
): TestApi {
  const { store, changes: storeChanges } = followChanges(changes.store ?? memoryStore());
  const arena = fakeArena();
  const replays = new Map<string, Uint8Array>();
  const log: string[] = [];
  const tokens: string[] = [];
  let ids = 0;
  let minutes = 0;
  let looks = 0;
  const now = () => new Date(START_MS + minutes * MINUTE_MS);
  const newId = () => `01900000-0000-7000-8000-${String(++ids).padStart(12, "0")}`;
  const app = buildApp({
    changes: storeChanges,
    arena,
    replays: { read: async (id) => replays.get(id) ?? null },
    limits: limitsWith({}),
    settings: {
      baseUrl: BASE_URL,
      botEndpoint: "ws://localhost:7777/bot",
      sourceUrl: null,
      anonymous: true,
      registrationKeyHash: null,
      ...settings,
    },
    versions: VERSIONS,
    documents: DOCUMENTS,
    frame: ({ html }) => html,
    admission: null,
    clock: now,
    // Nothing here comes too often: each look at this clock is a second after the last.
    now: () => (looks += 1) * 1_000_000,
    newId,
    newToken: () => {
      tokens.push(`bout_bot_${String(tokens.length).padStart(43, "t")}`);
      return tokens[tokens.length - 1];
    },
    log: pino({ level: "trace" }, { write: (line) => void log.push(line) }),
    ...changes,
    store,
  });
  checkResponses(app);
  const tick = () => {
    minutes++;
    return now().toISOString();
  };
  return { app, store, arena, replays, log, tokens, newId, tick };
}

const DOCUMENTS = await openDocuments(LIMITS, false);
const BASE_URL = "http://localhost:7777";
const VERSIONS = {
  release: "0.48.1",
  engine: "0.23.0",
  protocol: "0.6",
  rules: "0.22.0",
  rules_hash: "0123abcd",
  schema: 25,
};

/** The header of a bot that shows its token. */
export function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** A bot with the token `token-of-<name>`. */
export async function addBot(
  { store, newId, tick }: TestApi,
  name: string,
  facts: Partial<BotRecord> = {},
): Promise<BotRecord> {
  const defaults = { owner: name, house: false, status: "active" as BotStatus, avatar: null };
  const bot = { id: newId(), name, ...defaults, created: tick(), ...facts };
  await store.addBot(bot, hashToken(tokenOf(name)), null);
  return bot;
}

export function tokenOf(name: string): string {
  return `token-of-${name}`;
}

export async function addVersion(
  { store, newId, tick }: TestApi,
  bot: BotRecord,
  label: string,
): Promise<VersionRecord> {
  const facts = { notes: "", retired: false };
  const version = { id: newId(), botId: bot.id, label, created: tick(), ...facts };
  await store.addVersion(version, null);
  return version;
}

/** Puts a version on the board with its record of wins, losses and draws. */
export function rate(
  { arena, newId, tick }: TestApi,
  version: VersionRecord,
  rating: number,
  [wins, losses, draws]: [number, number, number],
  deviation = 40,
): void {
  const { id: versionId, botId } = version;
  const last = { lastPlayed: tick(), lastMatchId: newId() };
  arena.entries.set(versionId, {
    versionId,
    botId,
    rating,
    deviation,
    wins,
    losses,
    draws,
    ...last,
  });
}

/** A stored match of two versions, won by the first and rated unless `facts` say otherwise. */
export async function addMatch(
  { store, newId, tick, replays }: TestApi,
  [first, second]: [VersionRecord, VersionRecord],
  facts: Partial<FinishedMatch> = {},
): Promise<FinishedMatch> {
  const id = newId();
  const match: FinishedMatch = {
    id,
    ladderId: "public",
    season: "2026-01",
    mode: "ranked",
    map: "yard",
    seed: 7,
    started: tick(),
    ended: tick(),
    durationMs: 1234.5,
    finalTick: 99,
    reason: "last_standing",
    winnerBotId: first.botId,
    voided: false,
    rated: true,
    unratedReason: null,
    pairing: null,
    seats: [first, second].map((version, seat) => ({
      botId: version.botId,
      versionId: version.id,
      fighter: "AB"[seat],
      ratingBefore: 1500,
      ratingAfter: seat === 0 ? 1520 : 1480,
    })),
    stats: null,
    settled: false,
    ...facts,
  };
  await store.saveMatch(match);
  replays.set(id, new TextEncoder().encode(`replay of ${id}`));
  return match;
}

/** A statistics document of a fight in which nothing happened. */
export function sampleStats(): MatchStats {
  const head = { match_id: "a match", stats_version: 2, map: "yard", seed: 7 } as const;
  const end = { ticks: 99, winner: null, reason: "timeout_draw" } as const;
  return { ...head, ...end, fighters: [sampleFighter("A"), sampleFighter("B")] };
}

function sampleFighter(id: FighterId): FighterStats {
  const zeroes = <K extends string>(words: readonly K[]) =>
    Object.fromEntries(words.map((word) => [word, 0])) as Record<K, number>;
  const weapon = { uses: 0, hits: 0, damage: 0 };
  const weapons = Object.fromEntries(ATTACKS.map((name) => [name, weapon]));
  return {
    id,
    name: "Rex",
    version: "v1",
    hp: 100,
    alive: true,
    moves: 0,
    moves_blocked: 0,
    dashes: 0,
    dash_tiles: 0,
    weapons: weapons as FighterStats["weapons"],
    ricochets: { bounces: 0, hits: 0, damage: 0 },
    pickups: { health: 0, power: 0 },
    healed: 0,
    damage_dealt: 0,
    dealt_by_source: zeroes(DAMAGE_SOURCES),
    damage_taken: 0,
    taken_by_source: zeroes(DAMAGE_SOURCES),
    wall_slams: 0,
    knocked_back: 0,
    stunned: 0,
    zone_ticks: 0,
    rejected: {},
    refused_turns: 0,
    refused_turns_by_reason: {},
    server_idles: { timeout: 2 },
    timing: null,
    disconnects: 0,
    disqualified: false,
  };
}
