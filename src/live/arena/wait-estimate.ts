// What a bot that queues can expect: whom it may meet, when they are free, how full the server is.

import { SECOND } from "#base/units/time.ts";
import { ownerFold } from "#core/accounts/name.ts";
import { estimatedWait } from "#core/pairing/estimate.ts";
import type { Prospect } from "#core/pairing/estimate.ts";
import { CENTRE } from "#core/rating/score.ts";
import type { VersionRecord } from "#data/store/store.ts";
import type { BoardEntry } from "#live/matchmaker/matchmaker.ts";
import { pairingNumbers } from "#live/matchmaker/pairing-numbers.ts";

import { pairKey } from "./arena-state.ts";
import type { Hall } from "./arena-state.ts";
import { heldUntil } from "./quota.ts";
import type { Entry, Session } from "./session.ts";

/** The length of a match that is expected before any has been played. */
const FIRST_MATCH_SECONDS = 30;

/** A match that lasts longer than usual may end at any time. */
const LEAST_REST_SECONDS = 1;

/** Seconds, in tenths, until the match of a bot that waits. An estimate, not a promise. */
export function waitAhead(hall: Hall, session: Session, entry: Entry): number {
  const { limits, clock } = hall.deps;
  const now = clock.now();
  const usualLength = medianOf(hall.lengths) ?? FIRST_MATCH_SECONDS;
  const seconds = estimatedWait({
    firstWaveSeconds: (firstWave(hall, session, now) - now) / SECOND,
    waveSeconds: limits.wave_every_s,
    waitSeconds: (now - entry.since) / SECOND,
    prospects: prospectsOf(hall, session, entry, usualLength),
    startsAhead: startsAhead(hall),
    endsPerSecond: hall.games.size / usualLength,
    usualWaitSeconds: medianOf(hall.waits) ?? 0,
    numbers: pairingNumbers(limits),
  });
  return Math.round(seconds * 10) / 10;
}

/** µs of the first wave after the bot's match interval, and after its quotas hold it back. */
function firstWave(
  { deps, lastStart, nextWave, starts }: Hall,
  { bot }: Session,
  now: number,
): number {
  const { match_interval_s, wave_every_s } = deps.limits;
  const last = lastStart.get(bot.id) ?? -Infinity;
  const held = bot.house
    ? now
    : 1000 * heldUntil(starts, bot.id, bot.owner, now / 1000, deps.limits);
  const readyAt = Math.max(now, held, last + match_interval_s * SECOND);
  const wavesBefore = Math.ceil(Math.max(0, readyAt - nextWave) / (wave_every_s * SECOND));
  return Math.max(now, nextWave + wavesBefore * wave_every_s * SECOND);
}

function startsAhead({ sessions, games, deps }: Hall): number {
  const room = deps.limits.max_concurrent - games.size;
  if (room >= sessions.size / 2) return 0;
  let waiting = 0;
  for (const { activity } of sessions.values()) if (activity.state === "waiting") waiting += 1;
  return Math.max(0, Math.ceil(waiting / 2) - room);
}

/** Looked at one by one: in a crowd the first few settle the question. */
function* prospectsOf(
  hall: Hall,
  own: Session,
  entry: Entry,
  usualLength: number,
): Generator<Prospect> {
  const entries = hall.boards.get(entry.ladderId)?.entries() ?? new Map<string, BoardEntry>();
  const now = hall.deps.clock.now();
  const rating = ratingOf(entries, own, entry.version);
  for (const other of hall.sessions.values()) {
    const version = versionOn(entry.ladderId, other);
    if (version === null || isBarred(own, other)) continue;
    const wait = waitOf(other, now, usualLength);
    yield {
      gap: Math.abs(rating - ratingOf(entries, other, version)),
      inSeconds: Math.max(-wait, holdOf(hall, own, other, (now - entry.since) / SECOND, wait)),
      waitSeconds: wait,
    };
  }
}

/** The version that a session waits or plays with on a ladder. */
function versionOn(ladderId: string, { activity }: Session): VersionRecord | null {
  if (activity.state === "idle") return null;
  const { entry, game, seat } = { entry: null, game: null, seat: 0, ...activity };
  if (game !== null) return game.ladderId === ladderId ? (game.versions[seat] ?? null) : null;
  return entry?.ladderId === ladderId ? entry.version : null;
}

function isBarred(one: Session, other: Session): boolean {
  const isOneOwners = ownerFold(one.bot.owner) === ownerFold(other.bot.owner);
  return one === other || isOneOwners || (one.bot.house && other.bot.house);
}

/** Seconds waited; of one that plays, less than 0 by the rest of its match. */
function waitOf({ activity }: Session, now: number, usualLength: number): number {
  if (activity.state === "waiting") return (now - activity.entry.since) / SECOND;
  const played = activity.state === "playing" ? (now - activity.game.startedAt) / SECOND : 0;
  return -Math.max(LEAST_REST_SECONDS, usualLength - played);
}

/** The rest of the rematch hold of two bots. */
function holdOf(hall: Hall, one: Session, other: Session, wait: number, otherWait: number): number {
  const hold = hall.deps.limits.rematch_hold_s;
  const ended = hall.met.get(pairKey(one.bot.id, other.bot.id)) ?? -Infinity;
  const sinceEnd = (hall.deps.clock.now() - ended) / SECOND;
  const wasLast =
    hall.lastOpponent.get(one.bot.id) === other.bot.id ||
    hall.lastOpponent.get(other.bot.id) === one.bot.id;
  return Math.max(0, hold - sinceEnd, wasLast ? hold - Math.min(wait, otherWait) : 0);
}

/** Of a new version, the rating of the one that the bot played with last. */
function ratingOf(
  entries: ReadonlyMap<string, BoardEntry>,
  { versions }: Session,
  version: VersionRecord,
): number {
  const own = entries.get(version.id);
  if (own !== undefined) return own.rating;
  let latest: BoardEntry | null = null;
  for (const { id } of versions.values()) {
    const entry = entries.get(id);
    if (entry !== undefined && (entry.lastPlayed ?? "") > (latest?.lastPlayed ?? ""))
      latest = entry;
  }
  return latest?.rating ?? CENTRE;
}

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}
