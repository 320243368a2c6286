import type { Clock } from "#base/clock/clock.ts";
import type { CallerScale } from "#base/token-bucket/token-bucket.ts";
import type { IdentityEmail, SendTransactionalEmail } from "#core/accounts/transactional-email.ts";
import type { SessionRecord } from "#data/store/identity.ts";
import type { Store } from "#data/store/store.ts";

import type { Hasher } from "./password-hasher.ts";
import type { Secrets } from "./secrets.ts";

/** GitHub has no issuer because it isn't an OpenID Connect provider. */
export type SocialProvider = {
  /** Used in URLs and stored with linked identities. */
  id: string;
  name: string;
  clientId: string;
  clientSecret: string;
} & ({ kind: "oidc"; issuer: string } | { kind: "github" });

/** Read on every use, because an operator can change some settings at runtime. */
export type IdentitySettings = {
  /** Public URL without a trailing slash. */
  baseUrl: string;
  signupOpen: boolean;
  /** Confirms addresses without sending an email. Allowed only on loopback. */
  autoconfirm: boolean;
  limitsAddresses: boolean;
  isLocal: boolean;
  redirectOrigins: readonly string[];
  /** Accepts client IDs that are URLs of metadata documents. */
  clientDocuments: boolean;
  social: readonly SocialProvider[];
};

export type EmbeddedDeps = {
  store: Pick<Store, "identity" | "grants">;
  settings: () => IdentitySettings;
  secrets: Secrets;
  hasher: Hasher;
  clock: Clock;
  scaleOf?: CallerScale;
  random: (bytes: number) => Uint8Array;
  newId: () => string;
  send: SendTransactionalEmail<IdentityEmail>;
  fetch: typeof fetch;
  readDocument: (url: URL) => Promise<string>;
  /** Addresses that can only be used to sign up. No existing account can change to them. */
  reserved: () => readonly string[];
  /** Returns the handle of the user's account, or null if there is none. */
  handleOf: (userId: string) => Promise<string | null>;
  onPasswordBurst: (userId: string) => void;
  /** Called when a session was ended because one of its refresh tokens was reused. */
  onTokenReused: (session: SessionRecord) => void;
  /** Called with internal errors, never with client errors. */
  onError: (error: unknown) => void;
};

export const MOUNT = "/auth/v1";

export const rootOf = ({ baseUrl }: IdentitySettings): string => baseUrl + MOUNT;
/**
 * Page that emailed links open. The token is in the fragment and takes effect only when a button is
 * pressed, because mail scanners open links but don't press buttons.
 */
export const confirmPageOf = ({ baseUrl }: IdentitySettings): string =>
  `${baseUrl}/account/confirm`;
/** The only resource that app tokens are issued for. */
export const resourceOf = ({ baseUrl }: IdentitySettings): string => resourceAt(baseUrl);
export const resourceAt = (baseUrl: string): string => `${baseUrl}/mcp`;
