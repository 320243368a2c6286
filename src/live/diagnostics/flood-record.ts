import type { BotId } from "#core/ids/ids.ts";

export type FloodRecord = {
  /** Times of disconnections within the last hour in µs, oldest first. */
  disconnectedAt: number[];
  /** When the bot was last suspended, in µs; null if it never was. */
  suspendedAt: number | null;
};

export type Floods = {
  readonly byBot: Map<BotId, FloodRecord>;
  /** Disconnections since the process started. */
  total: number;
  suspensions: number;
};

export const emptyFloods = (): Floods => ({ byBot: new Map(), total: 0, suspensions: 0 });
