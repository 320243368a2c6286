// What has changed in the store, as numbers that are others after each change: kept answers compare
// them. They hold while one process alone writes to the database.

import type { Store } from "#data/store/store.ts";

export type Changes = {
  /** Matches that were stored on a ladder. */
  matchesOn(ladderId: string): number;
  /** Matches of a bot, on all ladders. */
  matchesOf(botId: string): number;
  /** Seasons and what is written down at their ends. */
  seasons(): number;
  /** How turns were counted for matches stored long ago. */
  turns(): number;
  /** Which matches still have their replays. */
  replays(): number;
};

/** The same store, and its changes. A change counts before the caller hears that it is stored. */
export function followChanges(store: Store): { store: Store; changes: Changes } {
  const counts = new Map<string, number>();
  const countOf = (subject: string): number => counts.get(subject) ?? 0;
  const count = (...subjects: string[]): void => {
    for (const subject of subjects) counts.set(subject, countOf(subject) + 1);
  };
  const changes: Changes = {
    matchesOn: (ladderId) => countOf(`ladder ${ladderId}`),
    matchesOf: (botId) => countOf(`bot ${botId}`),
    seasons: () => countOf("seasons"),
    turns: () => countOf("turns"),
    replays: () => countOf("replays"),
  };
  // Whatever fails may have been stored all the same.
  const followed: Store = {
    ...store,
    saveMatch: (match) => {
      const bots = match.seats.map(({ botId }) => `bot ${botId}`);
      return store.saveMatch(match).finally(() => count(`ladder ${match.ladderId}`, ...bots));
    },
    openSeasons: (seasons) => store.openSeasons(seasons).finally(() => count("seasons")),
    archiveSeason: (...season) => store.archiveSeason(...season).finally(() => count("seasons")),
    carryTurns: (most) => store.carryTurns(most).finally(() => count("turns")),
    releaseReplays: (...of) => store.releaseReplays(...of).finally(() => count("replays")),
  };
  return { store: followed, changes };
}
