// Caches the reads with which nearly every API request starts.

import type { Cache } from "#base/cache/cache.ts";
import { openRowCache } from "#base/cache/row-cache.ts";
import type { RowReader } from "#base/cache/row-cache.ts";
import { BOTS, nameKey, botSubjects } from "#data/store/bot.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { SeasonRecord } from "#data/store/season.ts";
import { STATS } from "#data/store/stats.ts";
import type { VersionTurns } from "#data/store/stats.ts";
import type { Store } from "#data/store/store.ts";
import { VERSION_METHODS } from "#data/store/version.ts";
import type { VersionEntry, VersionRecord } from "#data/store/version.ts";

const CHUNK_SIZE = 500;
/** Versions per read of turn statistics. Each version needs several hundred matches. */
const TURNS_CHUNK_SIZE = 3;

/** Wraps a store that tracks reads. Cached results are frozen. */
export function withCachedReads(store: Store, cache: Cache): Store {
  const { revisions } = cache;
  const botsByName = cache.namespace<BotRecord>("bot by name");
  const versionsByLabel = cache.namespace<VersionRecord>("version by label");
  const seasons = cache.namespace<SeasonRecord[]>("seasons");
  const bots = openRowCache<BotRecord>(cache, "bot", {
    read: (ids) => store.bots.byIds(ids),
    idOf: ({ id }) => id,
    subjectsOf: (id, bot) => [`bot:${id}`, ...botSubjects(bot)],
    batchSize: CHUNK_SIZE,
  });
  const versions = openRowCache<VersionEntry>(cache, "version", {
    read: (ids) => store.versions.byIds(ids),
    idOf: ({ id }) => id,
    subjectsOf: (_, version) => [version === null ? "versions" : `versions:${version.botId}`],
    batchSize: CHUNK_SIZE,
  });
  const turnsOf = cachedTurns(store, cache);
  async function trackTogether<T>(
    read: () => Promise<T>,
    subjectsOf: (result: T) => string[],
  ): Promise<T> {
    const startRevision = revisions.newestRevision();
    const result = await read();
    revisions.track(subjectsOf(result), startRevision);
    return result;
  }

  return {
    ...store,
    bots: {
      ...store.bots,
      byName: (name) =>
        botsByName.get(nameKey(name), async () => freeze(await store.bots.byName(name))),
      byIds: (ids) =>
        trackTogether(
          () => bots(ids),
          (result) => BOTS.byIds.subjects.resolve(result, ids),
        ),
    },
    versions: {
      ...store.versions,
      byLabel: (botId, label) =>
        versionsByLabel.get(`${botId} ${label}`, async () =>
          freeze(await store.versions.byLabel(botId, label)),
        ),
      byIds: (ids) =>
        trackTogether(
          () => versions(ids),
          (result) => VERSION_METHODS.byIds.subjects.resolve(result, ids),
        ),
    },
    stats: {
      ...store.stats,
      turns: (ids, window) =>
        trackTogether(
          () => turnsOf(window)(ids),
          (result) => STATS.turns.subjects.resolve(result, ids, window),
        ),
    },
    seasons: {
      ...store.seasons,
      list: () => seasons.get("", async () => (await store.seasons.list()).map(freeze)),
    },
  };
}

/** Keeps a separate cache for each `matchLimit`, which rarely changes. */
function cachedTurns(store: Store, cache: Cache): (window: number) => RowReader<VersionTurns> {
  const rowsByWindow = new Map<number, RowReader<VersionTurns>>();
  return (window) =>
    rowsByWindow.getOrInsertComputed(window, () =>
      openRowCache<VersionTurns>(cache, `turns of ${window} matches`, {
        read: (ids) => store.stats.turns(ids, window),
        idOf: ({ versionId }) => versionId,
        subjectsOf: (id) => ["turns", `turns:${id}`],
        batchSize: TURNS_CHUNK_SIZE,
      }),
    );
}

function freeze<T extends object | null>(value: T): T {
  return Object.freeze(value);
}
