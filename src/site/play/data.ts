// The data of the page on which people fight.
import type { ApiIndex } from "#core/resources/api.ts";

export type PlayData = {
  /** Null where the ladder has no fights for people. */
  play: ApiIndex["play"];
  /** Milliseconds of a tick, as the setting is now. */
  tick_ms: number;
  /** The short name of the opponent that the address asks for. */
  asked: string | null;
};
