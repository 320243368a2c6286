// Faults planted into the arena itself, to prove that the watches see them.

import type { Ladders } from "#core/ladder/ladders.ts";
import type { Limits } from "#core/words/limits.ts";
import type { Store } from "#data/store/store.ts";
import type { Arena } from "#live/arena/arena.ts";
import type { Connection } from "#live/arena/connection.ts";
import type { Matchmaker } from "#live/matchmaker/matchmaker.ts";

/** Faulty replacements for what the arena uses; anything absent is correct. */
export type Plant = {
  matchmaker?(matchmaker: Matchmaker): Matchmaker;
  store?(store: Store): Store;
  connection?(connection: Connection): Connection;
  arena?(arena: Arena): Arena;
  ladders?(ladders: Ladders): Ladders;
  limits?: Partial<Limits>;
};
