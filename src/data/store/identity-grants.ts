import type { NewSession, SessionOwner } from "./identity.ts";
import { readsUncached, writes } from "./store-method.ts";

export type ClientKind = "dynamic" | "document";

export const CLIENT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"] as const;
export type ClientAuthMethod = (typeof CLIENT_AUTH_METHODS)[number];

export type ClientRecord = {
  /** A UUID, or the URL of the client's metadata document. */
  id: string;
  /** How the client registered: dynamically, or by hosting a metadata document. */
  kind: ClientKind;
  name: string;
  uri: string | null;
  logoUri: string | null;
  redirectUris: readonly string[];
  authMethod: ClientAuthMethod;
  /** SHA-256. Null for public clients. */
  secretHash: string | null;
  createdAt: string;
};

export type AuthorizationRecord = {
  /** SHA-256 of the authorization ID that the browser has. */
  hash: string;
  clientId: string;
  redirectUri: string;
  scope: string;
  state: string | null;
  nonce: string | null;
  resource: string;
  challenge: string;
  /** The first user who requested the details. Only this user can approve or deny. */
  userId: string | null;
  /** SHA-256 of the code. Null until the authorization is approved. */
  codeHash: string | null;
  createdAt: string;
};

/** A redirect URI that the consent page showed, with the scopes that the user allowed for it. */
export type AllowedRedirect = { redirectUri: string; scopes: readonly string[] };

export type ConsentRecord = {
  userId: string;
  clientId: string;
  /** All scopes that the user has ever allowed for the client. */
  scopes: readonly string[];
  /** Redirect URIs for which the user isn't asked again. */
  redirects: readonly AllowedRedirect[];
  grantedAt: string;
};

/** The session issued for an authorization code. Its ID is derived from the code. */
export type ClientSession = NewSession & { client: NonNullable<NewSession["client"]> };

export type ConsentGrant = ConsentRecord & { client: ClientRecord };

const noSubjects = () => [];

export const GRANTS = {
  /** Adds a client, or updates it if it exists. */
  putClient: writes<(client: ClientRecord) => Promise<void>>(noSubjects),
  client: readsUncached<(id: string) => Promise<ClientRecord | null>>(),
  addAuthorization: writes<(authorization: AuthorizationRecord) => Promise<void>>(noSubjects),
  authorization: readsUncached<(hash: string) => Promise<AuthorizationRecord | null>>(),
  /**
   * Claims an authorization for a user. Returns null if it is unknown or claimed by another user.
   */
  claim: writes<(hash: string, userId: string) => Promise<AuthorizationRecord | null>>(noSubjects),
  /**
   * Issues the code of a claimed authorization and stores the consent. Returns false, without
   * changes, if the code was already issued or the requesting session has ended.
   */
  approve:
    writes<
      (hash: string, codeHash: string, consent: ConsentRecord, session?: string) => Promise<boolean>
    >(noSubjects),
  /** Deletes a denied authorization. Returns false if it no longer belongs to this user. */
  deny: writes<(hash: string, userId: string) => Promise<boolean>>(noSubjects),
  byCode: readsUncached<(codeHash: string) => Promise<AuthorizationRecord | null>>(),
  /**
   * Consumes a code and adds its session in one transaction. Returns null, without adding a
   * session, if the user has revoked the consent. If the code was already consumed, ends the
   * session issued for it (RFC 6749, section 4.1.2).
   */
  redeemCode:
    writes<(codeHash: string, session: ClientSession) => Promise<SessionOwner | null>>(noSubjects),
  consent: readsUncached<(userId: string, clientId: string) => Promise<ConsentRecord | null>>(),
  /** Returns consents, oldest first. */
  list: readsUncached<(userId: string) => Promise<ConsentGrant[]>>(),
  /**
   * Revokes the consent and ends the client's sessions and codes. Returns false if there was no
   * consent.
   */
  revoke: writes<(userId: string, clientId: string) => Promise<boolean>>(noSubjects),
  /**
   * Deletes authorizations, and clients without a consent, that were created before these instants.
   */
  sweep:
    writes<(cutoffs: { authorizations: string; clients: string }) => Promise<void>>(noSubjects),
};
