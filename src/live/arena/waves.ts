// Every couple of seconds: which bots wait, which are held back, whom the matchmaker pairs, and
// which matches start.

import { bothOf } from "#base/units/sure.ts";
import { MILLISECOND, SECOND } from "#base/units/time.ts";
import { gridOf } from "#core/engine/maps.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { Start } from "#core/pairing/types.ts";
import type { BotId, LadderId, RequestId } from "#core/words/ids.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { Paired, Waiting, WaveRequest } from "#live/matchmaker/matchmaker.ts";
import { pairingNumbers } from "#live/matchmaker/pairing-numbers.ts";
import { isKept } from "#live/practice/book.ts";

import { meetingsOn, startKey } from "./arena-state.ts";
import type { ArenaState, Meetings } from "./arena-state.ts";
import {
  boundsOn,
  hasHouse,
  houseRoom,
  occupancyOf,
  occupy,
  ownerRoom,
  ownerRoomOn,
  roomOn,
  usageOn,
} from "./capacity.ts";
import type { Occupancy } from "./capacity.ts";
import { forgetPast } from "./forget.ts";
import { startGame } from "./games.ts";
import type { PairedSessions } from "./games.ts";
import { tellThrottle, writeThrottles } from "./quota-notices.ts";
import type { Hold } from "./quota-notices.ts";
import { heldUntil, recentStarts, spentQuota, startsLeft } from "./quota.ts";
import type { QuotaReason } from "./quota.ts";
import { mayBegin, wantedOn } from "./requests.ts";
import type { WaitingPlayer, WantedPair } from "./requests.ts";
import type { Entry, Session } from "./session.ts";

type Candidate = { session: Session; entry: Entry };

type Pair = PairedSessions & {
  candidates: readonly [Candidate, Candidate];
  claimSeconds: Paired["claimSeconds"];
};

/**
 * Runs one wave over every ladder. Nothing starts while results wait for the store. If room is
 * short, it goes to the ladders where pairs have waited longest.
 */
export async function runWave(arena: ArenaState): Promise<void> {
  expectWave(arena);
  forgetPast(arena);
  if (arena.drainDeadline === null && arena.trouble.unsaved === 0) await pairAndStart(arena);
  expectWave(arena);
  void writeThrottles(arena.deps, arena.throttles);
}

async function pairAndStart(arena: ArenaState): Promise<void> {
  const { clock, log } = arena.deps;
  const began = clock.now();
  const { pairs, waiting } = await pairAll(arena);
  const started = startPairs(arena, pairs);
  const ms = (clock.now() - began) / MILLISECOND;
  if (waiting > 0) log.debug({ waiting, paired: pairs.length, started, ms }, "pairing wave");
}

function expectWave(arena: ArenaState): void {
  arena.nextWave = arena.deps.clock.now() + arena.deps.settings.current().wave_every_s * SECOND;
}

/** Those who may play now, by ladder and bot. */
type Queues = Map<LadderId, Map<BotId, Candidate>>;

/** One question about all ladders: the sessions are gone through once, and nobody waits in turn. */
async function pairAll(arena: ArenaState): Promise<{ pairs: Pair[]; waiting: number }> {
  const occupancy = occupancyOf(arena);
  const queues = queuesIn(arena, occupancy);
  const houseStarts = houseStartsOf(arena, queues, occupancy);
  const wanted: WantedPair[] = [];
  const requests = arena.deps.ladders.all().flatMap((ladder) => {
    const candidates = queues.get(ladder.id);
    if (candidates === undefined || !mayHavePair(candidates)) return [];
    const asked = wantedOn(arena, ladder.id, candidates.values().map(playerOf));
    wanted.push(...asked);
    return [requestOf(arena, ladder, { candidates, asked, houseStarts }, occupancy)];
  });
  if (requests.length === 0) return { pairs: [], waiting: 0 };
  const paired = await arena.deps.matchmaker.pair(requests);
  return {
    pairs: paired.flatMap((one) => pairOf(queues, wanted, one) ?? []),
    waiting: requests.reduce((sum, request) => sum + request.waiting.length, 0),
  };
}

const playerOf = ({ session: { bot }, entry: { version } }: Candidate): WaitingPlayer => ({
  bot,
  version,
});

/** Two of the house never meet: where nobody else waits, there is nothing to ask. */
function mayHavePair(candidates: ReadonlyMap<BotId, Candidate>): boolean {
  return candidates.size > 1 && candidates.values().some(({ session }) => !session.bot.house);
}

/** Infinity where there is room for every house bot that waits. */
function houseStartsOf(arena: ArenaState, queues: Queues, occupancy: Occupancy): number {
  const room = Math.max(0, houseRoom(arena, occupancy));
  let waiting = 0;
  for (const candidates of queues.values())
    for (const { session } of candidates.values()) waiting += Number(session.bot.house);
  return waiting <= room ? Infinity : room;
}

function pairOf(
  queues: Queues,
  wanted: readonly WantedPair[],
  { botIds, map, ...paired }: Paired,
): Pair | null {
  const candidates = queues.get(paired.ladderId);
  const first = candidates?.get(botIds[0]);
  const second = candidates?.get(botIds[1]);
  const grid = gridOf(map);
  if (first === undefined || second === undefined || grid === null) return null;
  return {
    ...paired,
    candidates: [first, second],
    sessions: [first.session, second.session],
    versions: [first.entry.version, second.entry.version],
    grid,
    requestId: paired.reasons.ground === "requested" ? servedBy(wanted, botIds) : null,
  };
}

/** The oldest request for two bots, which wait on one ladder. */
function servedBy(wanted: readonly WantedPair[], botIds: Paired["botIds"]): RequestId | null {
  const request = wanted.find((one) => one.botIds.every((botId) => botIds.includes(botId)));
  return request?.requestId ?? null;
}

/**
 * What was asked for starts first, then those that have waited longest. Returns how many matches
 * started.
 */
function startPairs(arena: ArenaState, pairs: readonly Pair[]): number {
  const occupancy = occupancyOf(arena);
  const asked = ({ requestId }: Pair) => Number(requestId !== null);
  const inOrder = pairs.toSorted(
    (one, other) => asked(other) - asked(one) || other.claimSeconds - one.claimSeconds,
  );
  let started = 0;
  for (const pair of inOrder) {
    if (!mayStart(arena, occupancy, pair)) continue;
    tryGame(arena, pair);
    if (!arena.games.has(pair.matchId)) continue;
    occupy(occupancy, pair);
    started += 1;
  }
  return started;
}

/** Checked again: the matchmaker took a moment, and earlier starts of this wave count. */
function mayStart(
  arena: ArenaState,
  occupancy: Occupancy,
  { ladderId, candidates, sessions, requestId }: Pair,
): boolean {
  if (requestId !== null && !mayBegin(arena, requestId, candidates.map(playerOf))) return false;
  if (hasHouse(sessions) && houseRoom(arena, occupancy) <= 0) return false;
  const ladder = arena.deps.ladders.byId(ladderId);
  if (ladder === null || roomOn(arena, ladderId, usageOn(occupancy, ladderId).matches) <= 0)
    return false;
  return candidates.every((candidate) => isFree(arena, ladder, occupancy, candidate));
}

/** A bot that left or queued again is not dragged into a match. */
function isFree(
  arena: ArenaState,
  ladder: LadderDefinition,
  occupancy: Occupancy,
  { session, entry }: Candidate,
): boolean {
  const { bot, activity } = session;
  if (activity.state !== "waiting" || activity.entry !== entry) return false;
  if (isKept(arena.practice.book, bot.id, ladder.id)) return false;
  if (arena.withheld.values().some(({ botId }) => botId === bot.id)) return false;
  if (arena.deps.ladders.admits(bot, ladder.id) !== null || !isRested(arena, bot, ladder.id))
    return false;
  if (bot.house) return true;
  const hasRoom = ownerRoom(arena, ladder, occupancy, bot.ownerId) > 0;
  return hasRoom && quotaOf(arena, session) === null;
}

/** A match that cannot be made keeps no other from starting. */
function tryGame(arena: ArenaState, pairing: PairedSessions): void {
  try {
    startGame(arena, pairing);
  } catch (error) {
    arena.deps.log.error({ error }, "a match could not be started");
  }
}

function isRested({ deps, lastStart }: ArenaState, bot: BotRecord, ladderId: LadderId): boolean {
  const interval = deps.settings.current().match_interval_s * SECOND;
  return (lastStart.get(startKey(bot, ladderId)) ?? -Infinity) + interval <= deps.clock.now();
}

function queuesIn(arena: ArenaState, occupancy: Occupancy): Queues {
  const queues: Queues = new Map();
  for (const session of arena.sessions.values()) {
    const { bot, activity } = session;
    if (activity.state !== "waiting") continue;
    const { entry } = activity;
    const ladder = arena.deps.ladders.byId(entry.ladderId);
    if (ladder === null || isKept(arena.practice.book, bot.id, ladder.id)) continue;
    if (!isRested(arena, bot, ladder.id) || isHeldBack(arena, session, ladder, occupancy)) continue;
    // A house bot may wait several times on a ladder; only the one waiting longest gets a match in
    // a wave.
    const queue = queues.getOrInsertComputed(ladder.id, () => new Map());
    const other = queue.get(bot.id);
    if (other === undefined || entry.since < other.entry.since)
      queue.set(bot.id, { session, entry });
  }
  return queues;
}

/** A bot over a quota stays queued. It is told so from time to time, and the audit records it. */
function isHeldBack(
  arena: ArenaState,
  session: Session,
  ladder: LadderDefinition,
  occupancy: Occupancy,
): boolean {
  const { deps, throttles } = arena;
  const { bot } = session;
  if (bot.house) return false;
  const spent = quotaOf(arena, session);
  if (spent === null && ownerRoom(arena, ladder, occupancy, bot.ownerId) > 0) return false;
  const held = spent === null ? crowdedBy(arena, ladder) : quotaHold(arena, session, spent);
  tellThrottle(deps, throttles, session, held);
  return true;
}

/** When it ends depends on the owner's other bots. */
function crowdedBy(arena: ArenaState, ladder: LadderDefinition): Hold {
  const { ownerConcurrency } = boundsOn(arena, ladder);
  return { reason: "owner_concurrency", limit: ownerConcurrency, until: () => null };
}

function quotaHold({ deps, starts }: ArenaState, { bot }: Session, reason: QuotaReason): Hold {
  const limits = deps.settings.current();
  const until = () => heldUntil(starts, bot.id, bot.ownerId, deps.clock.now(), limits);
  return { reason, limit: limits[reason], until };
}

/** Asked again before each start, since starts of one wave count for one another. */
function quotaOf({ deps, starts }: ArenaState, { bot }: Session): QuotaReason | null {
  if (bot.house) return null;
  return spentQuota(starts, bot.id, bot.ownerId, deps.clock.now(), deps.settings.current());
}

/** Matches that the daily quotas of those who wait, and the ladder's own bound, still allow. */
function startsByOwner(
  arena: ArenaState,
  ladder: LadderDefinition,
  occupancy: Occupancy,
  candidates: ReadonlyMap<string, Candidate>,
): ReadonlyMap<string, number> {
  const { deps, starts } = arena;
  const left = new Map<string, number>();
  for (const { session } of candidates.values()) {
    const { ownerId, house } = session.bot;
    if (house || left.has(ownerId)) continue;
    const today = startsLeft(starts, ownerId, deps.clock.now(), deps.settings.current());
    left.set(ownerId, Math.min(today, ownerRoomOn(arena, ladder, occupancy, ownerId)));
  }
  return left;
}

type Queue = {
  candidates: ReadonlyMap<string, Candidate>;
  asked: readonly WantedPair[];
  houseStarts: number;
};

function requestOf(
  arena: ArenaState,
  ladder: LadderDefinition,
  { candidates, asked, houseStarts }: Queue,
  occupancy: Occupancy,
): WaveRequest {
  const { deps } = arena;
  const now = deps.clock.now();
  const limits = deps.settings.current();
  const meetings = meetingsOn(arena, ladder.id);
  const room = roomOn(arena, ladder.id, usageOn(occupancy, ladder.id).matches);
  return {
    ladderId: ladder.id,
    maps: ladder.maps,
    waiting: [...candidates.values()].map((candidate) =>
      waitingOf(arena, meetings, candidate, now),
    ),
    met: meetingsAmong(meetings, candidates, now),
    seatsTaken: occupancy.everywhere.seats,
    startsLeft: startsByOwner(arena, ladder, occupancy, candidates),
    requested: asked.map(({ botIds }) => botIds),
    limits: {
      ownerConcurrency: limits.owner_concurrency,
      matchIntervalSeconds: limits.match_interval_s,
      houseStarts,
    },
    numbers: pairingNumbers(limits),
    starts: startsFor(arena, Math.min(room, Math.floor(candidates.size / 2))),
    seed: deps.newSeed(),
  };
}

/** Drawn before anybody is paired, so that no seed can be fitted to a map or a seat. */
function startsFor({ deps: { newId, newSeed } }: ArenaState, count: number): Start[] {
  const length = Math.max(0, count);
  return Array.from({ length }, () => ({ matchId: newId(), seed: newSeed() }));
}

function waitingOf(
  arena: ArenaState,
  { lastOpponent }: Meetings,
  { session, entry }: Candidate,
  now: number,
): Waiting {
  const { bot } = session;
  const last = arena.lastStart.get(startKey(bot, entry.ladderId));
  return {
    botId: bot.id,
    owner: bot.ownerId,
    house: bot.house,
    versionId: entry.version.id,
    waitSeconds: (now - entry.since) / SECOND,
    recentGames: recentStarts(arena.starts, bot.id, arena.deps.clock.now()),
    sinceStartSeconds: last === undefined ? Infinity : (now - last) / SECOND,
    lastOpponent: lastOpponent.get(bot.id) ?? null,
  };
}

/** Pairs within the rematch hold: both must have waited it out. */
function meetingsAmong(
  { met }: Meetings,
  candidates: ReadonlyMap<string, Candidate>,
  now: number,
): WaveRequest["met"] {
  const among: { botIds: readonly [BotId, BotId]; seconds: number }[] = [];
  for (const [pair, at] of met) {
    const [one, other] = bothOf(pair.split(" "));
    if (candidates.has(one) && candidates.has(other))
      among.push({ botIds: [one, other], seconds: (now - at) / SECOND });
  }
  return among;
}
