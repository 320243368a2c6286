import type {
  OwnerLoad,
  PairingParameters,
  QueueSnapshot,
  WaitingBot,
  WaveLimits,
} from "./types.ts";

/** From this wait on, leftover bots may be paired with each other, whatever the gap. */
export const PATIENCE_SECONDS = 75;

/** If both have waited this long, a leftover pair may play outside its window, within the cap. */
export const ADDITION_WAIT_SECONDS = 20;

/** A matchup is established from this many games, if still open... */
export const ESTABLISHED_GAMES = 20;
/** ...by its expected score, at least this far from certain for both,... */
export const ESTABLISHED_SCORE = 0.25;
/** ...and by its match quality averaged over maps. */
export const ESTABLISHED_QUALITY = 0.5;

/** Returns the gap in points that a wait allows. */
export function windowAfterWait(
  { windowStart, windowPerSecond, windowCap }: PairingParameters,
  waitSeconds: number,
): number {
  return Math.min(windowCap, windowStart + windowPerSecond * waitSeconds);
}

/** Returns the wait, in seconds, at which a window covers a gap within the cap. */
export function waitForWindow(
  { windowStart, windowPerSecond }: PairingParameters,
  gap: number,
): number {
  return Math.max(0, (gap - windowStart) / windowPerSecond);
}

/** The facts that the rematch hold depends on. */
export type RematchFacts = Pick<
  WaitingBot,
  "bot" | "waitSeconds" | "lastOpponent" | "sinceMeetingSeconds"
>;

/** Returns whether two bots have met too recently to meet again. A bot never meets itself. */
export function isOnRematchHold(
  { rematchHoldSeconds: hold }: Pick<PairingParameters, "rematchHoldSeconds">,
  a: RematchFacts,
  b: RematchFacts,
): boolean {
  return a.bot === b.bot || metRecently(hold, a, b) || metRecently(hold, b, a);
}

/**
 * Returns the bots that may start a match now. If an owner has more bots than free matches, bots
 * with a requested match take precedence, then those with the longest wait. Two bots of an owner
 * can't be in the same match.
 */
export function selectReadyBots(snapshot: QueueSnapshot, limits: WaveLimits): WaitingBot[] {
  const startsByOwner = new Map<string, number>();
  for (const [owner, load] of snapshot.owners) startsByOwner.set(owner, freeStarts(load, limits));
  const restedBots = snapshot.bots.filter(
    (bot) => bot.sinceStartSeconds >= limits.matchIntervalSeconds,
  );
  const isRequested = requestedRank(snapshot);
  restedBots.sort((a, b) => isRequested(b) - isRequested(a) || b.waitSeconds - a.waitSeconds);
  return restedBots.filter(({ house, owner }) => {
    if (house || owner === null) return true;
    const freeStartCount = startsByOwner.get(owner) ?? limits.ownerConcurrency;
    startsByOwner.set(owner, freeStartCount - 1);
    return freeStartCount > 0;
  });
}

/** 1 for a bot with a requested match, else 0. */
function requestedRank({ requested }: QueueSnapshot): (bot: WaitingBot) => number {
  const bots = new Set(requested.flat());
  return ({ bot }) => Number(bots.has(bot));
}

/**
 * Returns the bots without surplus house bots: no match has two of them. Requested house bots take
 * precedence, then the first.
 */
export function limitHouseBots(
  snapshot: QueueSnapshot,
  bots: readonly WaitingBot[],
  { houseStarts }: WaveLimits,
): readonly WaitingBot[] {
  const house = bots.filter((bot) => bot.house);
  if (house.length <= houseStarts) return bots;
  const isRequested = requestedRank(snapshot);
  const requestedFirst = house.toSorted((a, b) => isRequested(b) - isRequested(a));
  const startableHouseBots = new Set(requestedFirst.slice(0, Math.max(0, houseStarts)));
  return bots.filter((bot) => !bot.house || startableHouseBots.has(bot));
}

function freeStarts({ running, startsLeft }: OwnerLoad, { ownerConcurrency }: WaveLimits): number {
  return Math.min(ownerConcurrency - running, startsLeft);
}

/**
 * Two bots whose last match was against each other must both queue for the whole hold, however long
 * ago it ended.
 */
function metRecently(hold: number, a: RematchFacts, b: RematchFacts): boolean {
  const secondsSinceMeeting = a.sinceMeetingSeconds.get(b.bot) ?? Infinity;
  const shorterWait = Math.min(a.waitSeconds, b.waitSeconds);
  const hasRested = a.lastOpponent !== b.bot || shorterWait >= hold;
  return secondsSinceMeeting < hold || !hasRested;
}
