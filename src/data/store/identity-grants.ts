// OAuth clients, their authorizations and consents.

import type { NewSession, SessionOwner } from "./identity.ts";
import { readsUncached, writes } from "./method.ts";

export type ClientKind = "dynamic" | "document";

export const CLIENT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"] as const;
export type ClientAuthMethod = (typeof CLIENT_AUTH_METHODS)[number];

export type ClientRecord = {
  /** A UUID, or the URL of the client's metadata document. */
  id: string;
  /** How the client became known: by registration, or by hosting a metadata document. */
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
  /** SHA-256 of the ID that the browser holds. */
  hash: string;
  clientId: string;
  redirectUri: string;
  scope: string;
  state: string | null;
  nonce: string | null;
  resource: string;
  challenge: string;
  /** The first user to request its details; nobody else can decide. */
  userId: string | null;
  /** SHA-256 of the code, once approved. */
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

/** The session issued for a code. Its ID is derived from the code. */
export type ClientSession = NewSession & { client: NonNullable<NewSession["client"]> };

export type ConsentGrant = ConsentRecord & { client: ClientRecord };

const noSubjects = () => [];

export const GRANTS = {
  /** Updates a client that exists. */
  putClient: writes<(client: ClientRecord) => Promise<void>>(noSubjects),
  client: readsUncached<(id: string) => Promise<ClientRecord | null>>(),
  addAuthorization: writes<(authorization: AuthorizationRecord) => Promise<void>>(noSubjects),
  authorization: readsUncached<(hash: string) => Promise<AuthorizationRecord | null>>(),
  /** Claims an authorization for a user. Null if another user has claimed it or it is unknown. */
  claim: writes<(hash: string, userId: string) => Promise<AuthorizationRecord | null>>(noSubjects),
  /**
   * Issues the code of a claimed authorization, once, and stores the consent. Returns false,
   * changing nothing, if the requesting session has ended.
   */
  approve:
    writes<
      (hash: string, codeHash: string, consent: ConsentRecord, session?: string) => Promise<boolean>
    >(noSubjects),
  /** Ends a denied authorization. False if it no longer belongs to this user. */
  deny: writes<(hash: string, userId: string) => Promise<boolean>>(noSubjects),
  byCode: readsUncached<(codeHash: string) => Promise<AuthorizationRecord | null>>(),
  /**
   * Consumes a code and adds its session, atomically. Null, without a session, if the user has
   * revoked the consent. If the code was already consumed, ends its session (RFC 6749, section
   * 4.1.2).
   */
  redeemCode:
    writes<(codeHash: string, session: ClientSession) => Promise<SessionOwner | null>>(noSubjects),
  consent: readsUncached<(userId: string, clientId: string) => Promise<ConsentRecord | null>>(),
  /** Oldest first. */
  list: readsUncached<(userId: string) => Promise<ConsentGrant[]>>(),
  /** Also ends the client's sessions and codes. False if there was no consent. */
  revoke: writes<(userId: string, clientId: string) => Promise<boolean>>(noSubjects),
  /** Deletes authorizations, and clients without a consent, created before these instants. */
  sweep:
    writes<(cutoffs: { authorizations: string; clients: string }) => Promise<void>>(noSubjects),
};
