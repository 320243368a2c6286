// Everything the HTTP API takes from the outside, made on the composition page.

import type { IncomingMessage, ServerResponse } from "node:http";

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from "fastify";

import type { Cache } from "#base/cache/cache.ts";
import type { AccountLetter, SendLetter } from "#core/accounts/letter.ts";
import type { SecretKind } from "#core/accounts/secret.ts";
import type { Ladders } from "#core/ladder/ladders.ts";
import type { Versions } from "#core/resources/api.ts";
import type { HouseKind } from "#core/words/house.ts";
import type { AccountId } from "#core/words/ids.ts";
import type { Limits } from "#core/words/limits.ts";
import type { Replays } from "#data/files/replays.ts";
import type { Credentials } from "#data/store/credentials.ts";
import type { Store } from "#data/store/store.ts";
import type { IdentityProvider } from "#outside/identity/provider.ts";
import type { MailPlace } from "#site/account/data.ts";
import type { Documents } from "#web/docs/documents.ts";
import type { Site } from "#web/pages/site.ts";

import type { Admission } from "./admission.ts";
import type { LiveArena } from "./live.ts";

export type ApiSettings = {
  /** The public address, without a trailing slash. */
  baseUrl: string;
  /** Where bots connect: ws or wss. */
  botEndpoint: string;
  /** Fights for people: their socket, and whom they can fight; null if the ladder has none. */
  play: { endpoint: string; opponents: readonly HouseKind[] } | null;
  /** Where the project's source can be obtained; null if the operator names no place. */
  sourceUrl: string | null;
  /** Explicit local mode: bots are registered and play without an account. */
  anonymous: boolean;
  /** Origins whose pages are the ladder's own. */
  origins: readonly string[];
  /** The MCP endpoint; null if the ladder has none. */
  mcpEndpoint: string | null;
  /** Where the mails of the ladder's own identity provider go. */
  mail: MailPlace;
  /** How people reach the operator, in the operator's words; null if they say nothing. */
  contact: string | null;
  /** `hashToken` of the key that registering a bot needs in addition, or null if none is needed. */
  registrationKeyHash: string | null;
};

/** What a server with accounts takes in addition. */
export type AccountSide = {
  provider: IdentityProvider;
  /** Addresses of configured admins that count at present, in lower case. */
  adminEmails: () => ReadonlySet<string>;
  /** To somebody who proved that the address is theirs: see web/auth/tell.ts. */
  sendLetter: SendLetter<AccountLetter>;
  /** Notes for later restorations that an account is gone for good. */
  noteLeft: (id: AccountId) => Promise<void>;
};

export type ApiDeps = {
  /** Null on a server without accounts. */
  accounts: AccountSide | null;
  /** Whether bots can be registered at present. */
  registrationOpen: () => boolean;
  /** It notes what is read, as the arena does: see `cache`. */
  store: Store;
  credentials: Credentials;
  arena: LiveArena;
  cache: Cache;
  replays: Pick<Replays, "read">;
  /** Those of this moment: they change while requests are served. */
  limits: () => Limits;
  ladders: Pick<Ladders, "all" | "byId">;
  settings: ApiSettings;
  versions: Versions;
  documents: Documents;
  site: Site;
  /** Counts requests by address; null if nobody is limited. */
  admission: Admission | null;
  clock: () => Date;
  /** Monotonic, in µs. */
  now: () => number;
  /** Returns a UUIDv7. */
  newId: () => string;
  /** Returns a secret that was never given out. */
  newSecret: (kind: SecretKind) => string;
  log: FastifyBaseLogger;
};

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;
