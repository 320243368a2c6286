import type { OwnerLoad, PairingNumbers, Snapshot, WaitingBot, WaveLimits } from "./types.ts";

/** From this wait on, a bot that is left over may meet any other that is, whatever the gap. */
export const PATIENCE_SECONDS = 75;

/** If both have waited this long, a pair left over may play outside its window, within the cap. */
export const ADDITION_WAIT_SECONDS = 20;

/** A matchup is established from this many games, if still open... */
export const ESTABLISHED_GAMES = 20;
/** ...by its expected score, at least this far from certain for both,... */
export const ESTABLISHED_SCORE = 0.25;
/** ...and by its openness averaged over maps. */
export const ESTABLISHED_QUALITY = 0.5;

/** The gap in points that a wait allows. */
export function windowAfter(
  { windowStart, windowPerSecond, windowCap }: PairingNumbers,
  waitSeconds: number,
): number {
  return Math.min(windowCap, windowStart + windowPerSecond * waitSeconds);
}

/** The wait, in seconds, at which a window covers a gap within the cap. */
export function waitForWindow(
  { windowStart, windowPerSecond }: PairingNumbers,
  gap: number,
): number {
  return Math.max(0, (gap - windowStart) / windowPerSecond);
}

/** What the rematch hold depends on. */
export type Meeting = Pick<
  WaitingBot,
  "bot" | "waitSeconds" | "lastOpponent" | "sinceMeetingSeconds"
>;

/** Whether two bots have met too recently to meet again. A bot never meets itself. */
export function heldBack(
  { rematchHoldSeconds: hold }: Pick<PairingNumbers, "rematchHoldSeconds">,
  one: Meeting,
  other: Meeting,
): boolean {
  return one.bot === other.bot || metJustNow(hold, one, other) || metJustNow(hold, other, one);
}

/**
 * The bots that may start a match now. If an owner has more bots than free matches, those whose
 * match was asked for remain, then those that have waited longest. No two bots of an owner can be
 * in the same match.
 */
export function readyBots(snapshot: Snapshot, limits: WaveLimits): WaitingBot[] {
  const left = new Map<string, number>();
  for (const [owner, load] of snapshot.owners) left.set(owner, freeOf(load, limits));
  const rested = snapshot.bots.filter(
    (bot) => bot.sinceStartSeconds >= limits.matchIntervalSeconds,
  );
  const asked = askedFor(snapshot);
  rested.sort((one, other) => asked(other) - asked(one) || other.waitSeconds - one.waitSeconds);
  return rested.filter(({ house, owner }) => {
    if (house || owner === null) return true;
    const free = left.get(owner) ?? limits.ownerConcurrency;
    left.set(owner, free - 1);
    return free > 0;
  });
}

/** 1 for a bot whose match was asked for, else 0. */
function askedFor({ requested }: Snapshot): (bot: WaitingBot) => number {
  const bots = new Set(requested.flat());
  return ({ bot }) => Number(bots.has(bot));
}

/**
 * The same bots without house bots that may not start: no match has two of them. Those whose match
 * was asked for remain, then the first.
 */
export function withinHouse(
  snapshot: Snapshot,
  bots: readonly WaitingBot[],
  { houseStarts }: WaveLimits,
): readonly WaitingBot[] {
  const house = bots.filter((bot) => bot.house);
  if (house.length <= houseStarts) return bots;
  const asked = askedFor(snapshot);
  const askedFirst = house.toSorted((one, other) => asked(other) - asked(one));
  const kept = new Set(askedFirst.slice(0, Math.max(0, houseStarts)));
  return bots.filter((bot) => !bot.house || kept.has(bot));
}

function freeOf({ running, startsLeft }: OwnerLoad, { ownerConcurrency }: WaveLimits): number {
  return Math.min(ownerConcurrency - running, startsLeft);
}

/**
 * Two bots whose last match was against each other must both queue for the whole hold, however long
 * ago it ended.
 */
function metJustNow(hold: number, one: Meeting, other: Meeting): boolean {
  const since = one.sinceMeetingSeconds.get(other.bot) ?? Infinity;
  const shorter = Math.min(one.waitSeconds, other.waitSeconds);
  const rested = one.lastOpponent !== other.bot || shorter >= hold;
  return since < hold || !rested;
}
