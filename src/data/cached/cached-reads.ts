// Reads with which nearly every API answer begins, kept in the cache.

import type { Cache } from "#base/cache/cache.ts";
import { openRows } from "#base/cache/rows.ts";
import type { Rows } from "#base/cache/rows.ts";
import { BOTS, nameKey, subjectsOf } from "#data/store/bot.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { FIGURES } from "#data/store/figures.ts";
import type { VersionTurns } from "#data/store/figures.ts";
import type { SeasonRecord } from "#data/store/season.ts";
import type { Store } from "#data/store/store.ts";
import { VERSIONS } from "#data/store/version.ts";
import type { VersionEntry, VersionRecord } from "#data/store/version.ts";

/** Bots or versions per read. */
const PORTION = 500;
/** Versions whose turns are read at once: each takes some hundred matches. */
const TURNS_PORTION = 3;

/** The same store, over one that notes what is read. Its answers are frozen. */
export function cachedReads(store: Store, cache: Cache): Store {
  const { revisions } = cache;
  const names = cache.shelf<BotRecord>("bot by name");
  const labels = cache.shelf<VersionRecord>("version by label");
  const seasons = cache.shelf<SeasonRecord[]>("seasons");
  const bots = openRows<BotRecord>(cache, "bot", {
    read: (ids) => store.bots.byIds(ids),
    idOf: ({ id }) => id,
    subjectsOf: (id, bot) => [`bot:${id}`, ...subjectsOf(bot)],
    portion: PORTION,
  });
  const versions = openRows<VersionEntry>(cache, "version", {
    read: (ids) => store.versions.byIds(ids),
    idOf: ({ id }) => id,
    subjectsOf: (_, version) => [version === null ? "versions" : `versions:${version.botId}`],
    portion: PORTION,
  });
  const turnsOf = cachedTurns(store, cache);
  /** Notes what is read together as one read. */
  async function asOne<T>(read: () => Promise<T>, subjectsOf: (found: T) => string[]): Promise<T> {
    const at = revisions.now();
    const found = await read();
    revisions.note(subjectsOf(found), at);
    return found;
  }

  return {
    ...store,
    bots: {
      ...store.bots,
      byName: (name) => names.get(nameKey(name), async () => frozen(await store.bots.byName(name))),
      byIds: (ids) =>
        asOne(
          () => bots(ids),
          (found) => BOTS.byIds.subjects.of(found, ids),
        ),
    },
    versions: {
      ...store.versions,
      byLabel: (botId, label) =>
        labels.get(`${botId} ${label}`, async () =>
          frozen(await store.versions.byLabel(botId, label)),
        ),
      byIds: (ids) =>
        asOne(
          () => versions(ids),
          (found) => VERSIONS.byIds.subjects.of(found, ids),
        ),
    },
    figures: {
      ...store.figures,
      turns: (ids, window) =>
        asOne(
          () => turnsOf(window)(ids),
          (found) => FIGURES.turns.subjects.of(found, ids, window),
        ),
    },
    seasons: {
      ...store.seasons,
      list: () => seasons.get("", async () => (await store.seasons.list()).map(frozen)),
    },
  };
}

/** One set of rows per `window`, a number that hardly ever changes. */
function cachedTurns(store: Store, cache: Cache): (window: number) => Rows<VersionTurns> {
  const opened = new Map<number, Rows<VersionTurns>>();
  return (window) =>
    opened.getOrInsertComputed(window, () =>
      openRows<VersionTurns>(cache, `turns of ${window} matches`, {
        read: (ids) => store.figures.turns(ids, window),
        idOf: ({ versionId }) => versionId,
        subjectsOf: (id) => ["turns", `turns:${id}`],
        portion: TURNS_PORTION,
      }),
    );
}

function frozen<T extends object | null>(value: T): T {
  return Object.freeze(value);
}
