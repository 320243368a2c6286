// Every couple of seconds: who waits, who is held back, whom the matchmaker pairs, which matches start.

import { bothOf } from "#base/units/sure.ts";
import { SECOND } from "#base/units/time.ts";
import { ownerFold } from "#core/accounts/name.ts";
import { gridOf } from "#core/engine/maps.ts";
import type { Start } from "#core/pairing/types.ts";
import type { BotId, LadderId } from "#core/words/ids.ts";
import type { Waiting, WaveRequest } from "#live/matchmaker/matchmaker.ts";
import { pairingNumbers } from "#live/matchmaker/pairing-numbers.ts";

import type { ArenaState } from "./arena-state.ts";
import { forgetPast } from "./forget.ts";
import { startGame } from "./games.ts";
import type { PairedSessions } from "./games.ts";
import { tellThrottle, writeThrottles } from "./quota-notices.ts";
import { heldUntil, recentStarts, spentQuota, startsLeft } from "./quota.ts";
import type { QuotaReason } from "./quota.ts";
import type { Entry, Session } from "./session.ts";

type Candidate = { session: Session; entry: Entry };

/** Runs one wave over every ladder. Nothing starts while results wait for the store. */
export async function runWave(arena: ArenaState): Promise<void> {
  expectWave(arena);
  forgetPast(arena);
  for (const ladderId of arena.boards.keys())
    if (arena.drainDeadline === null && arena.trouble.unsaved === 0)
      await pairLadder(arena, ladderId);
  expectWave(arena);
  void writeThrottles(arena.deps, arena.throttles);
}

function expectWave(arena: ArenaState): void {
  arena.nextWave = arena.deps.clock.now() + arena.deps.settings.current().wave_every_s * SECOND;
}

async function pairLadder(arena: ArenaState, ladderId: LadderId): Promise<void> {
  const candidates = candidatesOf(arena, ladderId);
  if (candidates.size < 2) return;
  const paired = await arena.deps.matchmaker.pair(requestOf(arena, ladderId, candidates));
  for (const { matchId, seed, botIds, map, reasons } of paired) {
    const first = candidates.get(botIds[0]);
    const second = candidates.get(botIds[1]);
    const grid = gridOf(map);
    if (first === undefined || second === undefined || grid === null) continue;
    if (!stillWaits(first) || !stillWaits(second) || roomOf(arena) <= 0) continue;
    if (quotaOf(arena, first.session) !== null || quotaOf(arena, second.session) !== null) continue;
    tryGame(arena, {
      matchId,
      seed,
      ladderId,
      sessions: [first.session, second.session],
      versions: [first.entry.version, second.entry.version],
      grid,
      reasons,
    });
  }
}

/** A match that cannot be made keeps no other from starting. */
function tryGame(arena: ArenaState, pairing: PairedSessions): void {
  try {
    startGame(arena, pairing);
  } catch (error) {
    arena.deps.log.error({ error }, "a match could not be started");
  }
}

/** The matchmaker took a moment: a bot that left, or queued anew, is not dragged into a match. */
function stillWaits({ session, entry }: Candidate): boolean {
  return session.activity.state === "waiting" && session.activity.entry === entry;
}

const roomOf = (arena: ArenaState): number =>
  arena.deps.settings.current().max_concurrent - arena.games.size;

function candidatesOf(arena: ArenaState, ladderId: LadderId): Map<string, Candidate> {
  const candidates = new Map<string, Candidate>();
  const taken = seatsByOwner(arena);
  const { match_interval_s, owner_concurrency } = arena.deps.settings.current();
  const interval = match_interval_s * SECOND;
  const now = arena.deps.clock.now();
  for (const session of arena.sessions.values()) {
    const { bot, activity } = session;
    if (activity.state !== "waiting" || activity.entry.ladderId !== ladderId) continue;
    if ((arena.lastStart.get(bot.id) ?? -Infinity) + interval > now) continue;
    const ownerRoom = owner_concurrency - (taken.get(ownerFold(bot.owner)) ?? 0);
    if (isHeldBack(arena, session, ownerRoom)) continue;
    // A house bot may wait more than once on a ladder: one match a wave, for whoever waits longest.
    const other = candidates.get(bot.id);
    if (other === undefined || activity.entry.since < other.entry.since)
      candidates.set(bot.id, { session, entry: activity.entry });
  }
  return candidates;
}

/** A bot over a quota stays queued; it is told so from time to time, and it is written down. */
function isHeldBack(arena: ArenaState, session: Session, ownerRoom: number): boolean {
  const { deps, starts, throttles } = arena;
  const { bot } = session;
  if (bot.house) return false;
  const spent = quotaOf(arena, session);
  if (spent === null && ownerRoom > 0) return false;
  const until = () =>
    spent === null
      ? null
      : heldUntil(starts, bot.id, bot.owner, deps.clock.now(), deps.settings.current());
  tellThrottle(deps, throttles, session, spent ?? "owner_concurrency", until);
  return true;
}

/** Asked again before each start: those of one wave count for one another. */
function quotaOf({ deps, starts }: ArenaState, { bot }: Session): QuotaReason | null {
  if (bot.house) return null;
  return spentQuota(starts, bot.id, bot.owner, deps.clock.now(), deps.settings.current());
}

/** Seats that each owner's bots hold in running matches. */
function seatsByOwner({ games }: ArenaState): ReadonlyMap<string, number> {
  const seats = new Map<string, number>();
  for (const { sessions } of games.values())
    for (const { bot } of sessions) {
      const key = ownerFold(bot.owner);
      seats.set(key, (seats.get(key) ?? 0) + 1);
    }
  return seats;
}

/** Matches that the daily quotas of those who wait still allow. */
function startsByOwner(
  { deps, starts }: ArenaState,
  candidates: ReadonlyMap<string, Candidate>,
): ReadonlyMap<string, number> {
  const left = new Map<string, number>();
  for (const { session } of candidates.values()) {
    const { owner, house } = session.bot;
    if (house || left.has(ownerFold(owner))) continue;
    left.set(
      ownerFold(owner),
      startsLeft(starts, owner, deps.clock.now(), deps.settings.current()),
    );
  }
  return left;
}

function requestOf(
  arena: ArenaState,
  ladderId: LadderId,
  candidates: ReadonlyMap<string, Candidate>,
): WaveRequest {
  const { deps } = arena;
  const now = deps.clock.now();
  const limits = deps.settings.current();
  return {
    ladderId,
    waiting: [...candidates.values()].map((candidate) => waitingOf(arena, candidate, now)),
    met: meetingsAmong(arena, candidates, now),
    seatsTaken: seatsByOwner(arena),
    startsLeft: startsByOwner(arena, candidates),
    limits: {
      ownerConcurrency: limits.owner_concurrency,
      matchIntervalSeconds: limits.match_interval_s,
    },
    numbers: pairingNumbers(limits),
    starts: startsFor(arena, candidates.size),
    seed: deps.newSeed(),
  };
}

/** Drawn before anybody is paired, so that nobody can fit a seed to a map or a seat. */
function startsFor(arena: ArenaState, waiting: number): Start[] {
  const { newId, newSeed } = arena.deps;
  const count = Math.max(0, Math.min(roomOf(arena), Math.floor(waiting / 2)));
  return Array.from({ length: count }, () => ({ matchId: newId(), seed: newSeed() }));
}

function waitingOf(arena: ArenaState, { session, entry }: Candidate, now: number): Waiting {
  const { bot } = session;
  const last = arena.lastStart.get(bot.id);
  return {
    botId: bot.id,
    owner: ownerFold(bot.owner),
    house: bot.house,
    versionId: entry.version.id,
    waitSeconds: (now - entry.since) / SECOND,
    recentGames: recentStarts(arena.starts, bot.id, arena.deps.clock.now()),
    sinceStartSeconds: last === undefined ? Infinity : (now - last) / SECOND,
    lastOpponent: arena.lastOpponent.get(bot.id) ?? null,
  };
}

/** Pairs within the rematch hold: both must have waited it out. */
function meetingsAmong(
  { met }: ArenaState,
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
