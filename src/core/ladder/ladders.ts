// The ladders of a running server, and whom each of them takes.

import type { LadderId } from "#core/words/ids.ts";

import type { Entrant, LadderDefinition, LadderRefusal } from "./ladder.ts";

export type Ladders = {
  /** The default one first, the others in the order in which they were made. */
  all(): readonly LadderDefinition[];
  byId(ladderId: LadderId): LadderDefinition | null;
  /** Why a bot may not queue there now; null when it may. */
  admits(bot: Entrant, ladderId: LadderId): LadderRefusal | null;
  /** A ladder is like this from now on; one of a new id begins. */
  put(ladder: LadderDefinition): void;
};
