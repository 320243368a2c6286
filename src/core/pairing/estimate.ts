// How long a bot that queues now will probably wait. A wave pairs nearly every bot that may play,
// so the question is when somebody may meet this bot, and whether the server has room.

import { ADDITION_WAIT_SECONDS, PATIENCE_SECONDS, waitForWindow } from "./rules.ts";
import type { PairingNumbers } from "./types.ts";

/** A bot that this one is allowed to meet. */
export type Prospect = {
  /** Points between the two. */
  gap: number;
  /** Until it is free for this bot: the rest of its match, or of the hold on this pair. */
  inSeconds: number;
  /** How long it has waited; while it plays, minus the rest of its match. */
  waitSeconds: number;
};

export type Outlook = {
  /** Until the first wave that the bot can be in, and from one wave to the next. */
  firstWaveSeconds: number;
  waveSeconds: number;
  /** How long the bot has waited already. */
  waitSeconds: number;
  prospects: Iterable<Prospect>;
  /** How many of the matches needed to serve everybody waiting must wait for room on the server. */
  startsAhead: number;
  /** Matches that end per second, by the usual length of those running; 0 if none is running. */
  endsPerSecond: number;
  /** The median of the latest waits, used when there is no prospect. */
  usualWaitSeconds: number;
  numbers: PairingNumbers;
};

/**
 * Seconds from now until the bot's match: the first wave in which somebody may meet it and its turn
 * has come. Wrong when others take the opponent, or when somebody new queues.
 */
export function estimatedWait(outlook: Outlook): number {
  const meeting = firstMeeting(outlook);
  const { startsAhead, endsPerSecond, usualWaitSeconds } = outlook;
  const isCrowded = startsAhead > 0;
  const turn = !isCrowded ? 0 : endsPerSecond > 0 ? startsAhead / endsPerSecond : usualWaitSeconds;
  return waveAfter(outlook, Math.max(turn, meeting ?? usualWaitSeconds));
}

/**
 * When the first prospect may be met, or null if there is none. Stops at one for the first wave.
 */
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
 * When a pair may play: both are free, and they are inside the window or have waited long enough to
 * play without it. The latter only holds for bots that a wave leaves over, which cannot be known in
 * advance.
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
