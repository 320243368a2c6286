// Everything the HTTP side takes from the world, made on the composition page.

import type { IncomingMessage, ServerResponse } from "node:http";

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from "fastify";

import type { Versions } from "#core/resources/api.ts";
import type { Limits } from "#core/words/limits.ts";
import type { Replays } from "#data/files/replays.ts";
import type { Store } from "#data/store/store.ts";
import type { ArenaView } from "#live/arena/view.ts";
import type { Documents } from "#web/docs/documents.ts";
import type { PageContent } from "#web/docs/guide-page.ts";

import type { Admission } from "./admission.ts";
import type { Changes } from "./changes.ts";

export type ApiSettings = {
  /** The public address, without a slash at its end. */
  baseUrl: string;
  /** Where bots connect: ws or wss. */
  botEndpoint: string;
  /** Where a copy of the project is had; null where the operator names no place. */
  sourceUrl: string | null;
  /** Explicit local mode: bots are registered and play without an account. */
  anonymous: boolean;
  /** `hashToken` of what registering a bot needs beside everything else, null for nothing. */
  registrationKeyHash: string | null;
};

export type ApiDeps = {
  store: Store;
  /** Of that store. */
  changes: Changes;
  replays: Pick<Replays, "read">;
  arena: ArenaView;
  /** Those in force: to be read at the moment of use. */
  readonly limits: Limits;
  settings: ApiSettings;
  versions: Versions;
  documents: Documents;
  /** Puts the frame of the site around the inside of a page. */
  frame: (content: PageContent) => string;
  /** Counts requests by address; null where nobody is limited. */
  admission: Admission | null;
  clock: () => Date;
  /** Monotonic, in µs. */
  now: () => number;
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
