// Estimates the wait of a bot that queues now. A wave pairs nearly every eligible bot, so the wait
// depends on when an opponent is available and whether the server has capacity.

import { ADDITION_WAIT_SECONDS, PATIENCE_SECONDS, waitForWindow } from "./rules.ts";
import type { PairingParameters } from "./types.ts";

/** A potential opponent. */
export type Prospect = {
  /** Rating gap in points. */
  gap: number;
  /** Seconds until it's available: the rest of its match or of the rematch hold. */
  inSeconds: number;
  /** How long it has waited; negative while it plays: the rest of its match. */
  waitSeconds: number;
};

export type QueueOutlook = {
  /** Seconds until the first wave that can include the bot, and between waves. */
  firstWaveSeconds: number;
  waveSeconds: number;
  /** How long the bot has waited already. */
  waitSeconds: number;
  prospects: Iterable<Prospect>;
  /**
   * Number of matches, among those needed for all waiting bots, that must wait for server capacity.
   */
  startsAhead: number;
  /** Matches that end per second, by the usual length of those running; 0 if none is running. */
  endsPerSecond: number;
  /** Median of recent waits, used when there is no prospect. */
  typicalWaitSeconds: number;
  numbers: PairingParameters;
};

/**
 * Returns the seconds until the bot's match: the first wave with an available opponent and
 * capacity. Wrong if the opponent is paired with another bot or a new bot queues.
 */
export function estimateWait(outlook: QueueOutlook): number {
  const meetingDelay = earliestMeeting(outlook);
  const { startsAhead, endsPerSecond, typicalWaitSeconds } = outlook;
  const isServerFull = startsAhead > 0;
  const queueDelay = !isServerFull
    ? 0
    : endsPerSecond > 0
      ? startsAhead / endsPerSecond
      : typicalWaitSeconds;
  return waveAfter(outlook, Math.max(queueDelay, meetingDelay ?? typicalWaitSeconds));
}

/**
 * Returns when the first prospect is available, or null if there is none. Stops at the first
 * prospect for the first wave.
 */
function earliestMeeting(outlook: QueueOutlook): number | null {
  const { prospects, waitSeconds, firstWaveSeconds, numbers } = outlook;
  let earliest: number | null = null;
  for (const prospect of prospects) {
    const delay = meetingDelayOf(numbers, prospect, waitSeconds);
    if (delay <= firstWaveSeconds) return delay;
    earliest = Math.min(earliest ?? Infinity, delay);
  }
  return earliest;
}

/**
 * Returns when a pair may play: both are available, and they're inside the window or have waited
 * long enough to ignore it. The latter only holds for bots that a wave leaves over, which can't be
 * known in advance.
 */
function meetingDelayOf(
  numbers: PairingParameters,
  { gap, inSeconds, waitSeconds: opponentWait }: Prospect,
  ownWait: number,
): number {
  const shorterWait = Math.min(ownWait, opponentWait);
  const longerWait = Math.max(ownWait, opponentWait);
  const windowWait = waitForWindow(numbers, gap);
  const windowDelay = windowWait - shorterWait;
  const priorityDelay = Math.max(numbers.priorityWaitSeconds, windowWait) - longerWait;
  const patienceDelay = PATIENCE_SECONDS - longerWait;
  const additionDelay = ADDITION_WAIT_SECONDS - shorterWait;
  const withinCap =
    gap <= numbers.windowCap ? Math.min(windowDelay, priorityDelay, additionDelay) : Infinity;
  return Math.max(0, inSeconds, Math.min(withinCap, patienceDelay));
}

function waveAfter({ firstWaveSeconds, waveSeconds }: QueueOutlook, seconds: number): number {
  const wavesBefore = Math.ceil(Math.max(0, seconds - firstWaveSeconds) / waveSeconds);
  return firstWaveSeconds + wavesBefore * waveSeconds;
}
