// The data of the console. Nothing in it is about its readers, or about the ladder.

import type { ProviderPlace } from "#site/account/data.ts";

export type ConsoleData = {
  /** Null on a ladder without accounts. */
  provider: ProviderPlace | null;
  /** Most letters of a reason. */
  reason_length: number;
};
