// Faults planted into the arena itself, to prove that the watches see them.

import type { Connection } from "#arena/connection.ts";
import type { Judge } from "#judge/judge.ts";
import type { Limits } from "#protocol/limits.ts";
import type { Store } from "#store/store.ts";

/** What the arena is given instead of the right thing; everything absent is as it should be. */
export type Plant = {
  judge?(judge: Judge): Judge;
  store?(store: Store): Store;
  connection?(connection: Connection): Connection;
  limits?: Partial<Limits>;
};
