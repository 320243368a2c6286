// The composition page: everything that is alive is built here, in the order in which it depends.

import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";

import { pino } from "pino";
import type { Logger } from "pino";

import { buildApp } from "#api/app.ts";
import { openArchive } from "#arena/archive.ts";
import { openArena } from "#arena/arena.ts";
import type { Arena } from "#arena/arena.ts";
import type { ArenaDeps } from "#arena/deps.ts";
import { engineFights } from "#arena/engine-fight.ts";
import { openHealth } from "#arena/health.ts";
import type { Health } from "#arena/health.ts";
import { openBotSockets } from "#arena/socket.ts";
import { openStore } from "#database/open.ts";
import { openJudge } from "#judge/judge-client.ts";
import { openReplays } from "#store/replays.ts";
import { newBotToken } from "#store/token.ts";

import { baseUrlOf, botEndpointOf, originsOf } from "./address.ts";
import { newId, newSeed, systemClock } from "./clock.ts";
import { readDocs } from "./docs.ts";
import type { ServeOptions } from "./flags.ts";
import { openHouse, registerHouseBots } from "./house.ts";
import { limitsOf } from "./limits.ts";
import { pageDeps } from "./page-data.ts";
import { pages } from "./pages.ts";
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
  const house = openHouse(arena, systemClock, log, houseBots, housePaceMs);

  async function shutDown(): Promise<boolean> {
    const { abandoned } = await arena.drain();
    arena.stop();
    await house.stop();
    await port.close();
    await archive.close();
    await judge.close();
    await store.close();
    log.info({ abandoned }, "stopped");
    return abandoned === 0;
  }

  return { baseUrl: port.baseUrl, arena, health, shutDown };
}

type Deps = ArenaDeps & { log: Logger };

async function buildDeps(options: ServeOptions, panic: (error: unknown) => void): Promise<Deps> {
  const { database, data, anonymous } = options;
  const log = pino(
    {
      level: "info",
      redact: ["req.headers.authorization"],
      serializers: { error: pino.stdSerializers.err },
    },
    pino.destination(STDERR),
  );
  const replays = await openReplays(join(data, "replays"));
  const store = await openStore(database === null ? { data } : { postgres: database });
  const strays = await replays.sweep(await store.matchIds());
  if (strays.length > 0) log.warn({ strays }, "replay files without a match were removed");
  return {
    store,
    replays,
    judge: openJudge(),
    fights: engineFights(),
    archive: openArchive(),
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

type Port = { baseUrl: string; close(): Promise<void> };

/** HTTP, pages and bot sockets on one port. The addresses are known once it listens. */
async function openPort(options: ServeOptions, deps: Deps, arena: Arena): Promise<Port> {
  const { store, replays, limits, log, anonymous, versions } = deps;
  const settings = { baseUrl: "", botEndpoint: "", anonymous };
  const app = buildApp({
    store,
    replays,
    arena,
    limits,
    settings,
    versions: { release: RELEASE, ...versions, schema: await store.schema() },
    docs: await readDocs(),
    clock: () => systemClock.wall(),
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
  app.server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    sockets.upgrade(request, socket, head);
  });
  // The port closes once every socket has, and a bot may be slow to answer a close.
  const close = async () => {
    const dropRest = setTimeout(() => sockets.close(), CLOSE_GRACE_MS);
    await app.close();
    clearTimeout(dropRest);
  };
  return { baseUrl: settings.baseUrl, close };
}
