// Message rate limit of a connection. Times are in whole µs.

import { SECOND_US } from "#base/util/time.ts";
import type { Deadlines } from "#core/engine/types.ts";
import type { Limits } from "#core/limits/limits.ts";

export type MessageRateLimit = {
  /** Frames since the last observation, and the match's limit. Null outside a match. */
  sinceObservation: { frames: number; readonly maxFrames: number } | null;
  /** Arrival times of frames received outside a match within the last second. */
  recentFrames: number[];
  /**
   * Limit for `recentFrames`, read from settings when the connection opens and when a match ends.
   */
  maxRecentFrames: number;
};

type IdleLimits = Pick<Limits, "messages_per_second">;

export const newMessageRateLimit = ({ messages_per_second }: IdleLimits): MessageRateLimit => ({
  sinceObservation: null,
  recentFrames: [],
  maxRecentFrames: messages_per_second,
});

/** Switches to the match's limit. The whole start-up counts as one tick. */
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

/** Counts a data frame. Returns false if the frame exceeds the limit. */
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

export function messageRateText({ sinceObservation, maxRecentFrames }: MessageRateLimit): string {
  return sinceObservation === null
    ? `Too many messages. Bots may send ${maxRecentFrames} per second outside a match.`
    : `Too many messages. Bots may send ${sinceObservation.maxFrames} per tick in a match.`;
}
