// Numbered records for tests and benchmarks of the store. The same number always returns the same
// record.
import { SECOND_MS } from "#base/util/time.ts";
import { ATTACKS } from "#core/engine/types.ts";
import { BOT_STATUSES } from "#core/ids/bot-status.ts";
import type { BotStatus } from "#core/ids/bot-status.ts";
import type { BotId } from "#core/ids/ids.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { newBot } from "#data/store/bot.ts";
import type { BotRecord, StatusChange } from "#data/store/bot.ts";
import type { FinishedMatch, SeatRecord } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";
import type { VersionRecord } from "#data/store/version.ts";

const ID_KINDS = {
  bot: "1",
  version: "2",
  match: "3",
  audit: "4",
  account: "5",
  request: "6",
  preset: "7",
  announcement: "8",
  delivery: "9",
} as const;
const EPOCH = Date.UTC(2026, 0, 1);

/** Season of the first samples. Test stores are created at the start of this season. */
export const SAMPLE_SEASON = "2026-01";
export const SAMPLES_CREATED_AT = "2026-01-01T00:00:00.000Z";

/** Returns a UUID that contains the kind and number. IDs increase with the number. */
export function sampleId(kind: keyof typeof ID_KINDS, number: number): string {
  const suffix = ID_KINDS[kind] + number.toString(16).padStart(11, "0");
  return `01900000-0000-7000-8000-${suffix}`;
}

export function sampleTime(seconds: number): string {
  return new Date(EPOCH + seconds * SECOND_MS).toISOString();
}

export function sampleBot(number: number, changes: Partial<BotRecord> = {}): BotRecord {
  const { owner = `Owner-${number}`, house = false } = changes;
  const [id, name] = [sampleId("bot", number), `Bot-${number}`];
  const created = sampleTime(number);
  return { ...newBot({ id, name, owner, house, created, accountId: null }), ...changes };
}

export function statusChange(
  newStatus: BotStatus,
  changes: Partial<StatusChange> = {},
): StatusChange {
  const from = BOT_STATUSES.filter((status) => status !== newStatus);
  return { from, to: newStatus, reason: null, at: sampleTime(0), ...changes };
}

export function sampleVersion(number: number, changes: Partial<VersionRecord> = {}): VersionRecord {
  return {
    id: sampleId("version", number),
    botId: sampleId("bot", number),
    label: `v${number}`,
    notes: "",
    created: sampleTime(number),
    retired: false,
    ...changes,
  };
}

export function sampleSeat(number: number, changes: Partial<SeatRecord> = {}): SeatRecord {
  return {
    botId: sampleId("bot", number),
    versionId: sampleId("version", number),
    accountId: null,
    name: `Bot-${number}`,
    version: `v${number}`,
    fighter: "A",
    ratingBefore: 1500,
    ratingAfter: 1508,
    deviationAfter: null,
    scoreAfter: null,
    ratedGames: null,
    ...changes,
  };
}

export type MatchChanges = Partial<FinishedMatch> & { winnerBotId?: BotId | null };

export function seatIndexOf(seats: readonly SeatRecord[], botId: BotId | null): number | null {
  const seat = seats.findIndex((candidate) => candidate.botId === botId);
  return botId === null || seat === -1 ? null : seat;
}

/**
 * Returns a rated match on `public` that bot 0 won against bot 1, with overrides. An unrated match
 * has no ratings, and a void match has no winner.
 */
export function sampleMatch(number: number, changes: MatchChanges = {}): FinishedMatch {
  const { rated = true, voided = false } = changes;
  const defaultSeats = [sampleSeat(0), sampleSeat(1, { fighter: "B", ratingAfter: 1492 })];
  const { winnerBotId = sampleId("bot", 0), seats = defaultSeats, ...otherFields } = changes;
  const ratings = rated ? {} : { ratingBefore: null, ratingAfter: null };
  return {
    id: sampleId("match", number),
    ladderId: "public",
    season: SAMPLE_SEASON,
    mode: "ranked",
    map: "arena",
    seed: 4_000_000_000 + number,
    started: sampleTime(number),
    ended: sampleTime(number + 60),
    durationMs: 60_000,
    finalTick: 60,
    reason: "last_standing",
    winnerSeat: voided ? null : seatIndexOf(seats, winnerBotId),
    voided,
    rated,
    unratedReason: rated ? null : voided ? "nobody_ready" : "ladder_disabled",
    pairing: { weight: 1 + (number % 7), terms: { gap: 0.5, discovery: number % 2 } },
    seats: seats.map((seat) => ({ ...seat, ...ratings })),
    stats: sampleStats(number),
    settled: false,
    requestId: null,
    ...otherFields,
  };
}

/** Returns statistics about as long and as compressible as those of a real match. */
function sampleStats(number: number): string {
  const weapons = ATTACKS.map((name, index) => {
    const uses = (number * 7 + index * 13) % 41;
    return [name, { uses, hits: uses >> 1, damage: uses * 3 }] as const;
  });
  const fighter = {
    hp: number % 100,
    moves: (number * 31) % 60,
    dashes: number % 3,
    damage_dealt: 50 + number,
    damage_taken: 30,
    healed: number % 5,
    wall_slams: number % 2,
    server_idles: { timeout: number % 4, schema: 1 },
    weapons: Object.fromEntries(weapons),
    dealt_by_source: Object.fromEntries(weapons.map(([name, { damage }]) => [name, damage])),
    taken_by_source: Object.fromEntries(weapons.map(([name, { hits }]) => [name, hits * 4])),
    timing: {
      replies: 60,
      mean_ms: 3.25,
      p50_ms: 4,
      p95_ms: 8,
      max_ms: 9.5,
      near_limit: 0,
      tick_ms: 1000,
      budget_ms_left: 299_805,
      histogram: histogram(number),
    },
  };
  const fighters = [
    { id: "A", ...fighter },
    { id: "B", ...fighter },
  ];
  return JSON.stringify({
    match_id: sampleId("match", number),
    stats_version: 2,
    ticks: 60,
    fighters,
  });
}

function histogram(number: number): number[] {
  return Array.from({ length: 24 }, (_, index) => (number * (index + 3)) % 17);
}

export function sampleAudit(number: number, changes: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: sampleId("audit", number),
    at: sampleTime(number),
    kind: "bot.banned",
    actor: { kind: "account", id: sampleId("account", 1), name: "ada" },
    subject: { kind: "bot", id: sampleId("bot", number), name: `Bot-${number}` },
    reason: "loud",
    detail: { number },
    ...changes,
  };
}

/** Adds bots 0 to `count` - 1 with one version each. Skips bots that already exist. */
export async function addSamplePlayers(store: Store, count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    await store.bots.add(sampleBot(number), `hash-${number}`, null);
    await store.versions.add(sampleVersion(number), null);
  }
}
