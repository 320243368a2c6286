// Tracks which stored matches still have a replay. The replay files are stored separately. A keeper
// is whatever retains a replay: a bot, a ladder, all casual games together, or a pin.

import type { AccountId, BotId, LadderId, MatchId } from "#core/ids/ids.ts";

import { readsUncached, reads, writes } from "./store-method.ts";

/**
 * A ladder that retains the replays of its `keep` newest ranked matches, even if the bots release
 * them.
 */
export type LadderRetention = { ladderId: LadderId; keep: number };

export type ReleasedReplays = { removedIds: MatchId[]; isDone: boolean };

/**
 * Selects replays of some bots on some ladders, of ladders with a retention, or of casual games.
 */
export type ExcessQuery =
  | { botIds: readonly BotId[]; ladderIds: readonly LadderId[]; keep: number }
  | { held: readonly LadderRetention[] }
  | { casual: number };

/** A replay that one keeper would release. `keepers` is the current number of keepers. */
export type ExcessReplay = { matchId: MatchId; keepers: number };

export type StarOutcome = "starred" | "star_limit" | "no_replay";

export const REPLAYS = {
  has: reads<(matchId: MatchId) => Promise<boolean>>((isRetained) =>
    isRetained ? ["replays"] : ["replays", "matches"],
  ),
  /** Returns the IDs of matches with a replay, for the sweep of orphaned files. */
  ids: reads<() => Promise<MatchId[]>>(() => ["replays", "matches"]),
  /** Returns the replays that the methods below would release. Changes nothing. */
  listExcess: readsUncached<(query: ExcessQuery) => Promise<ExcessReplay[]>>(),
  /**
   * Releases all but the newest `retainCount` ranked matches of each bot, at most `limit` per bot.
   * Returns the matches without a remaining keeper. Their replays count as removed, and the caller
   * deletes the files.
   */
  release: writes<
    (botIds: readonly BotId[], retainCount: number, limit: number) => Promise<ReleasedReplays>
  >((released) => (released?.removedIds.length === 0 ? [] : ["replays"])),
  /** Releases all but the newest `retainCount` human and practice games, at most `limit`. */
  releaseCasual: writes<(retainCount: number, limit: number) => Promise<ReleasedReplays>>(
    (released) => (released?.removedIds.length === 0 ? [] : ["replays"]),
  ),
  /**
   * Makes exactly these ladders retain replays from now on. Each of them releases up to `limit`
   * older matches, and so does each ladder that is no longer listed. Replays that were removed
   * earlier aren't restored. Repeat until `isDone` before calling `release`.
   */
  retainForLadders: writes<
    (retentions: readonly LadderRetention[], limit: number) => Promise<ReleasedReplays>
  >((released) => (released?.removedIds.length === 0 ? [] : ["replays"])),
  /** Retains the replay of a match for an account, which may star up to `limit` matches. */
  star: writes<
    (accountId: AccountId, matchId: MatchId, at: string, limit: number) => Promise<StarOutcome>
  >(() => []),
  /** Returns the matches without a remaining keeper, like `release`. */
  unstar: writes<(accountId: AccountId, matchId: MatchId) => Promise<MatchId[]>>((removedIds) =>
    removedIds?.length === 0 ? [] : ["replays"],
  ),
  listStarred: readsUncached<(accountId: AccountId) => Promise<MatchId[]>>(),
  /** Retains the replay of a match that is embedded on another site. */
  pinEmbedded: writes<(matchId: MatchId, at: string) => Promise<void>>(() => []),
  highlighted: readsUncached<() => Promise<MatchId[]>>(),
  /**
   * Retains the replays of these highlights. Releases all other highlights, and all but the
   * `embedLimit` embedded matches that were shown last.
   */
  renewPins: writes<
    (listHighlighted: readonly MatchId[], embedLimit: number) => Promise<ReleasedReplays>
  >((released) => (released?.removedIds.length === 0 ? [] : ["replays"])),
};

export const DATABASE = {
  /** Returns the number of the newest applied schema. */
  schema: readsUncached<() => Promise<number>>(),
  /** Reads the whole database. Returns one line for each damaged or inconsistent item. */
  faults: readsUncached<() => Promise<string[]>>(),
};
