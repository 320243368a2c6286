// Data of the page for human matches.
import type { ApiIndex } from "#core/api/api-index.ts";

export type PlayData = {
  /** Null if human matches are disabled. */
  play: ApiIndex["play"];
  /** Current tick length in ms. */
  tick_ms: number;
  /** ID of the opponent in the URL. */
  requestedOpponent: string | null;
};
