// How long a bot that queues now will probably wait. A wave pairs nearly everybody who may be
// paired, so the question is when somebody may meet the bot, and whether the server has room.

import { ADDITION_WAIT_SECONDS, PATIENCE_SECONDS, waitForWindow } from "./rules.ts";
import type { PairingNumbers } from "./types.ts";

/** Somebody whom the bot is allowed to meet. */
export type Prospect = {
  /** Points between the two. */
  gap: number;
  /** Until it is free for the bot: the rest of its match, or of the hold on this pair. */
  inSeconds: number;
  /** How long it has waited; less than 0 while it plays, by the rest of its match. */
  waitSeconds: number;
};

export type Outlook = {
  /** Until the first wave that the bot may be in, and from wave to wave. */
  firstWaveSeconds: number;
  waveSeconds: number;
  /** How long the bot has waited already. */
  waitSeconds: number;
  prospects: Iterable<Prospect>;
  /** Matches that must start for all who wait, more than the server has room for now; or 0. */
  startsAhead: number;
  /** Matches that end in a second, by the usual length of those that run; 0 if none does. */
  endsPerSecond: number;
  /** The median of the latest waits, for want of any prospect. */
  usualWaitSeconds: number;
  numbers: PairingNumbers;
};

/**
 * Seconds until the bot's match, from now: that of the first wave in which somebody may meet it and
 * its turn has come. It errs when others take the opponent, or somebody new comes.
 */
export function estimatedWait(outlook: Outlook): number {
  const meeting = firstMeeting(outlook);
  const { startsAhead, endsPerSecond, usualWaitSeconds } = outlook;
  const isCrowded = startsAhead > 0;
  const turn = !isCrowded ? 0 : endsPerSecond > 0 ? startsAhead / endsPerSecond : usualWaitSeconds;
  return waveAfter(outlook, Math.max(turn, meeting ?? usualWaitSeconds));
}

/** When the first prospect may be met, null without any. One for the first wave is early enough. */
function firstMeeting(outlook: Outlook): number | null {
  const { prospects, waitSeconds, firstWaveSeconds, numbers } = outlook;
  let first: number | null = null;
  for (const prospect of prospects) {
    const at = meetingAt(numbers, prospect, waitSeconds);
    if (at <= firstWaveSeconds) return at;
    first = Math.min(first ?? Infinity, at);
  }
  return first;
}

/**
 * When a pair may play: free, and inside its window, or after waits that leave the window behind;
 * these count for two that a wave leaves over, which nobody knows ahead.
 */
function meetingAt(
  numbers: PairingNumbers,
  { gap, inSeconds, waitSeconds: other }: Prospect,
  own: number,
): number {
  const shorter = Math.min(own, other);
  const longer = Math.max(own, other);
  const covered = waitForWindow(numbers, gap);
  const byWindow = covered - shorter;
  const byPriority = Math.max(numbers.priorityWaitSeconds, covered) - longer;
  const byPatience = PATIENCE_SECONDS - longer;
  const byAddition = ADDITION_WAIT_SECONDS - shorter;
  const inCap = gap <= numbers.windowCap ? Math.min(byWindow, byPriority, byAddition) : Infinity;
  return Math.max(0, inSeconds, Math.min(inCap, byPatience));
}

function waveAfter({ firstWaveSeconds, waveSeconds }: Outlook, seconds: number): number {
  const wavesBefore = Math.ceil(Math.max(0, seconds - firstWaveSeconds) / waveSeconds);
  return firstWaveSeconds + wavesBefore * waveSeconds;
}
