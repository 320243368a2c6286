// Dependencies of the HTTP API. server/composition creates them.

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
import type { Flags } from "#core/events/achievement-flags.ts";
import type { AwardService } from "#core/events/awards.ts";
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
  baseUrl: string;
  botEndpoint: string;
  /** Socket URL and opponents of human matches. Null if human matches are turned off. */
  play: { endpoint: string; opponents: readonly HouseKind[] } | null;
  sourceUrl: string | null;
  /** Local mode in which bots register and play without an account. */
  anonymous: boolean;
  origins: readonly string[];
  mcpEndpoint: string | null;
  mail: MailDestination;
  contact: string | null;
  /** `hashToken` of the registration key. Null if registration needs no key. */
  registrationKeyHash: string | null;
};

/**
 * Hashes ladder passwords on a worker thread. Both functions return null if too many passwords are
 * queued. `caller` is the account for fair queueing.
 */
export type Passwords = {
  hash: (password: string, caller: string) => Promise<string | null>;
  /** With a null hash, takes the same time and returns false. */
  verify: (password: string, hash: string | null, caller: string) => Promise<boolean | null>;
};

export type AccountServices = {
  provider: IdentityProvider;
  /** Null with an external identity provider, which stores sign-ups itself. */
  signUps: SignUps | null;
  /** Current addresses of configured admins in lower case. */
  adminEmails: () => ReadonlySet<string>;
  /** Send to confirmed addresses only: see web/auth/account-email.ts. */
  sendEmail: SendTransactionalEmail<AccountEmail | OperatorEmail>;
  /** Email that users can unsubscribe from. */
  mail: MailService;
  passwords: Passwords;
  /** Records a deletion, so that it can be repeated on a restored backup. */
  recordDeletion: (id: AccountId) => Promise<void>;
};

/** Removes unprotected replays. Runs one at a time, including the server's scheduled runs. */
type ReplayTrimming = {
  run: () => Promise<ReplayTrimResult>;
  /** Returns how many files a cleanup with these limits would remove now. */
  forecast: (
    keep: Pick<Limits, "replays_per_bot" | "archive_replays" | "embedded_replays">,
  ) => Promise<number>;
};

/** Process metrics and CPU profiles of the main thread. */
type Profiling = {
  metrics: () => ProfilingStats;
  /** Records the duration of an operation in µs. */
  record: (name: string, duration: number) => void;
  list: () => Promise<Capture[]>;
  byId: (id: string) => Promise<Capture | null>;
  /** Returns null if another capture is running. */
  start: (label: string, seconds: number) => Promise<Capture | null>;
  read: (capture: Capture) => Readable;
};

export type MetricsSources = {
  requests: RequestCounts;
  machine: () => Promise<MachineStats>;
  /** Returns null if the database doesn't respond. */
  stored: () => Promise<StoredEmailMetrics | null>;
};

export type ApiDeps = {
  accounts: AccountServices | null;
  /** Reads are tracked for the response cache: see `cache`. The same applies to the arena. */
  store: Store;
  credentials: TokenLookup;
  arena: TrackedArena;
  health: () => HealthReport;
  metrics: MetricsSources;
  profiling: Profiling | null;
  isStoreUp: () => boolean;
  /** Returns the free bytes on the data folder's disk. Null if the folder can't be read. */
  freeDisk: () => number | null;
  cache: Cache;
  replays: Pick<Replays, "read" | "remove">;
  archives: Pick<Archives, "open">;
  limits: () => Limits;
  liveSettings: LiveSettings;
  trimming: ReplayTrimming;
  /** Reads are tracked. Routes that change the store also update this copy. */
  ladders: LiveLadders;
  /** Reads are tracked, as for `ladders`. */
  events: LiveEvents;
  awards: AwardService;
  flags: Flags;
  images: Pick<Images, "store" | "read" | "sweep" | "isAvailable">;
  settings: ApiSettings;
  versions: Versions;
  documents: Documents;
  site: Site;
  /** Counts requests by address. Null if addresses aren't limited. */
  admission: Admission | null;
  /** Returns the caller's key for fair queueing. Always null if addresses aren't limited. */
  callerOf: (request: IncomingMessage) => string | null;
  /** Returns the factor for an address's limits. The factor is 1 if this is absent. */
  scaleOf?: CallerScale | undefined;
  clock: () => Date;
  /** Monotonic, in µs. */
  now: () => number;
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
