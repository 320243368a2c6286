// Removes replays that nobody keeps any longer.

import { FIXED } from "#core/words/limits.ts";
import type { Released } from "#data/store/replay.ts";
import type { Store } from "#data/store/store.ts";

import type { Replays } from "./replays.ts";

export type TrimDeps = {
  store: Pick<Store, "bots" | "replays">;
  replays: Pick<Replays, "remove">;
};

/** Bots per transaction, and replays that each of them, or casual games, release in it. */
const BOTS_AT_ONCE = 10;
const MOST_AT_ONCE = 20;

/**
 * Keeps the replays of each bot's newest `keep` ranked matches and of the newest human and practice
 * games, and removes all others in small portions. Resolves with the number removed. A replay is
 * released in the store first, and its file removed afterwards: a crash in between leaves a file
 * that the next start sweeps. Stops early when `signal` aborts. Rejects with StoreError; the rest
 * is left to the next trim.
 */
export async function trimReplays(
  { store, replays }: TrimDeps,
  keep: number,
  signal: AbortSignal,
  keepCasual: number = FIXED.casual_replays,
): Promise<number> {
  let removed = 0;
  const letGo = async (release: () => Promise<Released>) => {
    for (let isDone = false; !isDone && !signal.aborted;) {
      const released = await release();
      for (const id of released.gone) await replays.remove(id);
      removed += released.gone.length;
      ({ isDone } = released);
    }
  };
  let portion = await store.bots.ids(null, BOTS_AT_ONCE);
  for (let last = portion.at(-1); last !== undefined; last = portion.at(-1)) {
    const botIds = portion;
    await letGo(() => store.replays.release(botIds, keep, MOST_AT_ONCE));
    portion = await store.bots.ids(last, BOTS_AT_ONCE);
  }
  await letGo(() => store.replays.releaseCasual(keepCasual, MOST_AT_ONCE));
  return removed;
}
