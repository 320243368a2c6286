// Which stored matches still have their replays. The files themselves are kept elsewhere.

import type { BotId, MatchId } from "#core/words/ids.ts";

import { reads, writes } from "./method.ts";

export type Released = { gone: MatchId[]; isDone: boolean };

export const REPLAYS = {
  /** Whether a stored match still has its replay. */
  has: reads<(matchId: MatchId) => Promise<boolean>>((isKept) =>
    isKept ? ["replays"] : ["replays", "matches"],
  ),
  /** Ids of the matches that have their replays, for the sweep of orphaned files. */
  ids: reads<() => Promise<MatchId[]>>(() => ["replays", "matches"]),
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
};
