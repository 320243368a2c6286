// Which stored matches still have their replays; the files are elsewhere.

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
   * Makes bots let go of replays that are not of their newest `keep` ranked matches, up to `most`
   * a bot.
   * The replays that nobody keeps any more are gone from now on: their ids are the answer, and
   * their files are to be removed.
   */
  release: writes<(botIds: readonly BotId[], keep: number, most: number) => Promise<Released>>(
    (released) => (released?.gone.length === 0 ? [] : ["replays"]),
  ),
  /** The same of human and practice games, which share one keep of their own. */
  releaseCasual: writes<(keep: number, most: number) => Promise<Released>>((released) =>
    released?.gone.length === 0 ? [] : ["replays"],
  ),
};
