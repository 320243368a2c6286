// Everything the HTTP API takes from the outside, made on the composition page.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from "fastify";

import type { Cache } from "#base/cache/cache.ts";
import type { ScaleOf } from "#base/token-bucket/token-bucket.ts";
import type { AccountLetter, OperatorLetter, SendLetter } from "#core/accounts/letter.ts";
import type { SecretKind } from "#core/accounts/secret.ts";
import type { Awards } from "#core/events/awards.ts";
import type { LiveEvents } from "#core/events/events.ts";
import type { Flags } from "#core/events/flag.ts";
import type { Ladders } from "#core/ladder/ladders.ts";
import type { MailSide } from "#core/mail/mail-side.ts";
import type { StoredFigures } from "#core/operator/email-metrics.ts";
import type { HealthReport } from "#core/operator/health.ts";
import type { Capture, ProfilingFigures } from "#core/operator/profiling.ts";
import type { MachineFigures } from "#core/operator/server-metrics.ts";
import type { Versions } from "#core/resources/api.ts";
import type { HouseKind } from "#core/words/house.ts";
import type { AccountId } from "#core/words/ids.ts";
import type { Limits } from "#core/words/limits.ts";
import type { Settings } from "#core/words/settings.ts";
import type { Credentials } from "#data/access/credentials.ts";
import type { Archives } from "#data/files/archives.ts";
import type { Images } from "#data/files/images.ts";
import type { Trimmed } from "#data/files/replay-trim.ts";
import type { Replays } from "#data/files/replays.ts";
import type { Store } from "#data/store/store.ts";
import type { IdentityProvider, SignUps } from "#outside/identity/provider.ts";
import type { MailPlace } from "#site/account/data.ts";
import type { Documents } from "#web/docs/documents.ts";
import type { Site } from "#web/pages/site.ts";

import type { Admission } from "./admission.ts";
import type { LiveArena } from "./live.ts";
import type { RequestCounts } from "./request-counts.ts";

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

/**
 * Hashes passwords of ladders, off this thread. Both give null when too many wait. `caller` is the
 * account that takes turns with others.
 */
export type Passwords = {
  hash: (password: string, caller: string) => Promise<string | null>;
  /** Without a hash the same work is done, and the password is wrong. */
  verify: (password: string, hash: string | null, caller: string) => Promise<boolean | null>;
};

/** What a server with accounts takes in addition. */
export type AccountSide = {
  provider: IdentityProvider;
  /** Null where an external provider keeps them. */
  signUps: SignUps | null;
  /** Addresses of configured admins that count at present, in lower case. */
  adminEmails: () => ReadonlySet<string>;
  /** To somebody who proved that the address is theirs: see web/auth/tell.ts. */
  sendLetter: SendLetter<AccountLetter | OperatorLetter>;
  /** Mail that people may refuse. */
  mail: MailSide;
  passwords: Passwords;
  /** Notes for later restorations that an account is gone for good. */
  noteLeft: (id: AccountId) => Promise<void>;
};

/** The removal of replays that nobody keeps. One runs at a time, also with the server's own. */
type ReplayTrimming = {
  run: () => Promise<Trimmed>;
  /** How many files a cleanup would remove now, if as many were kept. */
  forecast: (
    keep: Pick<Limits, "replays_per_bot" | "archive_replays" | "embedded_replays">,
  ) => Promise<number>;
};

/** What the server measures of itself beyond its health, and captures of the thread that serves. */
type Profiling = {
  figures: () => ProfilingFigures;
  /** Notes how long an operation took, in µs. */
  note: (name: string, duration: number) => void;
  /** The captures that are kept, newest first. */
  list: () => Promise<Capture[]>;
  byId: (id: string) => Promise<Capture | null>;
  /** Null while another one is recorded. */
  start: (label: string, seconds: number) => Promise<Capture | null>;
  read: (capture: Capture) => Readable;
};

/** Metrics from outside the arena. */
export type MetricsSources = {
  requests: RequestCounts;
  machine: () => Promise<MachineFigures>;
  /** Null while the database does not answer. */
  stored: () => Promise<StoredFigures | null>;
};

export type ApiDeps = {
  /** Null on a server without accounts. */
  accounts: AccountSide | null;
  /** It notes what is read, as the arena does: see `cache`. */
  store: Store;
  credentials: Credentials;
  arena: LiveArena;
  /** What the running ladder counts by itself. */
  health: () => HealthReport;
  metrics: MetricsSources;
  /** Null on a server that was started without it. */
  profiling: Profiling | null;
  /** Whether the store answered when it was last asked. */
  isStoreUp: () => boolean;
  /** Free bytes on the disk of the data folder; null if the folder can't be read. */
  freeDisk: () => number | null;
  cache: Cache;
  replays: Pick<Replays, "read" | "remove">;
  archives: Pick<Archives, "open">;
  /** Those of this moment: they change while requests are served. */
  limits: () => Limits;
  /** Where the limits come from; the routes of operators change it. */
  liveSettings: Settings;
  trimming: ReplayTrimming;
  /** It notes what is read; routes that change the store tell it. */
  ladders: Ladders;
  /** They note what is read, as the ladders do. */
  events: LiveEvents;
  awards: Awards;
  flags: Flags;
  /** Pictures of events. */
  images: Pick<Images, "keep" | "read" | "sweep" | "isAvailable">;
  settings: ApiSettings;
  versions: Versions;
  documents: Documents;
  site: Site;
  /** Counts requests by address; null if nobody is limited. */
  admission: Admission | null;
  /** Whose requests wait together; null for anybody where addresses are not limited. */
  callerOf: (request: IncomingMessage) => string | null;
  /** Scales the limits of an address; none are scaled without it. */
  scaleOf?: ScaleOf | undefined;
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
