// Every couple of seconds: which bots wait, which are held back, whom the matchmaker pairs, and
// which matches start.

import { bothOf } from "#base/units/sure.ts";
import { SECOND } from "#base/units/time.ts";
import { gridOf } from "#core/engine/maps.ts";
import { capacityOf } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { Start } from "#core/pairing/types.ts";
import type { BotId, LadderId } from "#core/words/ids.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { Paired, Waiting, WaveRequest } from "#live/matchmaker/matchmaker.ts";
import { pairingNumbers } from "#live/matchmaker/pairing-numbers.ts";
import { isKept } from "#live/practice/book.ts";

import { meetingsOn, startKey } from "./arena-state.ts";
import type { ArenaState, Meetings } from "./arena-state.ts";
import { ownerRoom, ownerRoomOn, ownerSeats, roomOn } from "./capacity.ts";
import type { OwnerSeats } from "./capacity.ts";
import { forgetPast } from "./forget.ts";
import { startGame } from "./games.ts";
import type { PairedSessions } from "./games.ts";
import { tellThrottle, writeThrottles } from "./quota-notices.ts";
import type { Hold } from "./quota-notices.ts";
import { heldUntil, recentStarts, spentQuota, startsLeft } from "./quota.ts";
import type { QuotaReason } from "./quota.ts";
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
  const pairs: Pair[] = [];
  for (const ladder of arena.deps.ladders.all())
    if (arena.drainDeadline === null && arena.trouble.unsaved === 0)
      pairs.push(...(await pairLadder(arena, ladder)));
  for (const pair of pairs.toSorted((one, other) => other.claimSeconds - one.claimSeconds))
    if (mayStart(arena, pair)) tryGame(arena, pair);
  expectWave(arena);
  void writeThrottles(arena.deps, arena.throttles);
}

function expectWave(arena: ArenaState): void {
  arena.nextWave = arena.deps.clock.now() + arena.deps.settings.current().wave_every_s * SECOND;
}

async function pairLadder(arena: ArenaState, ladder: LadderDefinition): Promise<Pair[]> {
  const candidates = candidatesOf(arena, ladder);
  if (candidates.size < 2) return [];
  const paired = await arena.deps.matchmaker.pair(requestOf(arena, ladder, candidates));
  return paired.flatMap(({ matchId, seed, botIds, map, claimSeconds, reasons }) => {
    const first = candidates.get(botIds[0]);
    const second = candidates.get(botIds[1]);
    const grid = gridOf(map);
    if (first === undefined || second === undefined || grid === null) return [];
    const pair: Pair = {
      matchId,
      seed,
      ladderId: ladder.id,
      candidates: [first, second],
      claimSeconds,
      sessions: [first.session, second.session],
      versions: [first.entry.version, second.entry.version],
      grid,
      reasons,
    };
    return [pair];
  });
}

/** Checked again: the matchmaker took a moment, and earlier starts of this wave count. */
function mayStart(arena: ArenaState, { ladderId, candidates }: Pair): boolean {
  const ladder = arena.deps.ladders.byId(ladderId);
  if (ladder === null || roomOn(arena, ladderId) <= 0) return false;
  const seats = ownerSeats(arena, ladderId);
  return candidates.every((candidate) => isFree(arena, ladder, seats, candidate));
}

/** A bot that left or queued again is not dragged into a match. */
function isFree(
  arena: ArenaState,
  ladder: LadderDefinition,
  seats: OwnerSeats,
  { session, entry }: Candidate,
): boolean {
  const { bot, activity } = session;
  if (activity.state !== "waiting" || activity.entry !== entry) return false;
  if (isKept(arena.practice.book, bot.id)) return false;
  if (arena.withheld.values().some(({ botId }) => botId === bot.id)) return false;
  if (arena.deps.ladders.admits(bot, ladder.id) !== null || !isRested(arena, bot, ladder.id))
    return false;
  if (bot.house) return true;
  const hasRoom = ownerRoom(arena, ladder, seats, bot.ownerId) > 0;
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

function candidatesOf(arena: ArenaState, ladder: LadderDefinition): Map<string, Candidate> {
  const candidates = new Map<string, Candidate>();
  const seats = ownerSeats(arena, ladder.id);
  for (const session of arena.sessions.values()) {
    const { bot, activity } = session;
    if (activity.state !== "waiting" || activity.entry.ladderId !== ladder.id) continue;
    if (isKept(arena.practice.book, bot.id)) continue;
    if (!isRested(arena, bot, ladder.id) || isHeldBack(arena, session, ladder, seats)) continue;
    // A house bot may wait several times on a ladder; only the one waiting longest gets a match in
    // a wave.
    const other = candidates.get(bot.id);
    if (other === undefined || activity.entry.since < other.entry.since)
      candidates.set(bot.id, { session, entry: activity.entry });
  }
  return candidates;
}

/** A bot over a quota stays queued. It is told so from time to time, and the audit records it. */
function isHeldBack(
  arena: ArenaState,
  session: Session,
  ladder: LadderDefinition,
  seats: OwnerSeats,
): boolean {
  const { deps, throttles } = arena;
  const { bot } = session;
  if (bot.house) return false;
  const spent = quotaOf(arena, session);
  if (spent === null && ownerRoom(arena, ladder, seats, bot.ownerId) > 0) return false;
  const held = spent === null ? crowdedBy(deps, ladder) : quotaHold(arena, session, spent);
  tellThrottle(deps, throttles, session, held);
  return true;
}

/** When it ends depends on the owner's other bots. */
function crowdedBy({ settings }: ArenaState["deps"], ladder: LadderDefinition): Hold {
  const { ownerConcurrency } = capacityOf(ladder, settings.current());
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
  { deps, starts }: ArenaState,
  ladder: LadderDefinition,
  seats: OwnerSeats,
  candidates: ReadonlyMap<string, Candidate>,
): ReadonlyMap<string, number> {
  const left = new Map<string, number>();
  for (const { session } of candidates.values()) {
    const { ownerId, house } = session.bot;
    if (house || left.has(ownerId)) continue;
    const today = startsLeft(starts, ownerId, deps.clock.now(), deps.settings.current());
    left.set(ownerId, Math.min(today, ownerRoomOn(ladder, seats, ownerId)));
  }
  return left;
}

function requestOf(
  arena: ArenaState,
  ladder: LadderDefinition,
  candidates: ReadonlyMap<string, Candidate>,
): WaveRequest {
  const { deps } = arena;
  const now = deps.clock.now();
  const limits = deps.settings.current();
  const meetings = meetingsOn(arena, ladder.id);
  const seats = ownerSeats(arena, ladder.id);
  return {
    ladderId: ladder.id,
    maps: ladder.maps,
    waiting: [...candidates.values()].map((candidate) =>
      waitingOf(arena, meetings, candidate, now),
    ),
    met: meetingsAmong(meetings, candidates, now),
    seatsTaken: seats.everywhere,
    startsLeft: startsByOwner(arena, ladder, seats, candidates),
    limits: {
      ownerConcurrency: limits.owner_concurrency,
      matchIntervalSeconds: limits.match_interval_s,
    },
    numbers: pairingNumbers(limits),
    starts: startsFor(arena, ladder.id, candidates.size),
    seed: deps.newSeed(),
  };
}

/** Drawn before anybody is paired, so that no seed can be fitted to a map or a seat. */
function startsFor(arena: ArenaState, ladderId: LadderId, waiting: number): Start[] {
  const { newId, newSeed } = arena.deps;
  const count = Math.max(0, Math.min(roomOn(arena, ladderId), Math.floor(waiting / 2)));
  return Array.from({ length: count }, () => ({ matchId: newId(), seed: newSeed() }));
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
