import { QUIET_UPGRADE } from "#data/migrations/upgrade.ts";
import type { Store } from "#data/store/store.ts";

import type { Access } from "./sqlite-driver.ts";
import { sqlitePath } from "./sqlite-file.ts";
import { SqliteLine } from "./sqlite-line.ts";

/** Reads have a thread of their own, so that they go on while a write waits for lock or disk. */
const ACCESS: Record<Exclude<keyof Store, "close">, Access> = {
  addBot: "write",
  botByName: "read",
  botById: "read",
  botByToken: "read",
  botsById: "read",
  houseBots: "read",
  botIds: "read",
  rotateToken: "write",
  setBotStatus: "write",
  deleteBot: "write",
  addVersion: "write",
  retireVersion: "write",
  version: "read",
  versionsById: "read",
  versionsOf: "read",
  latestVersions: "read",
  currentVersion: "read",
  saveMatch: "write",
  matches: "read",
  match: "read",
  matchStats: "read",
  matchCounts: "read",
  matchIds: "read",
  playedLadders: "read",
  pairCounts: "read",
  activity: "read",
  opponentsOf: "read",
  figures: "read",
  ratingHistory: "read",
  startsSince: "read",
  turnFigures: "read",
  carryTurns: "write",
  hasReplay: "read",
  replayIds: "read",
  releaseReplays: "write",
  releaseCasualReplays: "write",
  seasons: "read",
  openSeasons: "write",
  archiveSeason: "write",
  finalStandings: "read",
  finalPlacesOf: "read",
  addAudit: "write",
  audit: "read",
  schema: "read",
  checkIntegrity: "read",
};

/** Opens, making or migrating it where needed, the SQLite store of a data directory. */
export async function openSqlite(
  directory: string,
  made?: string,
  { keepsCopy, tell } = QUIET_UPGRADE,
): Promise<Store> {
  const path = sqlitePath(directory);
  const lines = {
    write: new SqliteLine({ path, access: "write", made, keepsCopy }, tell),
    read: new SqliteLine({ path, access: "read" }),
  };
  const store = storeOver(lines);
  try {
    // The writer makes the file; only then is there something to read.
    await lines.write.call("schema", []);
    await lines.read.call("schema", []);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

function storeOver(lines: Record<Access, SqliteLine>): Store {
  const methods = Object.entries(ACCESS).map(([name, access]) => [
    name,
    (...values: unknown[]) => lines[access].call(name as keyof Store, values),
  ]);
  return {
    ...(Object.fromEntries(methods) as Omit<Store, "close">),
    async close() {
      await lines.read.close();
      await lines.write.close();
    },
  };
}
