// Estimates how long a bot will wait if it queues now. A wave pairs nearly every eligible bot, so
// the wait depends on when an opponent is available and when the server has capacity.

import { ADDITION_WAIT_SECONDS, PATIENCE_SECONDS, waitForWindow } from "./rules.ts";
import type { PairingParameters } from "./types.ts";

export type Prospect = {
  gap: number;
  /** Seconds until the opponent is available, after its match or the rematch hold ends. */
  inSeconds: number;
  /**
   * Seconds the opponent has waited. Negative while it is playing: minus the remaining time of its
   * match.
   */
  waitSeconds: number;
};

export type QueueOutlook = {
  /** Seconds until the first wave that can include the bot, and between waves. */
  firstWaveSeconds: number;
  waveSeconds: number;
  waitSeconds: number;
  prospects: Iterable<Prospect>;
  /** How many of the matches needed to pair all waiting bots must wait for server capacity. */
  startsAhead: number;
  /**
   * Matches expected to end per second, estimated from their usual length. 0 if no match is
   * running.
   */
  endsPerSecond: number;
  /** Median of recent waits, used if there is no prospect. */
  typicalWaitSeconds: number;
  numbers: PairingParameters;
};

/**
 * Returns the seconds until the first wave with an available opponent and capacity. The estimate is
 * wrong if that opponent is paired with another bot or a new bot queues.
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
 * Returns the seconds until the first prospect may play, or null without prospects. Stops early at
 * a prospect for the first wave.
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
 * Returns the seconds until a pair may play. Both bots must be available and either inside the
 * window or past the waits for leftover pairs. Whether a wave will leave both bots unpaired can't
 * be known in advance, so the estimate may be too short.
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
