// Records of bots that were disconnected for too many messages.

import type { BotId } from "#core/ids/ids.ts";

export type FloodRecord = {
  /** Disconnections within the last hour, in µs, oldest first. */
  disconnectedAt: number[];
  /** Time of the last suspension in µs, or null. */
  suspendedAt: number | null;
};

export type Floods = {
  readonly byBot: Map<BotId, FloodRecord>;
  /** Disconnections and suspensions since the process started. */
  total: number;
  suspensions: number;
};

export const emptyFloods = (): Floods => ({ byBot: new Map(), total: 0, suspensions: 0 });
