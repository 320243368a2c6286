// The composition page: everything that is alive is built here, in the order in which it depends.

import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";

import { pino } from "pino";

import { buildApp } from "#api/app.ts";
import { openArena } from "#arena/arena.ts";
import type { Arena } from "#arena/arena.ts";
import type { ArenaDeps } from "#arena/deps.ts";
import { openHealth } from "#arena/health.ts";
import type { Health } from "#arena/health.ts";
import { openJudge } from "#arena/judge-client.ts";
import { openBotSockets } from "#arena/socket.ts";
import { openStore } from "#store/open.ts";
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

/** Opens the one port. `panic` is called when the store must not be believed any longer. */
export async function serve(
  options: ServeOptions,
  panic: (error: unknown) => void,
): Promise<Server> {
  const log = pino(
    { level: "info", redact: ["req.headers.authorization"] },
    pino.destination(STDERR),
  );
  const limits = limitsOf(options);
  const { database, data, anonymous } = options;
  const replays = await openReplays(join(data, "replays"));
  const store = await openStore(database === null ? { data } : { postgres: database });
  const strays = await replays.sweep(await store.matchIds());
  if (strays.length > 0)
    log.info({ strays: strays.length }, "replay files without a match removed");
  const houseBots = await registerHouseBots(store, systemClock, options.house);
  const versions = playedVersions();
  const judge = openJudge();
  const health = openHealth(systemClock);
  const arenaDeps: ArenaDeps = {
    store,
    replays,
    judge,
    clock: systemClock,
    log,
    health,
    limits,
    versions,
    newId,
    newSeed,
    anonymous,
    panic: (error) => {
      log.fatal({ error }, "the store failed; nothing that it says now can be believed");
      panic(error);
    },
  };
  const arena = await openArena(arenaDeps, houseBots);
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
  const house = openHouse(arena, systemClock, log, houseBots);

  async function shutDown(): Promise<boolean> {
    const { abandoned } = await arena.drain();
    arena.stop();
    await house.stop();
    await app.close();
    sockets.close();
    await judge.close();
    await store.close();
    log.info({ abandoned }, "stopped");
    return abandoned === 0;
  }

  return { baseUrl: settings.baseUrl, arena, health, shutDown };
}
