// Which stored matches still have replays. The files are stored separately.

import type { AccountId, BotId, LadderId, MatchId } from "#core/ids/ids.ts";

import { readsUncached, reads, writes } from "./method.ts";

/**
 * A ladder that keeps the replays of its newest `retainCount` ranked matches, regardless of its
 * bots.
 */
export type LadderRetention = { ladderId: LadderId; keep: number };

export type ReleasedReplays = { removedIds: MatchId[]; isDone: boolean };

/** Selects replays: of some bots on some ladders, of held ladders, or of casual games. */
export type ExcessQuery =
  | { botIds: readonly BotId[]; ladderIds: readonly LadderId[]; keep: number }
  | { held: readonly LadderRetention[] }
  | { casual: number };

/** A replay that a keeper would release. */
export type ExcessReplay = { matchId: MatchId; keepers: number };

export type StarOutcome = "starred" | "star_limit" | "no_replay";

export const REPLAYS = {
  /** Whether a stored match still has its replay. */
  has: reads<(matchId: MatchId) => Promise<boolean>>((isRetained) =>
    isRetained ? ["replays"] : ["replays", "matches"],
  ),
  /** IDs of the matches with replays, for the sweep of orphaned files. */
  ids: reads<() => Promise<MatchId[]>>(() => ["replays", "matches"]),
  /** Replays that the methods below would release in all. Changes nothing. */
  listExcess: readsUncached<(query: ExcessQuery) => Promise<ExcessReplay[]>>(),
  /**
   * Releases all but the newest `retainCount` ranked matches of each bot, up to `limit` per bot.
   * Returns the matches without a keeper: their replays count as removed, and the caller deletes
   * the files.
   */
  release: writes<
    (botIds: readonly BotId[], retainCount: number, limit: number) => Promise<ReleasedReplays>
  >((released) => (released?.removedIds.length === 0 ? [] : ["replays"])),
  /** The same for human and practice games, which share one limit. */
  releaseCasual: writes<(retainCount: number, limit: number) => Promise<ReleasedReplays>>(
    (released) => (released?.removedIds.length === 0 ? [] : ["replays"]),
  ),
  /**
   * Makes exactly these ladders keep replays from now on. Each releases older matches, up to
   * `limit`, as do ladders no longer listed. Replays removed before a ladder is held stay removed.
   * Call it before `release` until it is done.
   */
  retainForLadders: writes<
    (retentions: readonly LadderRetention[], limit: number) => Promise<ReleasedReplays>
  >((released) => (released?.removedIds.length === 0 ? [] : ["replays"])),
  /** Keeps the replay of a match for an account, which may star `limit` matches. */
  star: writes<
    (accountId: AccountId, matchId: MatchId, at: string, limit: number) => Promise<StarOutcome>
  >(() => []),
  /** Returns the matches whose replays have no keeper left, like `release`. */
  unstar: writes<(accountId: AccountId, matchId: MatchId) => Promise<MatchId[]>>((removedIds) =>
    removedIds?.length === 0 ? [] : ["replays"],
  ),
  /** Starred matches of an account, newest star first. */
  listStarred: readsUncached<(accountId: AccountId) => Promise<MatchId[]>>(),
  /** Keeps the replay of a match that is embedded on another site. */
  pinEmbedded: writes<(matchId: MatchId, at: string) => Promise<void>>(() => []),
  /** Matches that are a highlight of a ladder or season. */
  highlighted: readsUncached<() => Promise<MatchId[]>>(),
  /**
   * Keeps the replays of these highlights. Releases former highlights, and embedded matches beyond
   * the `embedLimit` shown last.
   */
  renewPins: writes<
    (listHighlighted: readonly MatchId[], embedLimit: number) => Promise<ReleasedReplays>
  >((released) => (released?.removedIds.length === 0 ? [] : ["replays"])),
};

/** The database as a whole. */
export const DATABASE = {
  /** Number of the schema applied last. */
  schema: readsUncached<() => Promise<number>>(),
  /** Reads everything; one line for each thing that is damaged or inconsistent. */
  faults: readsUncached<() => Promise<string[]>>(),
};
