// Everything the HTTP side takes from the world, made on the composition page.

import type { IncomingMessage, ServerResponse } from "node:http";

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from "fastify";

import type { ArenaView } from "#arena/view.ts";
import type { Limits } from "#protocol/limits.ts";
import type { Versions } from "#protocol/resource-api.ts";
import type { Replays } from "#store/replays.ts";
import type { Store } from "#store/store.ts";

/** Read at each request: a port that the system picks is known only once the server listens. */
export type ApiSettings = {
  /** The public address, without a slash at its end. */
  baseUrl: string;
  /** Where bots connect: ws or wss. */
  botEndpoint: string;
  /** Explicit local mode: bots are registered and play without an account. */
  anonymous: boolean;
};

export type ApiDeps = {
  store: Store;
  replays: Pick<Replays, "read">;
  arena: ArenaView;
  limits: Limits;
  settings: ApiSettings;
  versions: Versions;
  /** Markdown by name, the name without extension. */
  docs: ReadonlyMap<string, string>;
  clock: () => Date;
  /** UUIDv7 text. */
  newId: () => string;
  /** A bot token that was never given out. */
  newToken: () => string;
  log: FastifyBaseLogger;
};

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;
