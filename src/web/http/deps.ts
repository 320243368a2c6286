// Dependencies of the HTTP API, created in server/composition.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from "fastify";

import type { IdentityProvider, SignUps } from "#adapters/identity/identity-provider.ts";
import type { Cache } from "#base/cache/cache.ts";
import type { CallerScale } from "#base/token-bucket/token-bucket.ts";
import type { SecretKind } from "#core/accounts/secret-prefix.ts";
import type {
  AccountEmail,
  OperatorEmail,
  SendTransactionalEmail,
} from "#core/accounts/transactional-email.ts";
import type { Versions } from "#core/api/api-index.ts";
import type { StoredEmailMetrics } from "#core/api/email-metrics.ts";
import type { Capture, ProfilingStats } from "#core/api/profiling.ts";
import type { HealthReport } from "#core/api/server-health.ts";
import type { MachineStats } from "#core/api/server-metrics.ts";
import type { AwardService } from "#core/events/awards.ts";
import type { Flags } from "#core/events/flags.ts";
import type { LiveEvents } from "#core/events/live-events.ts";
import type { HouseKind } from "#core/ids/house-bots.ts";
import type { AccountId } from "#core/ids/ids.ts";
import type { LiveLadders } from "#core/ladder/live-ladders.ts";
import type { Limits } from "#core/limits/limits.ts";
import type { LiveSettings } from "#core/limits/settings.ts";
import type { MailService } from "#core/mail/mail-service.ts";
import type { TokenLookup } from "#data/credentials/authenticate-bearer.ts";
import type { Archives } from "#data/files/archives.ts";
import type { Images } from "#data/files/images.ts";
import type { ReplayTrimResult } from "#data/files/replay-retention.ts";
import type { Replays } from "#data/files/replays.ts";
import type { Store } from "#data/store/store.ts";
import type { MailDestination } from "#site/account/data.ts";
import type { Documents } from "#web/docs/documents.ts";
import type { Site } from "#web/pages/site.ts";

import type { Admission } from "./admission.ts";
import type { RequestCounts } from "./request-counts.ts";
import type { TrackedArena } from "./tracked-sources.ts";

export type ApiSettings = {
  /** Public base URL, without a trailing slash. */
  baseUrl: string;
  /** WebSocket address for bots (ws or wss). */
  botEndpoint: string;
  /** Human matches: their socket and available opponents; null if turned off. */
  play: { endpoint: string; opponents: readonly HouseKind[] } | null;
  /** Where to get the source code; null if not configured. */
  sourceUrl: string | null;
  /** Anonymous local mode: bots register and play without an account. */
  anonymous: boolean;
  /** Origins of the server's own pages. */
  origins: readonly string[];
  /** The MCP endpoint; null if there is none. */
  mcpEndpoint: string | null;
  /** Where the embedded identity provider delivers email. */
  mail: MailDestination;
  /** How to contact the operator; null if not configured. */
  contact: string | null;
  /** `hashToken` of the additional registration key; null if none is required. */
  registrationKeyHash: string | null;
};

/**
 * Hashes ladder passwords on a worker thread. Both functions return null if too many are queued.
 * `caller` is the account for fair queueing.
 */
export type Passwords = {
  hash: (password: string, caller: string) => Promise<string | null>;
  /** A null hash takes the same time and returns false. */
  verify: (password: string, hash: string | null, caller: string) => Promise<boolean | null>;
};

/** Additional dependencies of a server with accounts. */
export type AccountServices = {
  provider: IdentityProvider;
  /** Null with an external provider, which stores them itself. */
  signUps: SignUps | null;
  /** Current addresses of configured admins, in lower case. */
  adminEmails: () => ReadonlySet<string>;
  /** Sends to confirmed addresses only: see web/auth/account-email.ts. */
  sendEmail: SendTransactionalEmail<AccountEmail | OperatorEmail>;
  /** Optional email. */
  mail: MailService;
  passwords: Passwords;
  /** Records a deletion, so that a restored backup can repeat it. */
  recordDeletion: (id: AccountId) => Promise<void>;
};

/** Removes unprotected replays. Runs one at a time, including the server's own runs. */
type ReplayTrimming = {
  run: () => Promise<ReplayTrimResult>;
  /** Returns how many files a cleanup would remove now with these limits. */
  forecast: (
    keep: Pick<Limits, "replays_per_bot" | "archive_replays" | "embedded_replays">,
  ) => Promise<number>;
};

/** Measurements beyond health, and CPU profiles of the main thread. */
type Profiling = {
  metrics: () => ProfilingStats;
  /** Records the duration of an operation, in µs. */
  record: (name: string, duration: number) => void;
  /** Returns the stored captures, newest first. */
  list: () => Promise<Capture[]>;
  byId: (id: string) => Promise<Capture | null>;
  /** Returns null while another capture is recording. */
  start: (label: string, seconds: number) => Promise<Capture | null>;
  read: (capture: Capture) => Readable;
};

export type MetricsSources = {
  requests: RequestCounts;
  machine: () => Promise<MachineStats>;
  /** Returns null while the database doesn't respond. */
  stored: () => Promise<StoredEmailMetrics | null>;
};

export type ApiDeps = {
  /** Null on a server without accounts. */
  accounts: AccountServices | null;
  /** Tracks reads for the response cache, like the arena: see `cache`. */
  store: Store;
  credentials: TokenLookup;
  arena: TrackedArena;
  health: () => HealthReport;
  metrics: MetricsSources;
  /** Null if profiling is turned off. */
  profiling: Profiling | null;
  /** Returns whether the store's last request succeeded. */
  isStoreUp: () => boolean;
  /** Free bytes on the data folder's disk; null if the folder can't be read. */
  freeDisk: () => number | null;
  cache: Cache;
  replays: Pick<Replays, "read" | "remove">;
  archives: Pick<Archives, "open">;
  /** Current limits, which may change between requests. */
  limits: () => Limits;
  /** Source of the limits; operator routes change it. */
  liveSettings: LiveSettings;
  trimming: ReplayTrimming;
  /** Tracks reads; routes that change the store update it. */
  ladders: LiveLadders;
  /** Tracks reads, like the ladders. */
  events: LiveEvents;
  awards: AwardService;
  flags: Flags;
  images: Pick<Images, "store" | "read" | "sweep" | "isAvailable">;
  settings: ApiSettings;
  versions: Versions;
  documents: Documents;
  site: Site;
  /** Counts requests by address; null if addresses are not limited. */
  admission: Admission | null;
  /** Returns the key for fair queueing; null for everyone if addresses are not limited. */
  callerOf: (request: IncomingMessage) => string | null;
  /** Scales the limits of an address; unscaled if absent. */
  scaleOf?: CallerScale | undefined;
  clock: () => Date;
  /** Monotonic, in µs. */
  now: () => number;
  /** Returns a UUIDv7. */
  newId: () => string;
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
