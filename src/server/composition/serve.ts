import type { IncomingMessage } from "node:http";
import { join } from "node:path";

import type { Logger } from "pino";

import { resourceAt } from "#adapters/identity/identity-deps.ts";
import { newId, newSeed, systemClock } from "#base/clock/clock.ts";
import { assertDefined } from "#base/util/assert-defined.ts";
import { playRefusal } from "#core/accounts/name-rules.ts";
import type { Versions } from "#core/api/api-index.ts";
import type { EventDefinition } from "#core/events/event.ts";
import type { FixedLimits } from "#core/limits/limits.ts";
import type { LiveSettings } from "#core/limits/settings.ts";
import type { ServerLock } from "#data/credentials/server-lock.ts";
import { hashToken, newSecret } from "#data/credentials/token.ts";
import { retainAssets } from "#data/files/retained-assets.ts";
import { withCachedReads } from "#data/invalidation/cached-reads.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { Store } from "#data/store/store.ts";
import type { ArenaDeps } from "#live/arena/arena-deps.ts";
import { openArena } from "#live/arena/arena.ts";
import type { Arena } from "#live/arena/arena.ts";
import { openHealth } from "#live/health/health.ts";
import type { Health } from "#live/health/health.ts";
import { spawnHouseThreads } from "#live/house-bots/house-thread.ts";
import { openHouse, registerHouseBots } from "#live/house-bots/house.ts";
import { openHumanMatches } from "#live/human-match/human-match-entry.ts";
import type { HumanMatchEntry } from "#live/human-match/human-match-entry.ts";
import { engineFactory } from "#live/match/shared-match-engine.ts";
import { openMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import { findPracticeOpponent } from "#live/practice/find-practice-opponent.ts";
import { openSockets } from "#live/sockets/sockets.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";
import { limitsOf } from "#server/configuration/limit-flags.ts";
import { readNamedFiles } from "#server/configuration/named-files.ts";
import { eventScale, networkBlockList } from "#server/configuration/networks.ts";
import { openSettings } from "#server/configuration/settings.ts";
import { startBackgroundJobs } from "#server/jobs/background-jobs.ts";
import type { BackgroundJobs, BackgroundJobDeps } from "#server/jobs/background-jobs.ts";
import { openReplayTrimming } from "#server/jobs/replay-trimming.ts";
import { buildApp } from "#web/api/app.ts";
import { mountIdentity } from "#web/auth/identity-mount.ts";
import { readBuild } from "#web/docs/build-manifest.ts";
import type { Build } from "#web/docs/build-manifest.ts";
import { openDocuments } from "#web/docs/documents.ts";
import { eventView } from "#web/events/event-view.ts";
import { openAdmission } from "#web/http/admission.ts";
import { callerOf } from "#web/http/client-address.ts";
import { writeRefusal } from "#web/http/client-error.ts";
import type { ApiDeps, ApiSettings, App } from "#web/http/deps.ts";
import { withReadQueue } from "#web/http/read-queue.ts";
import { trackArena, trackEvents, trackLadders } from "#web/http/tracked-sources.ts";
import { openSiteOnThread } from "#web/pages/site.ts";
import type { Site } from "#web/pages/site.ts";

import { openAccounts } from "./accounts.ts";
import type { AccountParts } from "./accounts.ts";
import { runningCommit } from "./commit.ts";
import { guardUpgrades } from "./connection-limits.ts";
import { openOptionalEmails } from "./mail.ts";
import { openMetrics } from "./metrics-port.ts";
import { openMetricsSources } from "./metrics-sources.ts";
import { openStorage } from "./open-storage.ts";
import { openStore } from "./open-store.ts";
import type { StoreLocation } from "./open-store.ts";
import { withProfiling } from "./profiling.ts";
import { BUILD_MANIFEST, PROJECT_ROOT } from "./project-paths.ts";
import { RELEASE } from "./release.ts";
import {
  baseUrlOf,
  botEndpointOf,
  mailPlaceOf,
  limitsAddresses,
  originsOf,
  humanMatchEndpointOf,
} from "./server-address.ts";
import { lockServer } from "./server-lock.ts";
import { openLog } from "./server-log.ts";
import { openServerPort } from "./server-port.ts";
import { runningVersions } from "./versions.ts";

export { LockHeld } from "#data/credentials/server-lock.ts";

export type Server = {
  baseUrl: string;
  arena: Arena;
  health: Health;
  /** Metrics URL that needs no credential; null without `--metrics-port`. */
  metricsUrl: string | null;
  /**
   * Waits for running matches, notifies bots and closes the server. Resolves with true if no match
   * was abandoned.
   */
  shutDown(): Promise<boolean>;
};

type Tuning = { housePaceMs?: number; settings?: LiveSettings; printLine?: (line: string) => void };

/**
 * Starts a server. Parts are opened in dependency order and closed in reverse order, after a drain
 * or if a part fails to open. `panic` is called when the process can no longer be trusted. House
 * bots wait `housePaceMs` before each turn. Settings default to the flag values. `printLine` prints
 * a line for the person who started the server. Rejects with LockHeld if another server still uses
 * the data folder or database after 5 s, and with a UsageError if a file named by the options is
 * invalid. In either case, nothing is changed.
 */
export async function serve(
  options: ServeOptions,
  panic: (error: unknown) => void,
  {
    housePaceMs = 0,
    settings = openSettings(limitsOf(options)),
    printLine = () => {},
  }: Tuning = {},
): Promise<Server> {
  const { data, database, "log-level": level } = options;
  const [{ log, flush }, namedFiles] = [openLog(level), await readNamedFiles(options, process.env)];
  // Parts created at startup only use limits that never change.
  const limits: FixedLimits = settings.current();
  const failFatally = fatalHandler(log, panic);

  await using parts = new AsyncDisposableStack();
  parts.defer(flush);
  const lock = parts.use(await lockServer({ data, database }, failFatally));
  const rawStore = parts.adopt(await openDatabase(options, lock, log), (store) => store.close());
  const port = parts.use(await openServerPort(options, { clock: systemClock, limits }));
  const apiSettings = apiSettingsOf(options, port.number);
  await lock.announce(apiSettings.baseUrl);
  log.info({ address: apiSettings.baseUrl }, "listening");

  const storage = await openStorage({ options, namedFiles, rawStore, log, settings }, parts);
  const { store, isStoreUp, freeDisk, cache, archives, replays, ofEvents: eventServices } = storage;
  const arenaDeps: ArenaDeps = {
    ...storage.ofArena,
    credentials: store.bots,
    matchmaker: parts.adopt(openMatchmaker(), (matchmaker) => matchmaker.close()),
    createEngine: engineFactory(),
    clock: systemClock,
    log,
    health: openHealth(systemClock),
    settings,
    versions: runningVersions(),
    newId,
    newSeed,
    playRefusalOf: (bot) => playRefusal(bot, options.anonymous),
    panic: failFatally,
  };
  const { deps, open: openProfiling } = withProfiling(options, arenaDeps);
  const houseBots = await registerHouseBots(store, systemClock, options.house);
  const arena = parts.adopt(await openArena(deps), (arena) => arena.stop());
  const { limited: callerLimits, ...callers } = callerIdentificationOf(options, limits);
  const build = await readBuild(BUILD_MANIFEST);
  const accountDeps = {
    ...deps,
    printLine,
    options,
    social: namedFiles.social,
    apiSettings,
    build,
    ...callers,
  };
  const accounts = parts.adopt(await openAccounts(accountDeps), (accountParts) =>
    accountParts.stop(),
  );
  await storage.alarms.start({ store, side: accounts.side });
  const trimming = openReplayTrimming({ ...deps, replays, archives });
  const profiling = await openProfiling(() => arena.capacity().running, parts);
  const serverState = {
    isStoreUp,
    freeDisk,
    log,
    cache,
    profiling,
    ...(await openReports(data, deps)),
  };
  const site = await openSiteWithAssets(build, { data, log }, parts);
  const siteParts = { replays, archives, trimming, build, site, ...eventServices, ...serverState };
  const appParts = { ...siteParts, ...callerLimits, settings: apiSettings, accounts };
  const app = parts.adopt(await openApp(deps, arena, appParts), (app) => app.close());
  const house = openHouse(
    { ...deps, arena, spawnWorker: spawnHouseThreads(housePaceMs) },
    houseBots,
  );
  parts.adopt(house, (house) => house.stop());
  const play = await openUnrankedPlay(
    { ...deps, arena, house, ...callerLimits },
    houseBots,
    options.play,
  );
  const sockets = openSockets({
    ...apiSettings,
    arena,
    play,
    callerOf: callerLimits.callerOf,
    limits,
    log,
    rejectUpgrade: writeRefusal,
  });
  port.serve({
    request: (request, response) => app.routing(request, response),
    upgrade: guardUpgrades(callerLimits.admission, sockets),
  });
  parts.defer(() => port.close());
  const backgroundJobs = startJobsOf({
    ...deps,
    arena,
    accounts,
    trimming,
    archives,
    ...eventServices,
  });
  parts.adopt(backgroundJobs, (jobs) => jobs.stop());
  parts.defer(() => trimming.stop());
  const metricsDeps = { arena, ...serverState, limits, accounts: accounts.side };
  const metricsUrl = await openMetrics(options, parts, metricsDeps);

  const shutDown = stopServer.bind(null, arena, parts.move(), log);
  return { baseUrl: apiSettings.baseUrl, arena, health: deps.health, metricsUrl, shutDown };
}

type JobDeps = Pick<ArenaDeps, "store" | "ladders" | "clock" | "log" | "settings"> &
  Pick<BackgroundJobDeps, "trimming" | "archives"> &
  Pick<ApiDeps, "flags" | "events"> & { arena: Arena; accounts: AccountParts };

function startJobsOf({ arena, accounts, flags, ...deps }: JobDeps): BackgroundJobs {
  const { ladders, clock } = deps;
  const viewContext = { arena, ladders, flags, accounts: accounts.side, clock: () => clock.wall() };
  const toPublicView = (event: EventDefinition) => eventView(viewContext, event);
  const { sweep, side } = accounts;
  const optionalEmails = openOptionalEmails({ ...deps, newId }, side);
  return startBackgroundJobs({ ...deps, toPublicView, sweep, optionalEmails });
}

type UnrankedPlayDeps = Parameters<typeof openHumanMatches>[0] &
  Pick<ArenaDeps, "store"> & { arena: Arena };

async function openUnrankedPlay(
  deps: UnrankedPlayDeps,
  houseBots: readonly BotRecord[],
  play: ServeOptions["play"],
): Promise<HumanMatchEntry | null> {
  deps.arena.setPracticeOpponent(await findPracticeOpponent(deps, houseBots));
  return play === "on" ? openHumanMatches(deps, houseBots) : null;
}

async function stopServer(
  arena: Arena,
  parts: AsyncDisposableStack,
  log: Logger,
): Promise<boolean> {
  const { abandoned } = await arena.drain();
  // Abandoned matches must not be decided by the disconnections that follow.
  arena.stop();
  await parts.disposeAsync();
  log.info({ abandoned }, "stopped");
  return abandoned === 0;
}

const fatalHandler = (log: Logger, panic: (error: unknown) => void) => (error: unknown) => {
  log.fatal({ error }, "fatal: state can't be trusted, shutting down");
  panic(error);
};

function openDatabase(options: ServeOptions, lock: ServerLock, log: Logger): Promise<Store> {
  return openStore(storeLocationOf(options, lock), undefined, {
    keepsCopy: !options["no-upgrade-copy"],
    log: ({ msg, ...fields }) => log.info(fields, msg),
  });
}

function storeLocationOf({ data, database }: ServeOptions, lock: ServerLock): StoreLocation {
  if (database === null) return { data };
  return { postgres: database, mayWrite: () => lock.ensureHeld() };
}

function apiSettingsOf(options: ServeOptions, port: number): ApiSettings {
  const baseUrl = baseUrlOf(options, port);
  const key = options["registration-key"];
  return {
    baseUrl,
    botEndpoint: botEndpointOf(baseUrl),
    play:
      options.play === "on"
        ? { endpoint: humanMatchEndpointOf(baseUrl), opponents: options.house }
        : null,
    sourceUrl: options["source-url"],
    anonymous: options.anonymous,
    origins: originsOf(options, port),
    mcpEndpoint: isMcpEnabled(options) ? resourceAt(baseUrl) : null,
    mail: mailPlaceOf(options),
    contact: options.contact,
    registrationKeyHash: key === null ? null : hashToken(key),
  };
}

const isMcpEnabled = ({ mcp, accounts }: ServeOptions): boolean =>
  mcp === "on" && accounts !== "none";

/**
 * Returns how callers are identified and limited. Nothing is limited if rate limits per address are
 * off.
 */
function callerIdentificationOf(options: ServeOptions, limits: FixedLimits) {
  const proxies = networkBlockList(options["trust-proxy"]);
  const addressOf = (request: IncomingMessage) => callerOf(request, proxies);
  const scaleOf = eventScale(options["event-network"], limits.event_network_factor);
  if (!limitsAddresses(options))
    return {
      callerOf: addressOf,
      scaleOf,
      limited: { callerOf: () => null, scaleOf, admission: null },
    };
  const admission = openAdmission({
    limits,
    now: () => systemClock.now(),
    callerOf: addressOf,
    scaleOf,
  });
  return { callerOf: addressOf, scaleOf, limited: { callerOf: addressOf, scaleOf, admission } };
}

/** Opens the built site. Assets from the previous build are kept for pages that are still open. */
async function openSiteWithAssets(
  build: Build,
  { data, log }: { data: string; log: Logger },
  parts: AsyncDisposableStack,
): Promise<Site> {
  const site = parts.adopt(await openSiteOnThread(build), (siteServer) => siteServer.close());
  const { folders, error } = await retainAssets(
    join(data, "assets"),
    assertDefined(site.assets[0], "built files"),
  );
  if (error !== null) log.warn({ error }, "could not save page assets for the next upgrade");
  return { ...site, assets: folders };
}

type EventKeys = "events" | "awards" | "flags" | "images";
type StateKeys = "health" | "isStoreUp" | "freeDisk" | "profiling" | "metrics" | "versions";
type AppParts = Pick<
  ApiDeps,
  | StateKeys
  | "cache"
  | "replays"
  | "archives"
  | "trimming"
  | "settings"
  | "site"
  | "admission"
  | "callerOf"
  | "scaleOf"
  | EventKeys
> & {
  accounts: AccountParts;
  log: Logger;
  build: Build;
};

async function openReports(data: string, { store, health, versions, clock }: ArenaDeps) {
  const commit = await runningCommit(PROJECT_ROOT, process.env);
  const schema = await store.database.schema();
  const servedVersions: Versions = {
    release: RELEASE,
    ...versions,
    schema,
    ...(commit !== null && { commit }),
  };
  const metrics = openMetricsSources({ data, store, wall: () => clock.wall() });
  return { health: () => health.report(), metrics, versions: servedVersions };
}

async function openApp(deps: ArenaDeps, arena: Arena, appParts: AppParts): Promise<App> {
  const { store, credentials, settings, clock, newId } = deps;
  const { cache, admission, build } = appParts;
  const limitsPerAddress = admission !== null;
  const app = buildApp({
    ...appParts,
    accounts: appParts.accounts.side,
    limits: () => settings.current(),
    liveSettings: settings,
    credentials,
    ladders: trackLadders(deps.ladders, cache.revisions),
    events: trackEvents(appParts.events, cache.revisions),
    newId,
    store: withCachedReads(withReadQueue(store), cache),
    arena: trackArena(arena, cache.revisions),
    documents: await openDocuments({
      root: PROJECT_ROOT,
      build,
      settings,
      isPerAddress: limitsPerAddress,
    }),
    clock: () => clock.wall(),
    now: () => clock.now(),
    newSecret,
  });
  if (appParts.accounts.mount !== null) mountIdentity(app, appParts.accounts.mount);
  await app.ready();
  return app;
}
