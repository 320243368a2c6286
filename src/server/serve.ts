// The composition page: everything that is alive is built here, in the order in which it depends.

import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { pino } from "pino";
import type { Logger } from "pino";

import { buildApp } from "#api/app.ts";
import { openArchive } from "#archive/archive.ts";
import { openArena } from "#arena/arena.ts";
import type { Arena } from "#arena/arena.ts";
import type { ArenaDeps } from "#arena/deps.ts";
import { engineFights } from "#arena/engine-fight.ts";
import { openHealth } from "#arena/health.ts";
import type { Health } from "#arena/health.ts";
import { openStore } from "#database/open.ts";
import { openDocuments } from "#documents/documents.ts";
import { openAdmission } from "#http/admission.ts";
import type { Admission } from "#http/admission.ts";
import { callerOf } from "#http/caller.ts";
import { followChanges } from "#http/changes.ts";
import type { Changes } from "#http/changes.ts";
import { oncePerTurn } from "#http/kept-answer.ts";
import { takeTurns } from "#http/turns.ts";
import { openJudge } from "#judge/judge-client.ts";
import type { Limits } from "#protocol/limits.ts";
import { rememberTurns } from "#store/remembered-turns.ts";
import { openReplays } from "#store/replays.ts";
import type { Replays, Swept } from "#store/replays.ts";
import { rememberRoster } from "#store/roster.ts";
import { hashToken, newBotToken } from "#store/token.ts";
import { openBotSockets } from "#wire/socket.ts";

import { baseUrlOf, botEndpointOf, limitsAddresses, originsOf } from "./address.ts";
import { newId, newSeed, systemClock } from "./clock.ts";
import { boundConnections, guardUpgrades } from "./connections.ts";
import type { ServeOptions } from "./flags.ts";
import { openHouse, registerHouseBots } from "./house.ts";
import { limitsOf } from "./limits.ts";
import { pageDeps } from "./page-data.ts";
import { openSite, pages } from "./pages.ts";
import { proxyList } from "./proxies.ts";
import { openUpkeep } from "./upkeep.ts";
import { RELEASE, playedVersions } from "./versions.ts";

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

/** How long bots have to answer the close at the end of the service. */
const CLOSE_GRACE_MS = 2000;

/**
 * Opens the one port. `panic` is called when the store must not be believed any longer. House bots
 * wait `housePaceMs` with each turn.
 */
export async function serve(
  options: ServeOptions,
  panic: (error: unknown) => void,
  housePaceMs = 0,
): Promise<Server> {
  const deps = await buildDeps(options, panic);
  const { store, judge, archive, health, log } = deps;
  const houseBots = await registerHouseBots(store, systemClock, options.house);
  const arena = await openArena(deps);
  const port = await openPort(options, deps, arena);
  const upkeep = openUpkeep(deps);
  const house = openHouse(arena, systemClock, log, houseBots, housePaceMs);

  async function shutDown(): Promise<boolean> {
    const { abandoned } = await arena.drain();
    arena.stop();
    await house.stop();
    await upkeep.stop();
    await port.close();
    await archive.close();
    await judge.close();
    await store.close();
    log.info({ abandoned }, "stopped");
    return abandoned === 0;
  }

  return { baseUrl: port.baseUrl, arena, health, shutDown };
}

type Deps = ArenaDeps & { log: Logger; replays: Replays; changes: Changes };

async function buildDeps(options: ServeOptions, panic: (error: unknown) => void): Promise<Deps> {
  const { database, data, anonymous } = options;
  const log = pino(
    {
      level: "info",
      redact: SECRET_HEADERS.map((name) => `req.headers["${name}"]`),
      serializers: { error: pino.stdSerializers.err },
    },
    pino.destination(STDERR),
  );
  const folder = join(data, "replays");
  const replays = await openReplays(folder);
  const opened = await openStore(database === null ? { data } : { postgres: database });
  const { store, changes } = followChanges(rememberTurns(rememberRoster(opened)));
  const strays = await replays.sweep(await store.replayIds(), performance.timeOrigin);
  tellOfStrays(log, strays);
  return {
    store,
    changes,
    replays,
    judge: openJudge(),
    fights: engineFights(),
    archive: openArchive(folder),
    clock: systemClock,
    log,
    health: openHealth(systemClock),
    limits: limitsOf(options),
    versions: playedVersions(),
    newId,
    newSeed,
    anonymous,
    panic: (error) => {
      log.fatal({ error }, "the store failed; nothing that it says now can be believed");
      panic(error);
    },
  };
}

function tellOfStrays(log: Logger, { removed, folders }: Swept): void {
  if (removed.length > 0)
    log.warn({ strays: removed }, "replay files without a match were removed");
  if (folders.length > 0)
    log.warn({ folders }, "folders with names of replays were left where they are");
}

function admissionOf(options: ServeOptions, limits: Limits): Admission | null {
  if (!limitsAddresses(options)) return null;
  const proxies = proxyList(options["trust-proxy"]);
  return openAdmission({
    limits,
    now: () => systemClock.now(),
    callerOf: (request) => callerOf(request, proxies),
  });
}

type Port = { baseUrl: string; close(): Promise<void> };

/** HTTP, pages and bot sockets on one port. The addresses are known once it listens. */
async function openPort(options: ServeOptions, deps: Deps, arena: Arena): Promise<Port> {
  const { store, changes, replays, limits, log, anonymous, versions } = deps;
  const registrationKey = options["registration-key"];
  const settings = {
    baseUrl: "",
    botEndpoint: "",
    anonymous,
    registrationKeyHash: registrationKey === null ? null : hashToken(registrationKey),
  };
  const admission = admissionOf(options, limits);
  const site = await openSite();
  const app = buildApp({
    store: takeTurns(store),
    changes,
    replays,
    arena: {
      ...arena,
      online: oncePerTurn(() => arena.online()),
      running: oncePerTurn(() => arena.running()),
    },
    limits,
    settings,
    versions: { release: RELEASE, ...versions, schema: await store.schema() },
    documents: await openDocuments(limits, admission !== null),
    frame: (content) => site.render({ page: "document", data: content }, site.assets),
    admission,
    clock: () => systemClock.wall(),
    now: () => systemClock.now(),
    newId,
    newToken: newBotToken,
    log,
  });
  await app.register(pages(pageDeps(app, settings)));
  await app.listen({ host: options.host, port: options.port });
  const { port } = app.server.address() as AddressInfo;
  settings.baseUrl = baseUrlOf(options, port);
  settings.botEndpoint = botEndpointOf(settings.baseUrl);
  const sockets = openBotSockets({ arena, limits, log, origins: originsOf(options, port) });
  app.server.on("upgrade", guardUpgrades(admission, sockets));
  const unbound = boundConnections(app.server, systemClock, limits);
  // The port closes once every socket has, and a bot may be slow to answer a close.
  const close = async () => {
    const dropRest = setTimeout(() => sockets.close(), CLOSE_GRACE_MS);
    await app.close();
    unbound();
    clearTimeout(dropRest);
  };
  return { baseUrl: settings.baseUrl, close };
}
