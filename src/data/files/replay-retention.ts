import type { LadderId } from "#core/ids/ids.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { LadderRetention, ExcessReplay, ReleasedReplays } from "#data/store/replay.ts";
import type { Store } from "#data/store/store.ts";

import type { Replays } from "./replays.ts";

export type ReplayTrimDeps = {
  store: Pick<Store, "bots" | "replays">;
  replays: Pick<Replays, "remove">;
};

export type ReplayAllowances = {
  /** Newest ranked matches per bot. */
  perBot: number;
  ladderRetentions: readonly LadderRetention[];
  /** Newest human and practice games, across all ladders. */
  casual?: number;
  /** Embedded matches, most recently shown first. */
  embedded?: number;
};

export type ReplayTrimResult = { removed: number; bytes: number };

/**
 * Maximum bots per transaction, and maximum replays released per transaction by each bot, each
 * ladder, or all casual games together.
 */
const BOTS_PER_TRANSACTION = 10;
const RELEASE_LIMIT = 20;

/**
 * Deletes all replays except those of each bot's newest matches, of ladders with a retention, of
 * the newest human and practice games, and of pinned matches. Works in small batches. Each replay
 * is released in the store before its file is deleted, so a crash in between leaves a file that the
 * next start sweeps. Stops early if `signal` aborts. Rejects with StoreError; the next trim
 * continues.
 */
export async function trimReplays(
  { store, replays }: ReplayTrimDeps,
  {
    perBot,
    ladderRetentions,
    casual = FIXED_LIMITS.casual_replays,
    embedded = 0,
  }: ReplayAllowances,
  signal: AbortSignal,
): Promise<ReplayTrimResult> {
  let [removed, bytes] = [0, 0];
  const releaseAll = async (release: () => Promise<ReleasedReplays>) => {
    for (let isDone = false; !isDone && !signal.aborted;) {
      const released = await release();
      for (const id of released.removedIds) bytes += await replays.remove(id);
      removed += released.removedIds.length;
      ({ isDone } = released);
    }
  };
  await releaseAll(() => store.replays.retainForLadders(ladderRetentions, RELEASE_LIMIT));
  const highlighted = await store.replays.highlighted();
  await releaseAll(() => store.replays.renewPins(highlighted, embedded));
  let botIdChunk = await store.bots.ids(null, BOTS_PER_TRANSACTION);
  for (let lastId = botIdChunk.at(-1); lastId !== undefined; lastId = botIdChunk.at(-1)) {
    const botIds = botIdChunk;
    await releaseAll(() => store.replays.release(botIds, perBot, RELEASE_LIMIT));
    botIdChunk = await store.bots.ids(lastId, BOTS_PER_TRANSACTION);
  }
  await releaseAll(() => store.replays.releaseCasual(casual, RELEASE_LIMIT));
  return { removed, bytes };
}

const BOTS_PER_READ = 10;

/**
 * Returns how many replays a trim with these limits would delete. Only considers ladders that
 * already have a retention. Reads in small batches, so that other queries don't wait.
 */
export async function countExcessReplays(
  { bots, replays }: Pick<Store, "bots" | "replays">,
  { perBot: retainCount, ladderRetentions, casual = FIXED_LIMITS.casual_replays }: ReplayAllowances,
  ladderIds: readonly LadderId[],
): Promise<number> {
  /** By match: how many keepers (bots, ladders or pins) would still retain the replay. */
  const remainingKeepersById = new Map<string, number>();
  const countExcess = (excessReplays: readonly ExcessReplay[]) => {
    for (const { matchId, keepers: keeperCount } of excessReplays)
      remainingKeepersById.set(matchId, (remainingKeepersById.get(matchId) ?? keeperCount) - 1);
  };
  countExcess(await replays.listExcess({ held: ladderRetentions }));
  let botIdChunk = await bots.ids(null, BOTS_PER_READ);
  for (let lastId = botIdChunk.at(-1); lastId !== undefined; lastId = botIdChunk.at(-1)) {
    countExcess(await replays.listExcess({ botIds: botIdChunk, ladderIds, keep: retainCount }));
    botIdChunk = await bots.ids(lastId, BOTS_PER_READ);
  }
  countExcess(await replays.listExcess({ casual }));
  for (const id of await replays.highlighted()) remainingKeepersById.delete(id);
  return remainingKeepersById
    .values()
    .reduce(
      (removableCount, remainingKeepers) => removableCount + Number(remainingKeepers === 0),
      0,
    );
}
