// Which stored matches still have their replays. The files themselves are kept elsewhere.

import type { AccountId, BotId, LadderId, MatchId } from "#core/words/ids.ts";

import { looks, reads, writes } from "./method.ts";

/** A ladder that keeps the replays of its newest `keep` ranked matches, whatever its bots keep. */
export type HeldLadder = { ladderId: LadderId; keep: number };

export type Released = { gone: MatchId[]; isDone: boolean };

/** Whose replays are meant: of some bots on some ladders, of held ladders, or of casual games. */
export type Keeping =
  | { botIds: readonly BotId[]; ladderIds: readonly LadderId[]; keep: number }
  | { held: readonly HeldLadder[] }
  | { casual: number };

/** A replay that one of those who keep it would let go. */
export type LetGo = { matchId: MatchId; keepers: number };

export type StarOutcome = "starred" | "star_limit" | "no_replay";

export const REPLAYS = {
  /** Whether a stored match still has its replay. */
  has: reads<(matchId: MatchId) => Promise<boolean>>((isKept) =>
    isKept ? ["replays"] : ["replays", "matches"],
  ),
  /** Ids of the matches that have their replays, for the sweep of orphaned files. */
  ids: reads<() => Promise<MatchId[]>>(() => ["replays", "matches"]),
  /** What the methods below would make their keepers let go, in all. Changes nothing. */
  beyond: looks<(keeping: Keeping) => Promise<LetGo[]>>(),
  /**
   * Makes bots give up the replays of all but their newest `keep` ranked matches, up to `most` per
   * bot. Resolves with the matches whose replays nobody keeps any longer: they count as gone, and
   * the caller removes their files.
   */
  release: writes<(botIds: readonly BotId[], keep: number, most: number) => Promise<Released>>(
    (released) => (released?.gone.length === 0 ? [] : ["replays"]),
  ),
  /** The same for human and practice games, which share one allowance. */
  releaseCasual: writes<(keep: number, most: number) => Promise<Released>>((released) =>
    released?.gone.length === 0 ? [] : ["replays"],
  ),
  /**
   * From now on these ladders, and no others, keep replays of their own. Each lets go of those of
   * older matches, up to `most` of each, and so do ladders that kept some until now. What was gone
   * before a ladder is held stays gone. Call it before `release`, until it is done.
   */
  hold: writes<(held: readonly HeldLadder[], most: number) => Promise<Released>>((released) =>
    released?.gone.length === 0 ? [] : ["replays"],
  ),
  /** Keeps the replay of a match for an account, which may star `most` matches. */
  star: writes<
    (accountId: AccountId, matchId: MatchId, at: string, most: number) => Promise<StarOutcome>
  >(() => []),
  /** Resolves with the matches whose replays nobody keeps any longer, as `release` does. */
  unstar: writes<(accountId: AccountId, matchId: MatchId) => Promise<MatchId[]>>((gone) =>
    gone?.length === 0 ? [] : ["replays"],
  ),
  /** Starred matches of an account, newest star first. */
  starred: looks<(accountId: AccountId) => Promise<MatchId[]>>(),
  /** Keeps the replay of a match that another site shows. */
  pinEmbedded: writes<(matchId: MatchId, at: string) => Promise<void>>(() => []),
  /** Matches that are a highlight of a ladder or season. */
  highlighted: looks<() => Promise<MatchId[]>>(),
  /**
   * Keeps the replays of these highlights, and no longer those of former ones, nor of embedded
   * matches beyond the `embedded` shown last.
   */
  renewPins: writes<(highlighted: readonly MatchId[], embedded: number) => Promise<Released>>(
    (released) => (released?.gone.length === 0 ? [] : ["replays"]),
  ),
};

/** The database as a whole. */
export const DATABASE = {
  /** Number of the schema that was applied last. */
  schema: looks<() => Promise<number>>(),
  /** Reads everything; one line for each thing that is damaged or inconsistent. */
  faults: looks<() => Promise<string[]>>(),
};
