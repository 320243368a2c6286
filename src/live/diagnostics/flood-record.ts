// What is remembered of bots that were disconnected for too many messages.

import type { BotId } from "#core/words/ids.ts";

export type FloodRecord = {
  /** When it was disconnected within the last hour, in µs, oldest first. */
  times: number[];
  /** When it was last suspended, in µs; null for never. */
  suspendedAt: number | null;
};

export type Floods = {
  readonly byBot: Map<BotId, FloodRecord>;
  /** Disconnections and suspensions since the process started. */
  total: number;
  suspensions: number;
};

export const noFloods = (): Floods => ({ byBot: new Map(), total: 0, suspensions: 0 });
