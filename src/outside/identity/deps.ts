// Everything that the embedded identity provider takes from the outside.

import type { Clock } from "#base/clock/clock.ts";
import type { ScaleOf } from "#base/token-bucket/token-bucket.ts";
import type { IdentityLetter, SendLetter } from "#core/accounts/letter.ts";
import type { SessionRecord } from "#data/store/identity.ts";
import type { Store } from "#data/store/store.ts";

import type { Hasher } from "./password.ts";
import type { Secrets } from "./secrets.ts";

/** A social provider that the operator configured. GitHub has no issuer. */
export type SocialProvider = {
  /** Names it in addresses, and in identities. */
  id: string;
  name: string;
  clientId: string;
  clientSecret: string;
} & ({ kind: "oidc"; issuer: string } | { kind: "github" });

/** Asked for at each use, because an operator may change some while the server runs. */
export type IdentitySettings = {
  /** The public address, without a trailing slash. */
  baseUrl: string;
  signupOpen: boolean;
  /** Addresses count as confirmed without a mail; only on loopback. */
  autoconfirm: boolean;
  /** Whether addresses, and mails to one mailbox, are limited. */
  limitsAddresses: boolean;
  /** Whether only this machine can reach the ladder. */
  isLocal: boolean;
  /** Origins under which browsers know us, in addition to that of the public address. */
  redirectOrigins: readonly string[];
  /** Whether a client may be the address of a document about itself. */
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
  scaleOf?: ScaleOf;
  random: (bytes: number) => Uint8Array;
  /** Returns a UUID. */
  newId: () => string;
  send: SendLetter<IdentityLetter>;
  /** Calls social providers. */
  fetch: typeof fetch;
  /** Reads a client's document about itself: see client-document.ts. */
  readDocument: (url: URL) => Promise<string>;
  /** Addresses that can only sign up; no account can change to one. */
  reserved: () => readonly string[];
  /** The handle of a user's account; null if they have none. */
  handleOf: (userId: string) => Promise<string | null>;
  /** Is told when somebody guesses at the password of a user. */
  burst: (userId: string) => void;
  /** Records that a used refresh token was presented again, which ended the session. */
  tokenReused: (session: SessionRecord) => void;
  /** Is told of faults of ours, never of what people sent. */
  fault: (error: unknown) => void;
};

/** Where the provider is mounted below the base URL. */
export const MOUNT = "/auth/v1";

export const rootOf = ({ baseUrl }: IdentitySettings): string => baseUrl + MOUNT;
/**
 * The page to which links of mails lead. What they do is in the fragment, and done by a button
 * there: programs that look at mails for their readers open links, but press nothing.
 */
export const confirmPageOf = ({ baseUrl }: IdentitySettings): string =>
  `${baseUrl}/account/confirm`;
/** The only resource that programs get tokens for. */
export const resourceOf = ({ baseUrl }: IdentitySettings): string => resourceAt(baseUrl);
/** The canonical address of the MCP endpoint. */
export const resourceAt = (baseUrl: string): string => `${baseUrl}/mcp`;
