import { assertDefined } from "#base/util/assert-defined.ts";
import { SECOND_US } from "#base/util/time.ts";
import type { LadderId } from "#core/ids/ids.ts";
import { estimateWait } from "#core/pairing/wait-estimate.ts";
import type { Prospect } from "#core/pairing/wait-estimate.ts";
import { CENTRE } from "#core/rating/score.ts";
import type { VersionRecord } from "#data/store/version.ts";
import type { BoardEntry } from "#live/matchmaker/matchmaker.ts";
import { pairingNumbers } from "#live/matchmaker/pairing-parameters.ts";

import { pairingHistoryOn, pairKey, startKey } from "./arena-state.ts";
import type { ArenaState } from "./arena-state.ts";
import { ladderRoom, serverRoom } from "./capacity.ts";
import { requestedPairsOn } from "./opponent-requests.ts";
import { quotaFreeAt } from "./quota.ts";
import type { QueueEntry, Session } from "./session.ts";

/** Assumed duration before any match has been played. */
const DEFAULT_MATCH_SECONDS = 30;

/** A match that has exceeded the typical duration may end at any time. */
const MIN_REMAINING_SECONDS = 1;

type ProspectState = { ladderId: LadderId; version: VersionRecord; wait: number };

/** Returns the estimated seconds until a waiting bot's match starts, to one decimal place. */
export function estimateQueueWait(arena: ArenaState, session: Session, entry: QueueEntry): number {
  const { settings, clock } = arena.deps;
  const limits = settings.current();
  const now = clock.now();
  const medianLength = medianOf(arena.recentLengths) ?? DEFAULT_MATCH_SECONDS;
  const requestedOpponent = findRequestedOpponent(arena, session, entry);
  const seconds = estimateWait({
    firstWaveSeconds: (firstWaveAt(arena, session, entry, now) - now) / SECOND_US,
    waveSeconds: limits.wave_every_s,
    waitSeconds: (now - entry.since) / SECOND_US,
    prospects:
      requestedOpponent === null
        ? prospectsOf(arena, session, entry, medianLength)
        : [requestedProspect(arena, session, entry, requestedOpponent)],
    startsAhead: startsAhead(arena, entry.ladderId, requestedOpponent !== null),
    endsPerSecond: arena.rankedMatches.size / medianLength,
    typicalWaitSeconds: medianOf(arena.recentWaits) ?? 0,
    numbers: pairingNumbers(limits),
  });
  return Math.round(seconds * 10) / 10;
}

/** Returns the time in µs of the first wave that the bot's match interval and quotas allow. */
function firstWaveAt(
  { deps, lastStart, nextWaveAt, starts }: ArenaState,
  { bot }: Session,
  { ladderId }: QueueEntry,
  now: number,
): number {
  const limits = deps.settings.current();
  const { match_interval_s, wave_every_s } = limits;
  const last = lastStart.get(startKey(bot, ladderId)) ?? -Infinity;
  const quotaFree = bot.house ? now : quotaFreeAt(starts, bot.id, bot.ownerId, now, limits);
  const readyAt = Math.max(now, quotaFree, last + match_interval_s * SECOND_US);
  const wavesBefore = Math.ceil(Math.max(0, readyAt - nextWaveAt) / (wave_every_s * SECOND_US));
  return Math.max(now, nextWaveAt + wavesBefore * wave_every_s * SECOND_US);
}

type WaitingSession = Session & { activity: { state: "waiting" } };

function findRequestedOpponent(
  arena: ArenaState,
  { bot }: Session,
  { ladderId, version }: QueueEntry,
): WaitingSession | null {
  if (arena.requests.size === 0) return null;
  const houseSessions = arena.sessions
    .values()
    .filter((opponent) => opponent.bot.house && isWaitingOn(opponent, ladderId))
    .toArray() as WaitingSession[];
  const houseBots = houseSessions.map((opponent) => ({
    bot: opponent.bot,
    version: opponent.activity.entry.version,
  }));
  const [pair] = requestedPairsOn(arena, ladderId, [{ bot, version }, ...houseBots]);
  return houseSessions.find((opponent) => pair?.botIds.includes(opponent.bot.id)) ?? null;
}

const isWaitingOn = ({ activity }: Session, ladderId: LadderId): boolean =>
  activity.state === "waiting" && activity.entry.ladderId === ladderId;

/**
 * A requested match ignores the rating gap but respects the rematch hold. It takes precedence over
 * other matches.
 */
function requestedProspect(
  arena: ArenaState,
  ownSession: Session,
  entry: QueueEntry,
  houseSession: WaitingSession,
): Prospect {
  const wait = (arena.deps.clock.now() - houseSession.activity.entry.since) / SECOND_US;
  return {
    gap: 0,
    inSeconds: rematchHoldSeconds(arena, ownSession, houseSession, entry, wait),
    waitSeconds: wait,
  };
}

/** Ladders share the server's capacity, and requested matches start first. */
function startsAhead(arena: ArenaState, ladderId: LadderId, isRequested: boolean): number {
  const { sessions } = arena;
  const [room, ownRoom] = [serverRoom(arena), ladderRoom(arena, ladderId)];
  if (isRequested) return Math.max(0, 1 - Math.min(room, ownRoom));
  if (ownRoom >= sessions.size / 2) return 0;
  let waiting = 0;
  let waitingOnLadder = 0;
  for (const { activity } of sessions.values()) {
    if (activity.state !== "waiting") continue;
    waiting += 1;
    waitingOnLadder += Number(activity.entry.ladderId === ladderId);
  }
  return Math.max(0, Math.ceil(waiting / 2) - room, Math.ceil(waitingOnLadder / 2) - ownRoom);
}

/** A generator, because the first few prospects are usually enough in a large queue. */
function* prospectsOf(
  arena: ArenaState,
  ownSession: Session,
  entry: QueueEntry,
  medianLength: number,
): Generator<Prospect> {
  const entries = arena.boards.get(entry.ladderId)?.entries() ?? new Map<string, BoardEntry>();
  const now = arena.deps.clock.now();
  const rating = ratingOf(entries, ownSession, entry.version);
  for (const opponent of arena.sessions.values()) {
    const prospectState = prospectStateOf(opponent, now, medianLength);
    if (prospectState?.ladderId !== entry.ladderId || isExcluded(ownSession, opponent)) continue;
    const { version, wait } = prospectState;
    yield {
      gap: Math.abs(rating - ratingOf(entries, opponent, version)),
      inSeconds: Math.max(-wait, rematchHoldSeconds(arena, ownSession, opponent, entry, wait)),
      waitSeconds: wait,
    };
  }
}

/**
 * Returns the version a session is waiting or playing with, and its waiting time in seconds. The
 * time is negative for a running match: the remaining duration. Returns null for an idle session.
 */
function prospectStateOf(
  { activity }: Session,
  now: number,
  medianLength: number,
): ProspectState | null {
  switch (activity.state) {
    case "waiting": {
      const { ladderId, version, since } = activity.entry;
      return { ladderId, version, wait: (now - since) / SECOND_US };
    }
    case "playing": {
      const { ladderId, versions, startedAt } = activity.match;
      const remaining = medianLength - (now - startedAt) / SECOND_US;
      const wait = -Math.max(MIN_REMAINING_SECONDS, remaining);
      return { ladderId, version: assertDefined(versions[activity.seat], "version"), wait };
    }
    case "idle":
    case "ended":
      return null;
  }
}

function isExcluded(session: Session, opponent: Session): boolean {
  const isSameOwner = session.bot.ownerId === opponent.bot.ownerId;
  return session === opponent || isSameOwner || (session.bot.house && opponent.bot.house);
}

function rematchHoldSeconds(
  arena: ArenaState,
  session: Session,
  opponent: Session,
  { ladderId, since }: QueueEntry,
  opponentWait: number,
): number {
  const { lastMetAt, lastOpponent } = pairingHistoryOn(arena, ladderId);
  const now = arena.deps.clock.now();
  const holdSeconds = arena.deps.settings.current().rematch_hold_s;
  const endedAt = lastMetAt.get(pairKey(session.bot.id, opponent.bot.id)) ?? -Infinity;
  const sinceEnd = (now - endedAt) / SECOND_US;
  const wasLast =
    lastOpponent.get(session.bot.id) === opponent.bot.id ||
    lastOpponent.get(opponent.bot.id) === session.bot.id;
  return Math.max(
    0,
    holdSeconds - sinceEnd,
    wasLast ? holdSeconds - Math.min((now - since) / SECOND_US, opponentWait) : 0,
  );
}

/** A new version starts at the rating of the version the bot last played with. */
function ratingOf(
  entries: ReadonlyMap<string, BoardEntry>,
  { lastPlayedVersionId }: Session,
  version: VersionRecord,
): number {
  const entry = entries.get(version.id) ?? entries.get(lastPlayedVersionId ?? "");
  return entry?.rating ?? CENTRE;
}

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}
