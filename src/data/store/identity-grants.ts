// Programs that act for people: OAuth clients, what they ask for and what people allowed.

import type { NewSession, SessionOwner } from "./identity.ts";
import { looks, writes } from "./method.ts";

export type ClientKind = "dynamic" | "document";

export const CLIENT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"] as const;
export type ClientAuthMethod = (typeof CLIENT_AUTH_METHODS)[number];

export type ClientRecord = {
  /** A UUID, or the address of the client's metadata document. */
  id: string;
  /** How we know it: it registered, or it hosts a document. */
  kind: ClientKind;
  name: string;
  uri: string | null;
  logoUri: string | null;
  redirectUris: readonly string[];
  authMethod: ClientAuthMethod;
  /** SHA-256; null for public clients. */
  secretHash: string | null;
  createdAt: string;
};

export type AuthorizationRecord = {
  /** SHA-256 of the id that the browser carries. */
  hash: string;
  clientId: string;
  redirectUri: string;
  scope: string;
  state: string | null;
  nonce: string | null;
  resource: string;
  challenge: string;
  /** The user who asked for its details first; nobody else may decide. */
  userId: string | null;
  /** SHA-256 of the code, once it is approved. */
  codeHash: string | null;
  createdAt: string;
};

/** A redirect URI that the consent page showed, and the scopes allowed for it. */
export type AllowedRedirect = { redirectUri: string; scopes: readonly string[] };

export type ConsentRecord = {
  userId: string;
  clientId: string;
  /** All scopes that the client was ever allowed. */
  scopes: readonly string[];
  /** Redirect URIs for which the server doesn't ask again. */
  redirects: readonly AllowedRedirect[];
  grantedAt: string;
};

/** The session that a code gives. Its id follows from the code. */
export type ClientSession = NewSession & { client: NonNullable<NewSession["client"]> };

export type Grant = ConsentRecord & { client: ClientRecord };

const silent = () => [];

export const GRANTS = {
  /** A client that exists is brought up to date. */
  putClient: writes<(client: ClientRecord) => Promise<void>>(silent),
  client: looks<(id: string) => Promise<ClientRecord | null>>(),
  addAuthorization: writes<(authorization: AuthorizationRecord) => Promise<void>>(silent),
  authorization: looks<(hash: string) => Promise<AuthorizationRecord | null>>(),
  /** Makes it this user's if it is nobody's yet. Null when it is another one's or unknown. */
  claim: writes<(hash: string, userId: string) => Promise<AuthorizationRecord | null>>(silent),
  /**
   * Gives a claimed authorization its code, once, and stores what the user consented to. False, and
   * nothing changes, if the session that asks has ended.
   */
  approve:
    writes<
      (hash: string, codeHash: string, consent: ConsentRecord, session?: string) => Promise<boolean>
    >(silent),
  /** Ends an authorization that was denied. False when it is not this user's any more. */
  deny: writes<(hash: string, userId: string) => Promise<boolean>>(silent),
  byCode: looks<(codeHash: string) => Promise<AuthorizationRecord | null>>(),
  /**
   * Takes a code and adds its session, both or neither. Null, and no session, if the user has
   * revoked the consent. If the code was taken before, its session ends (RFC 6749, section 4.1.2).
   */
  redeemCode:
    writes<(codeHash: string, session: ClientSession) => Promise<SessionOwner | null>>(silent),
  consent: looks<(userId: string, clientId: string) => Promise<ConsentRecord | null>>(),
  /** Oldest first. */
  list: looks<(userId: string) => Promise<Grant[]>>(),
  /** Also ends the client's sessions and codes. False when there was no consent. */
  revoke: writes<(userId: string, clientId: string) => Promise<boolean>>(silent),
  /** Forgets authorizations and clients without a consent that were made before these instants. */
  sweep: writes<(before: { authorizations: string; clients: string }) => Promise<void>>(silent),
};
