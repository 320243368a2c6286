// Message rate limit of one connection. Times are whole µs.

import { SECOND_US } from "#base/util/time.ts";
import type { Deadlines } from "#core/engine/types.ts";
import type { Limits } from "#core/limits/limits.ts";

export type MessageRateLimit = {
  /** Frames since the last observation, and the match's limit; null outside a match. */
  sinceObservation: { frames: number; readonly maxFrames: number } | null;
  /** Arrival times of the last second's frames outside a match. */
  recentFrames: number[];
  /** Limit on `recentFrames`, fixed when the connection starts or its last match ends. */
  maxRecentFrames: number;
};

type IdleLimits = Pick<Limits, "messages_per_second">;

export const newMessageRateLimit = ({ messages_per_second }: IdleLimits): MessageRateLimit => ({
  sinceObservation: null,
  recentFrames: [],
  maxRecentFrames: messages_per_second,
});

/** Applies a match's limit. The start-up of the match counts as one tick. */
export function applyMatchLimit(
  messageRateLimit: MessageRateLimit,
  { messages_per_tick }: Deadlines,
): void {
  messageRateLimit.sinceObservation = { frames: 0, maxFrames: messages_per_tick };
}

export function resetTickFrames(messageRateLimit: MessageRateLimit): void {
  if (messageRateLimit.sinceObservation !== null) messageRateLimit.sinceObservation.frames = 0;
}

export function applyIdleLimit(
  messageRateLimit: MessageRateLimit,
  { messages_per_second }: IdleLimits,
): void {
  messageRateLimit.sinceObservation = null;
  messageRateLimit.recentFrames.length = 0;
  messageRateLimit.maxRecentFrames = messages_per_second;
}

/** Counts a data frame. Returns false if it exceeds the limit. */
export function allowsFrame(messageRateLimit: MessageRateLimit, at: number): boolean {
  const { sinceObservation } = messageRateLimit;
  if (sinceObservation !== null) {
    sinceObservation.frames += 1;
    return sinceObservation.frames <= sinceObservation.maxFrames;
  }
  while ((messageRateLimit.recentFrames[0] ?? Infinity) <= at - SECOND_US)
    messageRateLimit.recentFrames.shift();
  messageRateLimit.recentFrames.push(at);
  return messageRateLimit.recentFrames.length <= messageRateLimit.maxRecentFrames;
}

/** Returns the error text for a bot that exceeded the limit. */
export function messageRateText({ sinceObservation, maxRecentFrames }: MessageRateLimit): string {
  return sinceObservation === null
    ? `Too many messages. Bots may send ${maxRecentFrames} per second outside a match.`
    : `Too many messages. Bots may send ${sinceObservation.maxFrames} per tick in a match.`;
}
