// The lists of all bots and all versions, remembered: every page asks for them, few things change
// them. This holds while one process alone writes to the database.

import type { Store } from "#data/store/store.ts";

type Lists = Pick<Store, "bots" | "versions">;

/** After which calls both lists are read again. */
const CHANGES_ROSTER: Record<Exclude<keyof Store, keyof Lists>, boolean> = {
  addBot: true,
  botByName: false,
  botById: false,
  botByToken: false,
  rotateToken: false,
  setBotStatus: true,
  deleteBot: true,
  addVersion: true,
  retireVersion: true,
  versionsOf: false,
  saveMatch: false,
  matches: false,
  match: false,
  matchStats: false,
  matchCounts: false,
  matchIds: false,
  playedLadders: false,
  pairCounts: false,
  activity: false,
  lastPlayed: false,
  opponentsOf: false,
  figures: false,
  ratingHistory: false,
  startsSince: false,
  turnFigures: false,
  carryTurns: false,
  hasReplay: false,
  replayIds: false,
  releaseReplays: false,
  seasons: false,
  openSeasons: false,
  archiveSeason: false,
  finalStandings: false,
  finalPlacesOf: false,
  addAudit: false,
  audit: false,
  schema: false,
  checkIntegrity: false,
  close: false,
};

/** The same store. Both lists and what is in them are frozen, and the same until something changes. */
export function rememberRoster(store: Store): Store {
  const remembered: { [K in keyof Lists]: ReturnType<Lists[K]> | null } = {
    bots: null,
    versions: null,
  };
  const forget = (): void => {
    remembered.bots = null;
    remembered.versions = null;
  };
  const methods = Object.entries(store).map(([name, method]) => {
    const changes = CHANGES_ROSTER[name as keyof typeof CHANGES_ROSTER];
    return [name, changes ? forgetting(method as Method, forget) : method];
  });
  return {
    ...(Object.fromEntries(methods) as Store),
    bots: () => (remembered.bots ??= frozen(store.bots(), forget)),
    versions: () => (remembered.versions ??= frozen(store.versions(), forget)),
  };
}

type Method = (...args: unknown[]) => Promise<unknown>;

/** What is read while the change is under way may be old, so it is forgotten again afterwards. */
function forgetting(method: Method, forget: () => void): Method {
  return async (...args) => {
    forget();
    try {
      return await method(...args);
    } finally {
      forget();
    }
  };
}

async function frozen<T extends object>(list: Promise<T[]>, forget: () => void): Promise<T[]> {
  try {
    const items = await list;
    for (const item of items) Object.freeze(item);
    Object.freeze(items);
    return items;
  } catch (error) {
    forget();
    throw error;
  }
}
