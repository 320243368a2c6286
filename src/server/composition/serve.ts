// The composition page: everything that is alive is built here, in the order in which it depends.

import { join } from "node:path";

import { pino } from "pino";
import type { Logger } from "pino";

import { newId, newSeed, systemClock } from "#base/clock/clock.ts";
import type { FixedLimits } from "#core/words/limits.ts";
import type { Settings } from "#core/words/settings.ts";
import { rememberRoster } from "#data/cached/cached-lists.ts";
import { rememberTurns } from "#data/cached/cached-turn-figures.ts";
import { openReplays } from "#data/files/replays.ts";
import type { Replays } from "#data/files/replays.ts";
import type { ServerLock } from "#data/store/server-lock.ts";
import type { Store } from "#data/store/store.ts";
import { hashToken, newBotToken } from "#data/store/token.ts";
import { openArena } from "#live/arena/arena.ts";
import type { Arena } from "#live/arena/arena.ts";
import type { ArenaDeps } from "#live/arena/deps.ts";
import { openHealth } from "#live/health/health.ts";
import type { Health } from "#live/health/health.ts";
import { hireThreads } from "#live/house/house-thread.ts";
import { openHouse, registerHouseBots } from "#live/house/house.ts";
import { engineFights } from "#live/match/engine-fight.ts";
import { openJudge } from "#live/matchmaker/matchmaker-client.ts";
import { openArchive } from "#live/recorder/recorder.ts";
import { openBotSockets } from "#live/sockets/socket.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";
import { limitsOf } from "#server/configuration/limit-flags.ts";
import { proxyList } from "#server/configuration/proxies.ts";
import { openSettings } from "#server/configuration/settings.ts";
import { openUpkeep } from "#server/jobs/jobs.ts";
import { buildApp } from "#web/api/app.ts";
import { openDocuments } from "#web/docs/documents.ts";
import { openAdmission } from "#web/http/admission.ts";
import type { Admission } from "#web/http/admission.ts";
import { oncePerTurn } from "#web/http/cached-answer.ts";
import { callerOf } from "#web/http/caller.ts";
import { followChanges } from "#web/http/changes.ts";
import { writeRefusal } from "#web/http/client-error.ts";
import type { ApiDeps, ApiSettings, App } from "#web/http/deps.ts";
import { takeTurns } from "#web/http/read-queue.ts";
import { pageDeps } from "#web/pages/page-data.ts";
import { openSite, pages } from "#web/pages/pages.ts";

import { baseUrlOf, botEndpointOf, limitsAddresses, originsOf } from "./address.ts";
import { guardUpgrades } from "./connections.ts";
import { openStore } from "./open-store.ts";
import type { StoreLocation } from "./open-store.ts";
import { openPort } from "./port.ts";
import { lockServer } from "./server-lock.ts";
import { RELEASE, playedVersions } from "./versions.ts";

export { LockHeld } from "#data/store/server-lock.ts";

export type Server = {
  baseUrl: string;
  arena: Arena;
  health: Health;
  /** Lets running matches end, tells everybody, and closes; true when nothing was abandoned. */
  shutDown(): Promise<boolean>;
};

/** Logs are JSON lines on stderr: stdout belongs to the `ready` line. */
const STDERR = 2;

const SECRET_HEADERS = ["authorization", "x-owner-key", "x-registration-key"];

type Tuning = { housePaceMs?: number; settings?: Settings };

/**
 * Opens the parts of a server in the order in which they depend, and closes them in reverse: when
 * one cannot be opened, or after a drain. `panic` is called when the process must not be believed
 * any longer. House bots wait `housePaceMs` with each turn; the settings are those of the flags
 * unless others are given. Rejects with LockHeld, having touched nothing, where another server has
 * the folder or the database.
 */
export async function serve(
  options: ServeOptions,
  panic: (error: unknown) => void,
  { housePaceMs = 0, settings = openSettings(limitsOf(options)) }: Tuning = {},
): Promise<Server> {
  const { data, database } = options;
  const log = openLog();
  // What is made once is made of limits that do not change.
  const limits: FixedLimits = settings.current();
  const die = (error: unknown) => {
    log.fatal({ error }, "the process ends: what it would say from now on cannot be believed");
    panic(error);
  };

  await using parts = new AsyncDisposableStack();
  const lock = parts.use(await lockServer({ data, database }, die));
  const opened = parts.adopt(await openStore(storeOf(options, lock)), (store) => store.close());
  const port = parts.use(await openPort(options, { clock: systemClock, limits }));
  const place = placeOf(options, port.number);
  await lock.announce(place.baseUrl);
  log.info({ address: place.baseUrl }, "listening");

  const withRoster = rememberRoster(opened);
  const withTurns = rememberTurns(withRoster);
  const { store, changes } = followChanges(withTurns);
  const folder = join(data, "replays");
  const replays = await openShelf(folder, store, log);
  const deps: ArenaDeps = {
    store,
    judge: parts.adopt(openJudge(), (judge) => judge.close()),
    fights: engineFights(),
    archive: parts.adopt(
      openArchive(folder, () => systemClock.now()),
      (archive) => archive.close(),
    ),
    clock: systemClock,
    log,
    health: openHealth(systemClock),
    settings,
    versions: playedVersions(),
    newId,
    newSeed,
    anonymous: options.anonymous,
    panic: die,
  };
  const houseBots = await registerHouseBots(store, systemClock, options.house);
  const arena = parts.adopt(await openArena(deps), (arena) => arena.stop());
  const admission = admissionOf(options, limits);
  const face = { log, changes, replays, settings: place, admission };
  const app = parts.adopt(await openApp(deps, arena, face), (app) => app.close());
  const origins = originsOf(options, port.number);
  const sockets = openBotSockets({ arena, limits, log, origins, refuse: writeRefusal });
  port.open({
    request: (request, response) => app.routing(request, response),
    upgrade: guardUpgrades(admission, sockets),
  });
  parts.defer(() => port.close());
  parts.adopt(openUpkeep({ ...deps, replays }), (upkeep) => upkeep.stop());
  const house = openHouse({ ...deps, arena, hire: hireThreads(housePaceMs) }, houseBots);
  parts.adopt(house, (house) => house.stop());

  const all = parts.move();
  const shutDown = () => stop(arena, all, log);
  return { baseUrl: place.baseUrl, arena, health: deps.health, shutDown };
}

/** True when no match was abandoned. */
async function stop(arena: Arena, parts: AsyncDisposableStack, log: Logger): Promise<boolean> {
  const { abandoned } = await arena.drain();
  // What is abandoned must not end while its bots are let go.
  arena.stop();
  await parts.disposeAsync();
  log.info({ abandoned }, "stopped");
  return abandoned === 0;
}

function openLog(): Logger {
  return pino(
    {
      level: "info",
      redact: SECRET_HEADERS.map((name) => `req.headers["${name}"]`),
      serializers: { error: pino.stdSerializers.err },
    },
    pino.destination(STDERR),
  );
}

function storeOf({ data, database }: ServeOptions, lock: ServerLock): StoreLocation {
  if (database === null) return { data };
  return { postgres: database, mayWrite: () => lock.assure() };
}

function placeOf(options: ServeOptions, port: number): ApiSettings {
  const baseUrl = baseUrlOf(options, port);
  const key = options["registration-key"];
  return {
    baseUrl,
    botEndpoint: botEndpointOf(baseUrl),
    sourceUrl: options["source-url"],
    anonymous: options.anonymous,
    registrationKeyHash: key === null ? null : hashToken(key),
  };
}

/** The replays, without files of matches that were never stored. */
async function openShelf(folder: string, store: Store, log: Logger): Promise<Replays> {
  const replays = await openReplays(folder);
  const ids = await store.replayIds();
  const { removed, folders } = await replays.sweep(ids, performance.timeOrigin);
  if (removed.length > 0)
    log.warn({ strays: removed }, "replay files without a match were removed");
  if (folders.length > 0)
    log.warn({ folders }, "folders with names of replays were left where they are");
  return replays;
}

function admissionOf(options: ServeOptions, limits: FixedLimits): Admission | null {
  if (!limitsAddresses(options)) return null;
  const proxies = proxyList(options["trust-proxy"]);
  return openAdmission({
    limits,
    now: () => systemClock.now(),
    callerOf: (request) => callerOf(request, proxies),
  });
}

type Face = Pick<ApiDeps, "changes" | "replays" | "settings" | "admission" | "log">;

/** HTTP and pages, ready for requests. */
async function openApp(deps: ArenaDeps, arena: Arena, face: Face): Promise<App> {
  const { store, settings, versions, clock, newId } = deps;
  const site = await openSite();
  const app = buildApp({
    ...face,
    get limits() {
      return settings.current();
    },
    newId,
    store: takeTurns(store),
    arena: {
      ...arena,
      online: oncePerTurn(() => arena.online()),
      running: oncePerTurn(() => arena.running()),
    },
    versions: { release: RELEASE, ...versions, schema: await store.schema() },
    documents: await openDocuments(settings, face.admission !== null),
    frame: (content) => site.render({ page: "document", data: content }, site.assets),
    clock: () => clock.wall(),
    now: () => clock.now(),
    newToken: newBotToken,
  });
  await app.register(pages(site, pageDeps(app, face.settings)));
  await app.ready();
  return app;
}
