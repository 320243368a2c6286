// The live ladders of a server.

import type { Clock } from "#base/clock/clock.ts";
import { ladderRefusal, PUBLIC } from "#core/ladder/ladder.ts";
import type { Entrant, LadderDefinition } from "#core/ladder/ladder.ts";
import type { Ladders } from "#core/ladder/ladders.ts";
import type { LadderId } from "#core/words/ids.ts";

export type LadderDeps = {
  clock: Pick<Clock, "wall">;
  /** Whether the owner of a player's bot is an active member of a ladder that is not open to all. */
  isMember: (bot: Entrant, ladderId: LadderId) => boolean;
};

/** Public, and whatever other ladders there are. */
export function openLadders(
  { clock, isMember }: LadderDeps,
  others: readonly LadderDefinition[] = [],
): Ladders {
  const known = new Map([PUBLIC, ...others].map((ladder) => [ladder.id, ladder]));
  const byId = (id: LadderId) => known.get(id) ?? null;
  return {
    all: () => [...known.values()],
    byId,
    admits: (bot, ladderId) => {
      const instant = clock.wall().toISOString();
      return ladderRefusal(byId(ladderId), instant, bot, isMember(bot, ladderId));
    },
    put: (ladder) => void known.set(ladder.id, ladder),
  };
}
