// Removes replays that nobody keeps any longer.

import type { LadderId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import type { HeldLadder, LetGo, Released } from "#data/store/replay.ts";
import type { Store } from "#data/store/store.ts";

import type { Replays } from "./replays.ts";

export type TrimDeps = {
  store: Pick<Store, "bots" | "replays">;
  replays: Pick<Replays, "remove">;
};

export type Allowances = {
  /** Newest ranked matches of each bot. */
  perBot: number;
  /** Ladders that keep replays of their own, whatever their bots keep. */
  held: readonly HeldLadder[];
  /** Newest human and practice games. */
  casual?: number;
  /** Embedded matches, the ones shown last. */
  embedded?: number;
};

/** What a trim removed: files, and bytes that are free again. */
export type Trimmed = { removed: number; bytes: number };

/** Bots per transaction, and replays that each of them, a ladder, or casual games release in it. */
const BOTS_AT_ONCE = 10;
const MOST_AT_ONCE = 20;

/**
 * Keeps the replays of the newest matches of each bot, of ladders that are held, of the newest
 * human and practice games, and pinned ones, and removes all others in small portions. A replay is
 * released in the store first, and its file removed afterwards: a crash in between leaves a file
 * that the next start sweeps. Stops early when `signal` aborts. Rejects with StoreError; the rest is
 * left to the next trim.
 */
export async function trimReplays(
  { store, replays }: TrimDeps,
  { perBot, held, casual = FIXED.casual_replays, embedded = 0 }: Allowances,
  signal: AbortSignal,
): Promise<Trimmed> {
  let [removed, bytes] = [0, 0];
  const letGo = async (release: () => Promise<Released>) => {
    for (let isDone = false; !isDone && !signal.aborted;) {
      const released = await release();
      for (const id of released.gone) bytes += await replays.remove(id);
      removed += released.gone.length;
      ({ isDone } = released);
    }
  };
  await letGo(() => store.replays.hold(held, MOST_AT_ONCE));
  const highlighted = await store.replays.highlighted();
  await letGo(() => store.replays.renewPins(highlighted, embedded));
  let portion = await store.bots.ids(null, BOTS_AT_ONCE);
  for (let last = portion.at(-1); last !== undefined; last = portion.at(-1)) {
    const botIds = portion;
    await letGo(() => store.replays.release(botIds, perBot, MOST_AT_ONCE));
    portion = await store.bots.ids(last, BOTS_AT_ONCE);
  }
  await letGo(() => store.replays.releaseCasual(casual, MOST_AT_ONCE));
  return { removed, bytes };
}

/** Bots whose replays are counted in one read. */
const BOTS_COUNTED = 10;

/**
 * How many replays a trim with these allowances would remove, as far as ladders are held already.
 * It reads in small portions, so that nothing waits for it.
 */
export async function countBeyond(
  { bots, replays }: Pick<Store, "bots" | "replays">,
  { perBot: keep, held, casual = FIXED.casual_replays }: Allowances,
  ladderIds: readonly LadderId[],
): Promise<number> {
  /** Those that still keep it, for replays that somebody would let go. */
  const keepers = new Map<string, number>();
  const letGo = (beyond: readonly LetGo[]) => {
    for (const { matchId, keepers: now } of beyond)
      keepers.set(matchId, (keepers.get(matchId) ?? now) - 1);
  };
  letGo(await replays.beyond({ held }));
  let portion = await bots.ids(null, BOTS_COUNTED);
  for (let last = portion.at(-1); last !== undefined; last = portion.at(-1)) {
    letGo(await replays.beyond({ botIds: portion, ladderIds, keep }));
    portion = await bots.ids(last, BOTS_COUNTED);
  }
  letGo(await replays.beyond({ casual }));
  for (const id of await replays.highlighted()) keepers.delete(id);
  return keepers.values().reduce((gone, left) => gone + Number(left === 0), 0);
}
