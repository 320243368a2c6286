// What a server keeps, opened: the store and its cache, files, ladders, settings, events.

import { join } from "node:path";

import type { Logger } from "pino";

import { openCache } from "#base/cache/cache.ts";
import { openRevisions } from "#base/cache/revisions.ts";
import { newId, systemClock } from "#base/clock/clock.ts";
import type { StoredGame } from "#core/events/stored-game.ts";
import type { Settings } from "#core/words/settings.ts";
import { announced } from "#data/cached/announced.ts";
import { watchStore } from "#data/cached/store-watch.ts";
import { openArchives } from "#data/files/archives.ts";
import { openReplays } from "#data/files/replays.ts";
import type { Replays } from "#data/files/replays.ts";
import { recordRevocations } from "#data/files/revocation-recording.ts";
import { compactRevocations } from "#data/files/revocations.ts";
import { freeBytesOrNull } from "#data/files/room.ts";
import type { Store } from "#data/store/store.ts";
import { openRecorder } from "#live/recorder/recorder.ts";
import { openHasher } from "#outside/identity/password.ts";
import { addConfigured } from "#server/configuration/config-file.ts";
import type { Config } from "#server/configuration/config-file.ts";
import type { NamedFiles } from "#server/configuration/files.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";
import { openLadders } from "#server/configuration/ladders.ts";
import type { Kept } from "#server/configuration/ladders.ts";
import { keepSettings } from "#server/configuration/settings.ts";

import { sendsMail } from "./address.ts";
import { heardRecorder, openAlarms } from "./alarms.ts";
import { openEventParts } from "./events.ts";

/** The size of the cache of answers. */
const CACHE_BYTES = 64 * 1024 * 1024;

type Keeping = {
  options: ServeOptions;
  named: NamedFiles;
  opened: Store;
  log: Logger;
  settings: Settings;
};

/** What is stored, and what is open of it: files, the recorder, ladders, events. */
export async function openKept(keeping: Keeping, parts: AsyncDisposableStack) {
  const { options, named, opened, log, settings } = keeping;
  const alarms = openAlarms({ clock: systemClock, log });
  const { data } = options;
  const cache = openCache(openRevisions(), CACHE_BYTES);
  const { store: watched, isUp: isStoreUp } = watchStore(opened, alarms.heard);
  const failed = (error: unknown) =>
    log.error({ error }, "a revocation is stored, but not in revoked.jsonl");
  await compactRevocations(data).catch((error: unknown) =>
    log.warn({ error }, "revoked.jsonl was not compacted"),
  );
  const recorded = recordRevocations(watched, { folder: data, failed });
  const store = announced(recorded, cache.revisions);
  const files = await openFiles(data, await store.replays.ids(), log);
  const ladders = openLadders(systemClock, await keptLadders(store, named.config));
  await keepSettings(store, settings, log);
  const { flagTexts } = named;
  const hasMail = options.accounts !== "none" && sendsMail(options);
  const opening = { data, hasMail, flagTexts, store, clock: systemClock, newId, log };
  const eventParts = parts.adopt(await openEventParts(opening), (events) => events.close());
  const recorder = openRecorder(files.folder, files.replays, () => systemClock.now());
  const ofArena = {
    store,
    ladders,
    recorder: heardRecorder(
      parts.adopt(recorder, (thread) => thread.close()),
      alarms,
    ),
    ...eventParts.servingRules,
    stored: (game: StoredGame) => eventParts.awards.stored(game),
  };
  const { events, awards, flags, images } = eventParts;
  const ofEvents = { events, awards, flags, images };
  const freeDisk = () => freeBytesOrNull(data);
  return { ...files, alarms, cache, store, isStoreUp, freeDisk, ofEvents, ofArena };
}

/** Ladders that are stored, after what is new in the configuration file is stored too. */
async function keptLadders(store: Store, config: Config): Promise<Kept> {
  const hasher = openHasher();
  const hash = (password: string) => hasher.hash(password, "configuration");
  await addConfigured({ store, hash, newId, now: () => systemClock.wall() }, config);
  return { ladders: await store.ladders.list(), members: await store.members.active() };
}

/** The folder of replays, what is in it, and the archives that are made of it. */
async function openFiles(data: string, ids: readonly string[], log: Logger) {
  const folder = join(data, "replays");
  const archives = await openArchives(join(data, "archives"), folder);
  return { folder, replays: await openSwept(folder, ids, log), archives };
}

/** Opens the replays, without files of an earlier process that belong to no match. */
async function openSwept(folder: string, ids: readonly string[], log: Logger): Promise<Replays> {
  const replays = await openReplays(folder);
  const { removed, folders } = await replays.sweep(ids, performance.timeOrigin);
  if (removed.length > 0)
    log.warn({ strays: removed }, "replay files without a match were removed");
  if (folders.length > 0)
    log.warn({ folders }, "folders with names of replays were left where they are");
  return replays;
}
