// Reads that nearly every answer of the API begins with, kept in the cache.

import type { Cache } from "#base/cache/cache.ts";
import { openRows } from "#base/cache/rows.ts";
import type { Rows } from "#base/cache/rows.ts";
import type { TurnFigures } from "#core/ladder/version-health.ts";
import type { VersionId } from "#core/words/ids.ts";
import { keyOf } from "#data/queries/bot.ts";
import type {
  BotRecord,
  SeasonRecord,
  Store,
  VersionEntry,
  VersionRecord,
} from "#data/store/store.ts";

import { READS } from "./subjects.ts";

type Figures = TurnFigures & { versionId: VersionId };

/** Bots or versions of one read. */
const PORTION = 500;
/** Versions whose turns are read at once: some hundred matches of each are looked at. */
const TURNS_PORTION = 3;

/** The same store, over one that notes what is read; what it gives is frozen. */
export function cachedReads(store: Store, cache: Cache): Store {
  const { revisions } = cache;
  const names = cache.shelf<BotRecord>("bot by name");
  const labels = cache.shelf<VersionRecord>("version by label");
  const seasons = cache.shelf<SeasonRecord[]>("seasons");
  const bots = openRows<BotRecord>(cache, "bot", {
    read: (ids) => store.botsById(ids),
    idOf: ({ id }) => id,
    subjectsOf: (id) => [`bot:${id}`],
    portion: PORTION,
  });
  const versions = openRows<VersionEntry>(cache, "version", {
    read: (ids) => store.versionsById(ids),
    idOf: ({ id }) => id,
    subjectsOf: (_, version) => [version === null ? "versions" : `versions:${version.botId}`],
    portion: PORTION,
  });
  const turnsOf = cachedTurns(store, cache);
  return {
    ...store,
    botByName: (name) => names.get(keyOf(name), async () => frozen(await store.botByName(name))),
    version: (botId, label) =>
      labels.get(`${botId} ${label}`, async () => frozen(await store.version(botId, label))),
    seasons: () => seasons.get("", async () => (await store.seasons()).map(frozen)),
    botsById: async (ids) => {
      const at = revisions.now();
      const found = await bots(ids);
      revisions.note(READS.botsById(found, ids), at);
      return found;
    },
    versionsById: async (ids) => {
      const at = revisions.now();
      const found = await versions(ids);
      revisions.note(READS.versionsById(found, ids), at);
      return found;
    },
    turnFigures: async (ids, window) => {
      const at = revisions.now();
      const found = await turnsOf(window)(ids);
      revisions.note(READS.turnFigures(found, ids), at);
      return found;
    },
  };
}

/** Of the newest `window` matches: a number that hardly ever changes. */
function cachedTurns(store: Store, cache: Cache): (window: number) => Rows<Figures> {
  const opened = new Map<number, Rows<Figures>>();
  return (window) =>
    opened.getOrInsertComputed(window, () =>
      openRows<Figures>(cache, `turns of ${window} matches`, {
        read: (ids) => store.turnFigures(ids, window),
        idOf: ({ versionId }) => versionId,
        subjectsOf: (id) => ["turns", `turns:${id}`],
        portion: TURNS_PORTION,
      }),
    );
}

function frozen<T extends object | null>(value: T): T {
  return Object.freeze(value);
}
