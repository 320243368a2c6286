import type { ApiIndex } from "#core/api/api-index.ts";

export type PlayData = {
  /** Null if human matches are disabled. */
  play: ApiIndex["play"];
  tick_ms: number;
  /** Opponent ID from the URL, or null. */
  requestedOpponent: string | null;
};
