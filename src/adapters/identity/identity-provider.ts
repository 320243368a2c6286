/** Claims from a verified token. Times are Unix seconds. */
export type Claims = {
  /**
   * Identifies an account together with `subject`. `embedded` for the embedded provider at any URL.
   */
  issuer: string;
  subject: string;
  sessionId: string;
  clientId: string | null;
  /** May be outdated or unconfirmed. */
  email: string | null;
  isAnonymous: boolean;
  issuedAt: number;
  expiresAt: number;
  /** When the user last authenticated. */
  signedInAt: number;
};

export type UserView = {
  id: string;
  email: string | null;
  /** UTC. Null if the address isn't confirmed. */
  emailConfirmedAt: string | null;
  /** Sign-in methods, including `email`. */
  providers: readonly string[];
  userName: string | null;
  createdAt: string | null;
  lastSignInAt: string | null;
};

/** An app's authorization request. The app's name and URLs are untrusted. */
export type ConsentDetails = {
  authorizationId: string;
  redirectUri: string;
  client: { id: string; name: string; uri: string | null; logoUri: string | null };
  scopes: readonly string[];
};

export type Redirection = { redirectUrl: string };

/** The token is of the wrong kind or is no longer valid. Returned as 401 `invalid_session`. */
export class InvalidSession extends Error {
  override readonly name = "InvalidSession";
}

/** The provider didn't respond in time. Returned as 503 `auth_unavailable`. */
export class AuthUnavailable extends Error {
  override readonly name = "AuthUnavailable";
}

/** Every call completes within a second and rejects only with InvalidSession or AuthUnavailable. */
export type IdentityProvider = {
  /** Also the only authorization server of the MCP endpoint. */
  issuer: () => string;
  publicInfo: () => { project_url: string; publishable_key: string };
  /** Verifies a token. Calls the provider only to fetch its public keys. */
  verify: (jwt: string, audienceKind: "browser" | "mcp") => Promise<Claims>;
  /** Returns the user of a verified token, or null if the session has ended. */
  liveUser: (jwt: string) => Promise<UserView | null>;
  /**
   * Returns the app's request, or a redirect if the user has already consented. Null if there is no
   * pending request.
   */
  authorization: (id: string, jwt: string) => Promise<ConsentDetails | Redirection | null>;
  /** Records the decision and returns the redirect. Null if there is no pending request. */
  decide: (id: string, action: "approve" | "deny", jwt: string) => Promise<Redirection | null>;
  grants: (jwt: string) => Promise<string[]>;
  /** Revokes a client's access at the provider. Returns false on failure. */
  revokeGrant: (clientId: string, jwt: string) => Promise<boolean>;
};

type UnconfirmedSignUp = {
  id: string;
  email: string;
  signedUp: string;
  emailRequested: string | null;
};

/** A one-time link that confirms the address and then asks for a password. */
export type SignUpLink = { userId: string; link: string; expires: string };

export type SignUps = {
  /** Returns up to `limit` sign-ups, newest first, and the total count. */
  listUnconfirmed: (limit: number) => Promise<{ total: number; signUps: UnconfirmedSignUp[] }>;
  /**
   * Returns null if the ID or address has no unconfirmed sign-up, or `reserved` for a configured
   * admin's address.
   */
  confirmLink: (idOrEmail: string) => Promise<SignUpLink | "reserved" | null>;
};
