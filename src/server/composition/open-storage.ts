import { join } from "node:path";

import type { Logger } from "pino";

import { openHasher } from "#adapters/identity/password-hasher.ts";
import { openCache } from "#base/cache/cache.ts";
import { openRevisions } from "#base/cache/revisions.ts";
import { newId, systemClock } from "#base/clock/clock.ts";
import type { StoredRatedMatch } from "#core/events/stored-match.ts";
import type { LiveSettings } from "#core/limits/settings.ts";
import { openArchives } from "#data/files/archives.ts";
import { freeBytesOrNull } from "#data/files/disk-space.ts";
import { openReplays } from "#data/files/replays.ts";
import type { Replays } from "#data/files/replays.ts";
import { withRevocationRecording } from "#data/files/revocation-recording.ts";
import { compactRevocations } from "#data/files/revocations.ts";
import { watchStore } from "#data/invalidation/store-watch.ts";
import { withInvalidation } from "#data/invalidation/with-invalidation.ts";
import type { Store } from "#data/store/store.ts";
import { openRecorder } from "#live/recorder/recorder.ts";
import { addConfigured } from "#server/configuration/config-file.ts";
import type { Config } from "#server/configuration/config-file.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";
import { openLadders } from "#server/configuration/live-ladders.ts";
import type { StoredLadders } from "#server/configuration/live-ladders.ts";
import type { NamedFiles } from "#server/configuration/named-files.ts";
import { restoreSettings } from "#server/configuration/settings.ts";

import { openEventParts } from "./event-services.ts";
import { withDiskFullAlarm, openAlarms } from "./operator-alarms.ts";
import { sendsMail } from "./server-address.ts";

const CACHE_BYTES = 64 * 1024 * 1024;

type StorageDeps = {
  options: ServeOptions;
  namedFiles: NamedFiles;
  rawStore: Store;
  log: Logger;
  settings: LiveSettings;
};

/**
 * Opens the store and everything that depends on it: cache, files, recorder, ladders, settings and
 * events.
 */
export async function openStorage(deps: StorageDeps, parts: AsyncDisposableStack) {
  const { options, namedFiles, rawStore, log, settings } = deps;
  const alarms = openAlarms({ clock: systemClock, log });
  const { data } = options;
  const cache = openCache(openRevisions(), CACHE_BYTES);
  const { store: watchedStore, isUp: isStoreUp } = watchStore(rawStore, alarms.onStoreResult);
  const logFailure = (error: unknown) =>
    log.error({ error }, "revocation stored, but could not append to revoked.jsonl");
  await compactRevocations(data).catch((error: unknown) =>
    log.warn({ error }, "could not compact revoked.jsonl"),
  );
  const recordedStore = withRevocationRecording(watchedStore, {
    folder: data,
    onFailure: logFailure,
  });
  const store = withInvalidation(recordedStore, cache.revisions);
  const files = await openFiles(data, await store.replays.ids(), log);
  const ladders = openLadders(systemClock, await readStoredLadders(store, namedFiles.config));
  await restoreSettings(store, settings, log);
  const { flagTexts } = namedFiles;
  const hasMail = options.accounts !== "none" && sendsMail(options);
  const eventDeps = { data, hasMail, flagTexts, store, clock: systemClock, newId, log };
  const eventParts = parts.adopt(await openEventParts(eventDeps), (events) => events.close());
  const recorder = openRecorder(files.folder, files.replays, () => systemClock.now());
  const arenaParts = {
    store,
    ladders,
    recorder: withDiskFullAlarm(
      parts.adopt(recorder, (thread) => thread.close()),
      alarms,
    ),
    ...eventParts.servingRules,
    onMatchStored: (match: StoredRatedMatch) => eventParts.awards.handleMatchStored(match),
  };
  const { events, awards, flags, images } = eventParts;
  const eventServices = { events, awards, flags, images };
  const freeDisk = () => freeBytesOrNull(data);
  return {
    ...files,
    alarms,
    cache,
    store,
    isStoreUp,
    freeDisk,
    ofEvents: eventServices,
    ofArena: arenaParts,
  };
}

async function readStoredLadders(store: Store, config: Config): Promise<StoredLadders> {
  const hasher = openHasher();
  const hash = (password: string) => hasher.hash(password, "configuration");
  await addConfigured({ store, hash, newId, now: () => systemClock.wall() }, config);
  return { ladders: await store.ladders.list(), members: await store.members.active() };
}

async function openFiles(data: string, ids: readonly string[], log: Logger) {
  const folder = join(data, "replays");
  const archives = await openArchives(join(data, "archives"), folder);
  return { folder, replays: await openSweptReplays(folder, ids, log), archives };
}

async function openSweptReplays(
  folder: string,
  ids: readonly string[],
  log: Logger,
): Promise<Replays> {
  const replays = await openReplays(folder);
  const { removed, folders } = await replays.sweepReplays(ids, performance.timeOrigin);
  if (removed.length > 0) log.warn({ strays: removed }, "removed replay files without a match");
  if (folders.length > 0) log.warn({ folders }, "skipped folders with replay file names");
  return replays;
}
