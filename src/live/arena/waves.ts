// Every couple of seconds: who waits, who is held back, whom the judge pairs, which matches start.

import { bothOf } from "#base/units/sure.ts";
import { SECOND } from "#base/units/time.ts";
import { ownerFold } from "#core/accounts/name.ts";
import { gridOf } from "#core/engine/maps.ts";
import type { Start } from "#core/pairing/types.ts";
import type { Waiting, WaveRequest } from "#live/matchmaker/matchmaker.ts";
import { pairingNumbers } from "#live/matchmaker/pairing-numbers.ts";

import type { Hall } from "./arena-state.ts";
import { forgetPast } from "./forget.ts";
import { startGame } from "./games.ts";
import type { PairedSessions } from "./games.ts";
import { tellThrottle, writeThrottles } from "./quota-notices.ts";
import { heldUntil, recentStarts, spentQuota, startsLeft } from "./quota.ts";
import type { QuotaReason } from "./quota.ts";
import type { Entry, Session } from "./session.ts";

type Candidate = { session: Session; entry: Entry };

/** Runs one wave over every ladder. Nothing starts while results wait for the store. */
export async function runWave(hall: Hall): Promise<void> {
  expectWave(hall);
  forgetPast(hall);
  for (const ladderId of hall.boards.keys())
    if (hall.drainDeadline === null && hall.trouble.unsaved === 0) await pairLadder(hall, ladderId);
  expectWave(hall);
  void writeThrottles(hall.deps, hall.throttles);
}

function expectWave(hall: Hall): void {
  hall.nextWave = hall.deps.clock.now() + hall.deps.settings.current().wave_every_s * SECOND;
}

async function pairLadder(hall: Hall, ladderId: string): Promise<void> {
  const candidates = candidatesOf(hall, ladderId);
  if (candidates.size < 2) return;
  const paired = await hall.deps.judge.wave(requestOf(hall, ladderId, candidates));
  for (const { matchId, seed, botIds, map, reasons } of paired) {
    const first = candidates.get(botIds[0]);
    const second = candidates.get(botIds[1]);
    const grid = gridOf(map);
    if (first === undefined || second === undefined || grid === null) continue;
    if (!stillWaits(first) || !stillWaits(second) || roomOf(hall) <= 0) continue;
    if (quotaOf(hall, first.session) !== null || quotaOf(hall, second.session) !== null) continue;
    tryGame(hall, {
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
function tryGame(hall: Hall, pairing: PairedSessions): void {
  try {
    startGame(hall, pairing);
  } catch (error) {
    hall.deps.log.error({ error }, "a match could not be started");
  }
}

/** The judge took a moment: a bot that left, or queued anew, is not dragged into a match. */
function stillWaits({ session, entry }: Candidate): boolean {
  return session.activity.state === "waiting" && session.activity.entry === entry;
}

const roomOf = (hall: Hall): number =>
  hall.deps.settings.current().max_concurrent - hall.games.size;

function candidatesOf(hall: Hall, ladderId: string): Map<string, Candidate> {
  const candidates = new Map<string, Candidate>();
  const taken = seatsByOwner(hall);
  const { match_interval_s, owner_concurrency } = hall.deps.settings.current();
  const interval = match_interval_s * SECOND;
  const now = hall.deps.clock.now();
  for (const session of hall.sessions.values()) {
    const { bot, activity } = session;
    if (activity.state !== "waiting" || activity.entry.ladderId !== ladderId) continue;
    if ((hall.lastStart.get(bot.id) ?? -Infinity) + interval > now) continue;
    const ownerRoom = owner_concurrency - (taken.get(ownerFold(bot.owner)) ?? 0);
    if (isHeldBack(hall, session, ownerRoom)) continue;
    // A house bot may wait more than once on a ladder: one match a wave, for whoever waits longest.
    const other = candidates.get(bot.id);
    if (other === undefined || activity.entry.since < other.entry.since)
      candidates.set(bot.id, { session, entry: activity.entry });
  }
  return candidates;
}

/** A bot over a quota stays queued; it is told so from time to time, and it is written down. */
function isHeldBack(hall: Hall, session: Session, ownerRoom: number): boolean {
  const { deps, starts, throttles } = hall;
  const { bot } = session;
  if (bot.house) return false;
  const spent = quotaOf(hall, session);
  if (spent === null && ownerRoom > 0) return false;
  const until = () =>
    spent === null
      ? null
      : heldUntil(starts, bot.id, bot.owner, nowMs(deps), deps.settings.current());
  tellThrottle(deps, throttles, session, spent ?? "owner_concurrency", until);
  return true;
}

/** Asked again before each start: those of one wave count for one another. */
function quotaOf({ deps, starts }: Hall, { bot }: Session): QuotaReason | null {
  if (bot.house) return null;
  return spentQuota(starts, bot.id, bot.owner, nowMs(deps), deps.settings.current());
}

const nowMs = ({ clock }: Hall["deps"]): number => clock.now() / 1000;

/** Seats that each owner's bots hold in running matches. */
function seatsByOwner({ games }: Hall): ReadonlyMap<string, number> {
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
  { deps, starts }: Hall,
  candidates: ReadonlyMap<string, Candidate>,
): ReadonlyMap<string, number> {
  const left = new Map<string, number>();
  for (const { session } of candidates.values()) {
    const { owner, house } = session.bot;
    if (house || left.has(ownerFold(owner))) continue;
    left.set(ownerFold(owner), startsLeft(starts, owner, nowMs(deps), deps.settings.current()));
  }
  return left;
}

function requestOf(
  hall: Hall,
  ladderId: string,
  candidates: ReadonlyMap<string, Candidate>,
): WaveRequest {
  const { deps } = hall;
  const now = deps.clock.now();
  const limits = deps.settings.current();
  return {
    ladderId,
    waiting: [...candidates.values()].map((candidate) => waitingOf(hall, candidate, now)),
    met: meetingsAmong(hall, candidates, now),
    seatsTaken: seatsByOwner(hall),
    startsLeft: startsByOwner(hall, candidates),
    limits: {
      ownerConcurrency: limits.owner_concurrency,
      matchIntervalSeconds: limits.match_interval_s,
    },
    numbers: pairingNumbers(limits),
    starts: startsFor(hall, candidates.size),
    seed: deps.newSeed(),
  };
}

/** Drawn before anybody is paired, so that nobody can fit a seed to a map or a seat. */
function startsFor(hall: Hall, waiting: number): Start[] {
  const { newId, newSeed } = hall.deps;
  const count = Math.max(0, Math.min(roomOf(hall), Math.floor(waiting / 2)));
  return Array.from({ length: count }, () => ({ matchId: newId(), seed: newSeed() }));
}

function waitingOf(hall: Hall, { session, entry }: Candidate, now: number): Waiting {
  const { bot } = session;
  const last = hall.lastStart.get(bot.id);
  return {
    botId: bot.id,
    owner: ownerFold(bot.owner),
    house: bot.house,
    versionId: entry.version.id,
    waitSeconds: (now - entry.since) / SECOND,
    recentGames: recentStarts(hall.starts, bot.id, nowMs(hall.deps)),
    sinceStartSeconds: last === undefined ? Infinity : (now - last) / SECOND,
    lastOpponent: hall.lastOpponent.get(bot.id) ?? null,
  };
}

/** Pairs within the rematch hold: both must have waited it out. */
function meetingsAmong(
  { met }: Hall,
  candidates: ReadonlyMap<string, Candidate>,
  now: number,
): WaveRequest["met"] {
  const among: { botIds: readonly [string, string]; seconds: number }[] = [];
  for (const [pair, at] of met) {
    const [one, other] = bothOf(pair.split(" "));
    if (candidates.has(one) && candidates.has(other))
      among.push({ botIds: [one, other], seconds: (now - at) / SECOND });
  }
  return among;
}
