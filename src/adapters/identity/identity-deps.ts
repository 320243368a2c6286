// Dependencies of the embedded identity provider.

import type { Clock } from "#base/clock/clock.ts";
import type { CallerScale } from "#base/token-bucket/token-bucket.ts";
import type { IdentityEmail, SendTransactionalEmail } from "#core/accounts/transactional-email.ts";
import type { SessionRecord } from "#data/store/identity.ts";
import type { Store } from "#data/store/store.ts";

import type { Hasher } from "./password-hasher.ts";
import type { Secrets } from "./secrets.ts";

/** A social provider configured by the operator. GitHub has no issuer. */
export type SocialProvider = {
  /** Identifies it in URLs and identities. */
  id: string;
  name: string;
  clientId: string;
  clientSecret: string;
} & ({ kind: "oidc"; issuer: string } | { kind: "github" });

/** Read at each use, because an operator can change some at runtime. */
export type IdentitySettings = {
  /** Public URL without a trailing slash. */
  baseUrl: string;
  signupOpen: boolean;
  /** Addresses count as confirmed without an email; only on loopback. */
  autoconfirm: boolean;
  /** Whether requests per address and emails per mailbox are limited. */
  limitsAddresses: boolean;
  /** Whether only this machine can reach the server. */
  isLocal: boolean;
  /** Additional origins of the server's own pages. */
  redirectOrigins: readonly string[];
  /** Whether a client may be identified by the URL of its metadata document. */
  clientDocuments: boolean;
  social: readonly SocialProvider[];
};

export type EmbeddedDeps = {
  store: Pick<Store, "identity" | "grants">;
  settings: () => IdentitySettings;
  secrets: Secrets;
  hasher: Hasher;
  clock: Clock;
  /** Scales the limits of an address. */
  scaleOf?: CallerScale;
  random: (bytes: number) => Uint8Array;
  /** Returns a UUID. */
  newId: () => string;
  send: SendTransactionalEmail<IdentityEmail>;
  /** Calls social providers. */
  fetch: typeof fetch;
  /** Reads a client's metadata document: see client-document.ts. */
  readDocument: (url: URL) => Promise<string>;
  /** Addresses that can only sign up; no account can change to one. */
  reserved: () => readonly string[];
  /** Returns the handle of a user's account, or null. */
  handleOf: (userId: string) => Promise<string | null>;
  /** Called when a user's password is being guessed. */
  onPasswordBurst: (userId: string) => void;
  /** Records that a used refresh token was reused, which ended the session. */
  onTokenReused: (session: SessionRecord) => void;
  /** Called with internal errors, never with client errors. */
  onError: (error: unknown) => void;
};

/** Path of the provider below the base URL. */
export const MOUNT = "/auth/v1";

export const rootOf = ({ baseUrl }: IdentitySettings): string => baseUrl + MOUNT;
/**
 * Target page of links in emails. The action is in the fragment and needs a button press, because
 * mail scanners open links but press no buttons.
 */
export const confirmPageOf = ({ baseUrl }: IdentitySettings): string =>
  `${baseUrl}/account/confirm`;
/** The only resource that apps get tokens for. */
export const resourceOf = ({ baseUrl }: IdentitySettings): string => resourceAt(baseUrl);
/** Canonical URL of the MCP endpoint. */
export const resourceAt = (baseUrl: string): string => `${baseUrl}/mcp`;
