// The composition page: everything alive is built here, in order of dependency.

import type { IncomingMessage } from "node:http";
import { join } from "node:path";

import type { Logger } from "pino";

import { newId, newSeed, systemClock } from "#base/clock/clock.ts";
import { sure } from "#base/units/sure.ts";
import { playRefusal } from "#core/accounts/name.ts";
import type { EventDefinition } from "#core/events/event.ts";
import type { Versions } from "#core/resources/api.ts";
import type { FixedLimits } from "#core/words/limits.ts";
import type { Settings } from "#core/words/settings.ts";
import type { ServerLock } from "#data/access/server-lock.ts";
import { hashToken, newSecret } from "#data/access/token.ts";
import { cachedReads } from "#data/cached/cached-reads.ts";
import { keepAssets } from "#data/files/assets.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { Store } from "#data/store/store.ts";
import { openArena } from "#live/arena/arena.ts";
import type { Arena } from "#live/arena/arena.ts";
import type { ArenaDeps } from "#live/arena/deps.ts";
import { openHealth } from "#live/health/health.ts";
import type { Health } from "#live/health/health.ts";
import { hireThreads } from "#live/house/house-thread.ts";
import { openHouse, registerHouseBots } from "#live/house/house.ts";
import { engineFights } from "#live/match/engine-fight.ts";
import { openMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import { openPlay } from "#live/play/play.ts";
import type { PlayDoor } from "#live/play/play.ts";
import { findOpponent } from "#live/practice/find-opponent.ts";
import { openSockets } from "#live/sockets/socket.ts";
import { resourceAt } from "#outside/identity/deps.ts";
import { readFiles } from "#server/configuration/files.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";
import { limitsOf } from "#server/configuration/limit-flags.ts";
import { eventScale, proxyList } from "#server/configuration/proxies.ts";
import { openSettings } from "#server/configuration/settings.ts";
import { openUpkeep } from "#server/jobs/jobs.ts";
import type { Upkeep, UpkeepDeps } from "#server/jobs/jobs.ts";
import { openTrimming } from "#server/jobs/trimming.ts";
import { buildApp } from "#web/api/app.ts";
import { mountIdentity } from "#web/auth/identity-mount.ts";
import { readBuild } from "#web/docs/build.ts";
import type { Build } from "#web/docs/build.ts";
import { openDocuments } from "#web/docs/documents.ts";
import { eventView } from "#web/events/event-view.ts";
import { openAdmission } from "#web/http/admission.ts";
import { callerOf } from "#web/http/caller.ts";
import { writeRefusal } from "#web/http/client-error.ts";
import type { ApiDeps, ApiSettings, App } from "#web/http/deps.ts";
import { watchArena, watchEvents, watchLadders } from "#web/http/live.ts";
import { takeTurns } from "#web/http/read-queue.ts";
import { openSiteApart } from "#web/pages/site.ts";
import type { Site } from "#web/pages/site.ts";

import { openAccounts } from "./accounts.ts";
import type { AccountParts } from "./accounts.ts";
import {
  baseUrlOf,
  botEndpointOf,
  mailPlaceOf,
  limitsAddresses,
  originsOf,
  playEndpointOf,
} from "./address.ts";
import { runningCommit } from "./commit.ts";
import { guardUpgrades } from "./connections.ts";
import { openKept } from "./kept.ts";
import { openLog } from "./log.ts";
import { lettersOf } from "./mail.ts";
import { openMetrics } from "./metrics-port.ts";
import { openMetricsSources } from "./metrics-sources.ts";
import { openStore } from "./open-store.ts";
import type { StoreLocation } from "./open-store.ts";
import { openPort } from "./port.ts";
import { measuring } from "./profiling.ts";
import { MANIFEST, PROJECT } from "./project.ts";
import { RELEASE } from "./release.ts";
import { lockServer } from "./server-lock.ts";
import { playedVersions } from "./versions.ts";

export { LockHeld } from "#data/access/server-lock.ts";

export type Server = {
  baseUrl: string;
  arena: Arena;
  health: Health;
  /** Where metrics are, without a credential; null without `--metrics-port`. */
  metricsUrl: string | null;
  /** Lets running matches end, tells everybody, and closes. True if nothing was abandoned. */
  shutDown(): Promise<boolean>;
};

type Tuning = { housePaceMs?: number; settings?: Settings; tell?: (line: string) => void };

/**
 * Opens the parts of a server in order of dependency, and closes them in reverse, after a drain or
 * if one of them cannot be opened. `panic` is called if the process can no longer be trusted. House
 * bots wait `housePaceMs` before each turn. The settings come from the flags unless others are
 * given. `tell` says a line to the person who started the server. Rejects with LockHeld, having
 * touched nothing, if another server still has the folder or the database after 5 s, and with a
 * UsageError if a file that the options name is not right.
 */
export async function serve(
  options: ServeOptions,
  panic: (error: unknown) => void,
  { housePaceMs = 0, settings = openSettings(limitsOf(options)), tell = () => {} }: Tuning = {},
): Promise<Server> {
  const { data, database, "log-level": level } = options;
  const [{ log, flush }, named] = [openLog(level), await readFiles(options, process.env)];
  // What is made once only uses limits that never change.
  const limits: FixedLimits = settings.current();
  const die = dying(log, panic);

  await using parts = new AsyncDisposableStack();
  parts.defer(flush);
  const lock = parts.use(await lockServer({ data, database }, die));
  const opened = parts.adopt(await openDatabase(options, lock, log), (store) => store.close());
  const port = parts.use(await openPort(options, { clock: systemClock, limits }));
  const place = placeOf(options, port.number);
  await lock.announce(place.baseUrl);
  log.info({ address: place.baseUrl }, "listening");

  const kept = await openKept({ options, named, opened, log, settings }, parts);
  const { store, isStoreUp, freeDisk, cache, archives, replays, ofEvents } = kept;
  const given: ArenaDeps = {
    ...kept.ofArena,
    credentials: store.bots,
    matchmaker: parts.adopt(openMatchmaker(), (matchmaker) => matchmaker.close()),
    fights: engineFights(),
    clock: systemClock,
    log,
    health: openHealth(systemClock),
    settings,
    versions: playedVersions(),
    newId,
    newSeed,
    mayPlay: (bot) => playRefusal(bot, options.anonymous),
    panic: die,
  };
  const { deps, open: openProfiling } = measuring(options, given);
  const houseBots = await registerHouseBots(store, systemClock, options.house);
  const arena = parts.adopt(await openArena(deps), (arena) => arena.stop());
  const { limited, ...callers } = callersOf(options, limits);
  const build = await readBuild(MANIFEST);
  const accountDeps = { ...deps, tell, options, social: named.social, place, build, ...callers };
  const accounts = parts.adopt(await openAccounts(accountDeps), (one) => one.stop());
  await kept.alarms.begin({ store, side: accounts.side });
  const trimming = openTrimming({ ...deps, replays, archives });
  const profiling = await openProfiling(() => arena.capacity().running, parts);
  const state = { isStoreUp, freeDisk, log, cache, profiling, ...(await reportsOf(data, deps)) };
  const site = await openKeptSite(build, { data, log }, parts);
  const shown = { replays, archives, trimming, build, site, ...ofEvents, ...state };
  const face = { ...shown, ...limited, settings: place, accounts };
  const app = parts.adopt(await openApp(deps, arena, face), (app) => app.close());
  const house = openHouse({ ...deps, arena, hire: hireThreads(housePaceMs) }, houseBots);
  parts.adopt(house, (house) => house.stop());
  const play = await openCasual({ ...deps, arena, house, ...limited }, houseBots, options.play);
  const sockets = openSockets({ ...place, arena, play, limits, log, refuse: writeRefusal });
  port.open({
    request: (request, response) => app.routing(request, response),
    upgrade: guardUpgrades(limited.admission, sockets),
  });
  parts.defer(() => port.close());
  const upkeep = upkeepOf({ ...deps, arena, accounts, trimming, archives, ...ofEvents });
  parts.adopt(upkeep, (jobs) => jobs.stop());
  parts.defer(() => trimming.stop());
  const measured = { arena, ...state, limits, accounts: accounts.side };
  const metricsUrl = await openMetrics(options, parts, measured);

  const shutDown = stop.bind(null, arena, parts.move(), log);
  return { baseUrl: place.baseUrl, arena, health: deps.health, metricsUrl, shutDown };
}

type JobDeps = Pick<ArenaDeps, "store" | "ladders" | "clock" | "log" | "settings"> &
  Pick<UpkeepDeps, "trimming" | "archives"> &
  Pick<ApiDeps, "flags" | "events"> & { arena: Arena; accounts: AccountParts };

function upkeepOf({ arena, accounts, flags, ...deps }: JobDeps): Upkeep {
  const { ladders, clock } = deps;
  const around = { arena, ladders, flags, accounts: accounts.side, clock: () => clock.wall() };
  const shown = (event: EventDefinition) => eventView(around, event);
  const { sweep, side } = accounts;
  const letters = lettersOf({ ...deps, newId }, side);
  return openUpkeep({ ...deps, shown, sweep, letters });
}

type CasualDeps = Parameters<typeof openPlay>[0] & Pick<ArenaDeps, "store"> & { arena: Arena };

/** Games against house bots apart from the ladder: practice of bots, and fights of people if wanted. */
async function openCasual(
  deps: CasualDeps,
  houseBots: readonly BotRecord[],
  play: ServeOptions["play"],
): Promise<PlayDoor | null> {
  deps.arena.practiseAgainst(await findOpponent(deps, houseBots));
  return play === "on" ? openPlay(deps, houseBots) : null;
}

/** True if no match was abandoned. */
async function stop(arena: Arena, parts: AsyncDisposableStack, log: Logger): Promise<boolean> {
  const { abandoned } = await arena.drain();
  // Abandoned matches must not end while their bots are let go.
  arena.stop();
  await parts.disposeAsync();
  log.info({ abandoned }, "stopped");
  return abandoned === 0;
}

const dying = (log: Logger, panic: (error: unknown) => void) => (error: unknown) => {
  log.fatal({ error }, "the process ends: what it would say from now on cannot be believed");
  panic(error);
};

function openDatabase(options: ServeOptions, lock: ServerLock, log: Logger): Promise<Store> {
  return openStore(storeAt(options, lock), undefined, {
    keepsCopy: !options["no-upgrade-copy"],
    tell: ({ msg, ...figures }) => log.info(figures, msg),
  });
}

function storeAt({ data, database }: ServeOptions, lock: ServerLock): StoreLocation {
  if (database === null) return { data };
  return { postgres: database, mayWrite: () => lock.assure() };
}

function placeOf(options: ServeOptions, port: number): ApiSettings {
  const baseUrl = baseUrlOf(options, port);
  const key = options["registration-key"];
  return {
    baseUrl,
    botEndpoint: botEndpointOf(baseUrl),
    play:
      options.play === "on"
        ? { endpoint: playEndpointOf(baseUrl), opponents: options.house }
        : null,
    sourceUrl: options["source-url"],
    anonymous: options.anonymous,
    origins: originsOf(options, port),
    mcpEndpoint: hasMcp(options) ? resourceAt(baseUrl) : null,
    mail: mailPlaceOf(options),
    contact: options.contact,
    registrationKeyHash: key === null ? null : hashToken(key),
  };
}

const hasMcp = ({ mcp, accounts }: ServeOptions): boolean => mcp === "on" && accounts !== "none";

/** Who a request is counted for, and what counts them: nothing where addresses are not limited. */
function callersOf(options: ServeOptions, limits: FixedLimits) {
  const proxies = proxyList(options["trust-proxy"]);
  const known = (request: IncomingMessage) => callerOf(request, proxies);
  const scaleOf = eventScale(options["event-network"], limits.event_network_factor);
  if (!limitsAddresses(options))
    return {
      callerOf: known,
      scaleOf,
      limited: { callerOf: () => null, scaleOf, admission: null },
    };
  const admission = openAdmission({
    limits,
    now: () => systemClock.now(),
    callerOf: known,
    scaleOf,
  });
  return { callerOf: known, scaleOf, limited: { callerOf: known, scaleOf, admission } };
}

/** The site of a build, with the files of the build before it for pages that are still open. */
async function openKeptSite(
  build: Build,
  { data, log }: { data: string; log: Logger },
  parts: AsyncDisposableStack,
): Promise<Site> {
  const site = parts.adopt(await openSiteApart(build), (apart) => apart.close());
  const { folders, error } = await keepAssets(
    join(data, "assets"),
    sure(site.assets[0], "built files"),
  );
  if (error !== null) log.warn({ error }, "the files of pages are not kept for the next upgrade");
  return { ...site, assets: folders };
}

type OfEvents = "events" | "awards" | "flags" | "images";
type OfState = "health" | "isStoreUp" | "freeDisk" | "profiling" | "metrics" | "versions";
type Face = Pick<
  ApiDeps,
  | OfState
  | "cache"
  | "replays"
  | "archives"
  | "trimming"
  | "settings"
  | "site"
  | "admission"
  | "callerOf"
  | "scaleOf"
  | OfEvents
> & {
  accounts: AccountParts;
  log: Logger;
  build: Build;
};

/** Metrics of the server process. */
async function reportsOf(data: string, { store, health, versions, clock }: ArenaDeps) {
  const commit = await runningCommit(PROJECT, process.env);
  const schema = await store.database.schema();
  const served: Versions = {
    release: RELEASE,
    ...versions,
    schema,
    ...(commit !== null && { commit }),
  };
  const metrics = openMetricsSources({ data, store, wall: () => clock.wall() });
  return { health: () => health.report(), metrics, versions: served };
}

/** HTTP and pages, ready for requests. */
async function openApp(deps: ArenaDeps, arena: Arena, face: Face): Promise<App> {
  const { store, credentials, settings, clock, newId } = deps;
  const { cache, admission, build } = face;
  const isPerAddress = admission !== null;
  const app = buildApp({
    ...face,
    accounts: face.accounts.side,
    limits: () => settings.current(),
    liveSettings: settings,
    credentials,
    ladders: watchLadders(deps.ladders, cache.revisions),
    events: watchEvents(face.events, cache.revisions),
    newId,
    store: cachedReads(takeTurns(store), cache),
    arena: watchArena(arena, cache.revisions),
    documents: await openDocuments({ root: PROJECT, build, settings, isPerAddress }),
    clock: () => clock.wall(),
    now: () => clock.now(),
    newSecret,
  });
  if (face.accounts.mount !== null) mountIdentity(app, face.accounts.mount);
  await app.ready();
  return app;
}
