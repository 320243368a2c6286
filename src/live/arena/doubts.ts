// Writes whose outcome is not known: the store may have done them without an answer. Until it has
// been looked at again, live values may be behind it.

import type { ArenaState } from "./arena-state.ts";

/** Makes live values follow what the store has. */
type Recheck = () => Promise<void>;

/** Looks in the next round, and in each one after it until it succeeds. */
export function noteDoubt({ doubts }: ArenaState, recheck: Recheck): void {
  doubts.add(recheck);
}

/** None waits for another one that takes long. */
export async function settleDoubts({ deps, doubts }: ArenaState): Promise<void> {
  const rechecks = [...doubts];
  doubts.clear();
  const settle = async (recheck: Recheck) => {
    try {
      await recheck();
    } catch (error) {
      deps.log.warn({ error }, "what became of a write is not known yet");
      doubts.add(recheck);
    }
  };
  await Promise.all(rechecks.map(settle));
}
