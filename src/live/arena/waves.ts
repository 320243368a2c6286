import { firstTwo } from "#base/util/assert-defined.ts";
import { MILLISECOND_US, SECOND_US } from "#base/util/time.ts";
import { gridOf } from "#core/engine/maps.ts";
import type { BotId, LadderId, RequestId } from "#core/ids/ids.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { PlannedStart } from "#core/pairing/types.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { PlannedMatch, WaitingEntry, WaveRequest } from "#live/matchmaker/matchmaker.ts";
import { pairingNumbers } from "#live/matchmaker/pairing-parameters.ts";
import { isReservedForPractice } from "#live/practice/practice-book.ts";

import { pairingHistoryOn, startKey } from "./arena-state.ts";
import type { ArenaState, PairingHistory } from "./arena-state.ts";
import {
  ladderBounds,
  hasHouseBot,
  houseRoom,
  occupancyOf,
  addToOccupancy,
  ownerRoom,
  ownerLadderRoom,
  ladderRoom,
  ladderUsage,
} from "./capacity.ts";
import type { Occupancy } from "./capacity.ts";
import { evictStaleEntries } from "./eviction.ts";
import { canServeRequest, requestedPairsOn } from "./opponent-requests.ts";
import type { WaitingBotVersion, RequestedPair } from "./opponent-requests.ts";
import { sendQuotaNotice, writeAuditEntries } from "./quota-notices.ts";
import type { PairingHold } from "./quota-notices.ts";
import { quotaFreeAt, startsInLastHour, exhaustedQuota, remainingStarts } from "./quota.ts";
import type { QuotaReason } from "./quota.ts";
import { startRankedMatch } from "./ranked-matches.ts";
import type { PairedSessions } from "./ranked-matches.ts";
import type { QueueEntry, Session } from "./session.ts";

type Candidate = { session: Session; entry: QueueEntry };

type CandidatePair = PairedSessions & {
  candidates: readonly [Candidate, Candidate];
  claimSeconds: PlannedMatch["claimSeconds"];
};

/**
 * Runs one wave across all ladders. Starts nothing while results are waiting for the store. If
 * capacity is short, the pairs that have waited longest start first.
 */
export async function runWave(arena: ArenaState): Promise<void> {
  scheduleNextWave(arena);
  evictStaleEntries(arena);
  if (arena.drainDeadline === null && arena.unsavedResults.count === 0) await pairAndStart(arena);
  scheduleNextWave(arena);
  void writeAuditEntries(arena.deps, arena.quotaNotices);
}

async function pairAndStart(arena: ArenaState): Promise<void> {
  const { clock, log } = arena.deps;
  const startedAt = clock.now();
  const { pairs, waiting } = await pairLadders(arena);
  const started = startPairs(arena, pairs);
  const ms = (clock.now() - startedAt) / MILLISECOND_US;
  if (waiting > 0) log.debug({ waiting, paired: pairs.length, started, ms }, "pairing wave");
}

function scheduleNextWave(arena: ArenaState): void {
  arena.nextWaveAt =
    arena.deps.clock.now() + arena.deps.settings.current().wave_every_s * SECOND_US;
}

/** Bots that may be paired, by ladder and bot. */
type Queues = Map<LadderId, Map<BotId, Candidate>>;

/** A single matchmaker request covers all ladders, so that no ladder waits for another. */
async function pairLadders(
  arena: ArenaState,
): Promise<{ pairs: CandidatePair[]; waiting: number }> {
  const occupancy = occupancyOf(arena);
  const queues = buildQueues(arena, occupancy);
  const houseStarts = houseStartLimit(arena, queues, occupancy);
  const requestedPairs: RequestedPair[] = [];
  const requests = arena.deps.ladders.list().flatMap((ladder) => {
    const candidates = queues.get(ladder.id);
    if (candidates === undefined || !canPair(candidates)) return [];
    const ladderPairs = requestedPairsOn(arena, ladder.id, candidates.values().map(waitingBotOf));
    requestedPairs.push(...ladderPairs);
    return [
      waveRequestOf(
        arena,
        ladder,
        { candidates, requestedPairs: ladderPairs, houseStarts },
        occupancy,
      ),
    ];
  });
  if (requests.length === 0) return { pairs: [], waiting: 0 };
  const pairings = await arena.deps.matchmaker.pair(requests);
  return {
    pairs: pairings.flatMap((pairing) => toCandidatePair(queues, requestedPairs, pairing) ?? []),
    waiting: requests.reduce((sum, request) => sum + request.waiting.length, 0),
  };
}

const waitingBotOf = ({ session: { bot }, entry: { version } }: Candidate): WaitingBotVersion => ({
  bot,
  version,
});

/** House bots are never paired with each other. */
function canPair(candidates: ReadonlyMap<BotId, Candidate>): boolean {
  return candidates.size > 1 && candidates.values().some(({ session }) => !session.bot.house);
}

/** Returns Infinity if every waiting house bot can start. */
function houseStartLimit(arena: ArenaState, queues: Queues, occupancy: Occupancy): number {
  const room = Math.max(0, houseRoom(arena, occupancy));
  let waiting = 0;
  for (const candidates of queues.values())
    for (const { session } of candidates.values()) waiting += Number(session.bot.house);
  return waiting <= room ? Infinity : room;
}

function toCandidatePair(
  queues: Queues,
  requestedPairs: readonly RequestedPair[],
  { botIds, map, ...pairing }: PlannedMatch,
): CandidatePair | null {
  const candidates = queues.get(pairing.ladderId);
  const first = candidates?.get(botIds[0]);
  const second = candidates?.get(botIds[1]);
  const grid = gridOf(map);
  if (first === undefined || second === undefined || grid === null) return null;
  return {
    ...pairing,
    candidates: [first, second],
    sessions: [first.session, second.session],
    versions: [first.entry.version, second.entry.version],
    grid,
    requestId:
      pairing.reasons.ground === "requested" ? requestServedBy(requestedPairs, botIds) : null,
  };
}

/** Returns the oldest matching request. */
function requestServedBy(
  requestedPairs: readonly RequestedPair[],
  botIds: PlannedMatch["botIds"],
): RequestId | null {
  const request = requestedPairs.find((requestedPair) =>
    requestedPair.botIds.every((botId) => botIds.includes(botId)),
  );
  return request?.requestId ?? null;
}

/**
 * Starts requested pairs first, then the pairs that have waited longest. Returns the number of
 * started matches.
 */
function startPairs(arena: ArenaState, pairs: readonly CandidatePair[]): number {
  const occupancy = occupancyOf(arena);
  const requestRank = ({ requestId }: CandidatePair) => Number(requestId !== null);
  const orderedPairs = pairs.toSorted(
    (a, b) => requestRank(b) - requestRank(a) || b.claimSeconds - a.claimSeconds,
  );
  let started = 0;
  for (const pair of orderedPairs) {
    if (!canStart(arena, occupancy, pair)) continue;
    tryStart(arena, pair);
    if (!arena.rankedMatches.has(pair.matchId)) continue;
    addToOccupancy(occupancy, pair);
    started += 1;
  }
  return started;
}

/** Checked again, because pairing takes time and earlier starts in this wave count too. */
function canStart(
  arena: ArenaState,
  occupancy: Occupancy,
  { ladderId, candidates, sessions, requestId }: CandidatePair,
): boolean {
  if (requestId !== null && !canServeRequest(arena, requestId, candidates.map(waitingBotOf)))
    return false;
  if (hasHouseBot(sessions) && houseRoom(arena, occupancy) <= 0) return false;
  const ladder = arena.deps.ladders.byId(ladderId);
  if (ladder === null || ladderRoom(arena, ladderId, ladderUsage(occupancy, ladderId).matches) <= 0)
    return false;
  return candidates.every((candidate) => isAvailable(arena, ladder, occupancy, candidate));
}

/** The bot may have left or queued again during pairing. */
function isAvailable(
  arena: ArenaState,
  ladder: LadderDefinition,
  occupancy: Occupancy,
  { session, entry }: Candidate,
): boolean {
  const { bot, activity } = session;
  if (activity.state !== "waiting" || activity.entry !== entry) return false;
  if (isReservedForPractice(arena.practice.book, bot.id, ladder.id)) return false;
  if (arena.pairingHolds.values().some(({ botId }) => botId === bot.id)) return false;
  if (
    arena.deps.ladders.queueRefusal(bot, ladder.id) !== null ||
    !isPastMatchInterval(arena, bot, ladder.id)
  )
    return false;
  if (bot.house) return true;
  const hasRoom = ownerRoom(arena, ladder, occupancy, bot.ownerId) > 0;
  return hasRoom && exhaustedQuotaOf(arena, session) === null;
}

/** A start that fails must not affect the remaining pairs. */
function tryStart(arena: ArenaState, pairing: PairedSessions): void {
  try {
    startRankedMatch(arena, pairing);
  } catch (error) {
    arena.deps.log.error({ error }, "could not start match");
  }
}

function isPastMatchInterval(
  { deps, lastStart }: ArenaState,
  bot: BotRecord,
  ladderId: LadderId,
): boolean {
  const interval = deps.settings.current().match_interval_s * SECOND_US;
  return (lastStart.get(startKey(bot, ladderId)) ?? -Infinity) + interval <= deps.clock.now();
}

function buildQueues(arena: ArenaState, occupancy: Occupancy): Queues {
  const queues: Queues = new Map();
  for (const session of arena.sessions.values()) {
    const { bot, activity } = session;
    if (activity.state !== "waiting") continue;
    const { entry } = activity;
    const ladder = arena.deps.ladders.byId(entry.ladderId);
    if (ladder === null || isReservedForPractice(arena.practice.book, bot.id, ladder.id)) continue;
    if (
      !isPastMatchInterval(arena, bot, ladder.id) ||
      isHeldBack(arena, session, ladder, occupancy)
    )
      continue;
    // A house bot can have several waiting sessions on a ladder. Only the longest-waiting session
    // is paired in a wave.
    const queue = queues.getOrInsertComputed(ladder.id, () => new Map());
    const queuedCandidate = queue.get(bot.id);
    if (queuedCandidate === undefined || entry.since < queuedCandidate.entry.since)
      queue.set(bot.id, { session, entry });
  }
  return queues;
}

/**
 * A bot over its quota stays queued. It is notified periodically, and the audit log records the
 * hold.
 */
function isHeldBack(
  arena: ArenaState,
  session: Session,
  ladder: LadderDefinition,
  occupancy: Occupancy,
): boolean {
  const { deps, quotaNotices } = arena;
  const { bot } = session;
  if (bot.house) return false;
  const quotaReason = exhaustedQuotaOf(arena, session);
  if (quotaReason === null && ownerRoom(arena, ladder, occupancy, bot.ownerId) > 0) return false;
  const hold =
    quotaReason === null
      ? concurrencyHold(arena, ladder)
      : quotaHoldOf(arena, session, quotaReason);
  sendQuotaNotice(deps, quotaNotices, session, hold);
  return true;
}

/** `until` is null, because the hold ends when a match of the owner's other bots does. */
function concurrencyHold(arena: ArenaState, ladder: LadderDefinition): PairingHold {
  const { ownerConcurrency } = ladderBounds(arena, ladder);
  return { reason: "owner_concurrency", limit: ownerConcurrency, until: () => null };
}

function quotaHoldOf(
  { deps, starts }: ArenaState,
  { bot }: Session,
  reason: QuotaReason,
): PairingHold {
  const limits = deps.settings.current();
  const until = () => quotaFreeAt(starts, bot.id, bot.ownerId, deps.clock.now(), limits);
  return { reason, limit: limits[reason], until };
}

/** Checked before each start, because starts within the wave count too. */
function exhaustedQuotaOf({ deps, starts }: ArenaState, { bot }: Session): QuotaReason | null {
  if (bot.house) return null;
  return exhaustedQuota(starts, bot.id, bot.ownerId, deps.clock.now(), deps.settings.current());
}

/**
 * Returns how many more matches each waiting owner may start under the daily quota and the ladder's
 * limit.
 */
function remainingStartsByOwner(
  arena: ArenaState,
  ladder: LadderDefinition,
  occupancy: Occupancy,
  candidates: ReadonlyMap<string, Candidate>,
): ReadonlyMap<string, number> {
  const { deps, starts } = arena;
  const remaining = new Map<string, number>();
  for (const { session } of candidates.values()) {
    const { ownerId, house } = session.bot;
    if (house || remaining.has(ownerId)) continue;
    const dailyRemaining = remainingStarts(
      starts,
      ownerId,
      deps.clock.now(),
      deps.settings.current(),
    );
    remaining.set(
      ownerId,
      Math.min(dailyRemaining, ownerLadderRoom(arena, ladder, occupancy, ownerId)),
    );
  }
  return remaining;
}

type LadderQueue = {
  candidates: ReadonlyMap<string, Candidate>;
  requestedPairs: readonly RequestedPair[];
  houseStarts: number;
};

function waveRequestOf(
  arena: ArenaState,
  ladder: LadderDefinition,
  { candidates, requestedPairs, houseStarts }: LadderQueue,
  occupancy: Occupancy,
): WaveRequest {
  const { deps } = arena;
  const now = deps.clock.now();
  const limits = deps.settings.current();
  const pairingHistory = pairingHistoryOn(arena, ladder.id);
  const room = ladderRoom(arena, ladder.id, ladderUsage(occupancy, ladder.id).matches);
  return {
    ladderId: ladder.id,
    maps: ladder.maps,
    waiting: [...candidates.values()].map((candidate) =>
      waitingEntryOf(arena, pairingHistory, candidate, now),
    ),
    recentPairs: recentPairsAmong(pairingHistory, candidates, now),
    occupiedSeats: occupancy.server.seats,
    remainingStarts: remainingStartsByOwner(arena, ladder, occupancy, candidates),
    requestedPairs: requestedPairs.map(({ botIds }) => botIds),
    limits: {
      ownerConcurrency: limits.owner_concurrency,
      matchIntervalSeconds: limits.match_interval_s,
      houseStarts,
    },
    numbers: pairingNumbers(limits),
    starts: drawStarts(arena, Math.min(room, Math.floor(candidates.size / 2))),
    seed: deps.newSeed(),
  };
}

/** Seeds are drawn before pairing, so that no seed can be chosen to favor a map or a seat. */
function drawStarts({ deps: { newId, newSeed } }: ArenaState, count: number): PlannedStart[] {
  const length = Math.max(0, count);
  return Array.from({ length }, () => ({ matchId: newId(), seed: newSeed() }));
}

function waitingEntryOf(
  arena: ArenaState,
  { lastOpponent }: PairingHistory,
  { session, entry }: Candidate,
  now: number,
): WaitingEntry {
  const { bot } = session;
  const last = arena.lastStart.get(startKey(bot, entry.ladderId));
  return {
    botId: bot.id,
    owner: bot.ownerId,
    house: bot.house,
    versionId: entry.version.id,
    waitSeconds: (now - entry.since) / SECOND_US,
    startsInLastHour: startsInLastHour(arena.starts, bot.id, arena.deps.clock.now()),
    sinceStartSeconds: last === undefined ? Infinity : (now - last) / SECOND_US,
    lastOpponent: lastOpponent.get(bot.id) ?? null,
  };
}

function recentPairsAmong(
  { lastMetAt }: PairingHistory,
  candidates: ReadonlyMap<string, Candidate>,
  now: number,
): WaveRequest["recentPairs"] {
  const recentPairs: { botIds: readonly [BotId, BotId]; seconds: number }[] = [];
  for (const [pair, at] of lastMetAt) {
    const [firstBotId, secondBotId] = firstTwo(pair.split(" "));
    if (candidates.has(firstBotId) && candidates.has(secondBotId))
      recentPairs.push({ botIds: [firstBotId, secondBotId], seconds: (now - at) / SECOND_US });
  }
  return recentPairs;
}
