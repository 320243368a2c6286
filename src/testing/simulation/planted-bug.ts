// Deliberate bugs in the arena, for testing that watches detect them.

import type { LiveLadders } from "#core/ladder/live-ladders.ts";
import type { Limits } from "#core/limits/limits.ts";
import type { Store } from "#data/store/store.ts";
import type { Arena } from "#live/arena/arena.ts";
import type { Connection } from "#live/arena/connection.ts";
import type { Matchmaker } from "#live/matchmaker/matchmaker.ts";

/** Faulty replacements for parts of the arena. Omitted parts work correctly. */
export type PlantedBug = {
  matchmaker?(matchmaker: Matchmaker): Matchmaker;
  store?(store: Store): Store;
  connection?(connection: Connection): Connection;
  arena?(arena: Arena): Arena;
  ladders?(ladders: LiveLadders): LiveLadders;
  limits?: Partial<Limits>;
};
