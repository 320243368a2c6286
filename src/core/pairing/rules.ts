import type {
  OwnerLoad,
  PairingParameters,
  QueueSnapshot,
  WaitingBot,
  WaveLimits,
} from "./types.ts";

/** If either bot has waited this long, two leftover bots may play whatever their rating gap. */
export const PATIENCE_SECONDS = 75;

/**
 * If both bots have waited this long, a leftover pair may play beyond its window, up to the cap.
 */
export const ADDITION_WAIT_SECONDS = 20;

/**
 * Minimum games for an established matchup, which may play beyond the window if it's still open.
 */
export const ESTABLISHED_GAMES = 20;
/** An open matchup has an expected score between this and 1 minus this. */
export const ESTABLISHED_SCORE = 0.25;
/** An open matchup has at least this mean match quality over its maps. */
export const ESTABLISHED_QUALITY = 0.5;

export function windowAfterWait(
  { windowStart, windowPerSecond, windowCap }: PairingParameters,
  waitSeconds: number,
): number {
  return Math.min(windowCap, windowStart + windowPerSecond * waitSeconds);
}

/** Returns the wait, in seconds, after which the window covers a gap. Ignores the cap. */
export function waitForWindow(
  { windowStart, windowPerSecond }: PairingParameters,
  gap: number,
): number {
  return Math.max(0, (gap - windowStart) / windowPerSecond);
}

export type RematchFacts = Pick<
  WaitingBot,
  "bot" | "waitSeconds" | "lastOpponent" | "sinceMeetingSeconds"
>;

/** Returns whether two bots have met too recently to play again. Also true for a bot and itself. */
export function isOnRematchHold(
  { rematchHoldSeconds: hold }: Pick<PairingParameters, "rematchHoldSeconds">,
  a: RematchFacts,
  b: RematchFacts,
): boolean {
  return a.bot === b.bot || metRecently(hold, a, b) || metRecently(hold, b, a);
}

/**
 * Returns the bots that may start a match now. If an owner has more bots than free matches, bots
 * with a requested match come first, then the bots with the longest wait. Each bot counts as one
 * match, because two bots with the same owner never meet.
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

function requestedRank({ requested }: QueueSnapshot): (bot: WaitingBot) => number {
  const bots = new Set(requested.flat());
  return ({ bot }) => Number(bots.has(bot));
}

/**
 * Returns the bots with at most `houseStarts` house bots, because each match has at most one.
 * Requested house bots come first.
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
 * Bots whose last match was against each other must also both queue for the whole hold, however
 * long ago the match ended.
 */
function metRecently(hold: number, a: RematchFacts, b: RematchFacts): boolean {
  const secondsSinceMeeting = a.sinceMeetingSeconds.get(b.bot) ?? Infinity;
  const shorterWait = Math.min(a.waitSeconds, b.waitSeconds);
  const hasRested = a.lastOpponent !== b.bot || shorterWait >= hold;
  return secondsSinceMeeting < hold || !hasRested;
}
