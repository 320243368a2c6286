// Interface between the server and its identity provider.

/** Claims of a verified token. Times are whole seconds since 1970. */
export type Claims = {
  /**
   * With `subject`, the key of an account. `embedded` for the embedded provider, whatever its URL.
   */
  issuer: string;
  subject: string;
  sessionId: string;
  /** The app that acts for the user; null for a browser. */
  clientId: string | null;
  /** May be outdated, and doesn't imply that it was confirmed. */
  email: string | null;
  isAnonymous: boolean;
  issuedAt: number;
  expiresAt: number;
  /** When the user last authenticated. */
  signedInAt: number;
};

/** The user's current data at the provider. */
export type UserView = {
  id: string;
  email: string | null;
  /** UTC; null if the address isn't confirmed. */
  emailConfirmedAt: string | null;
  /** Their sign-in methods, including `email`. */
  providers: readonly string[];
  /** Their name at the provider, or null. */
  userName: string | null;
  createdAt: string | null;
  lastSignInAt: string | null;
};

/** A client that asks for consent. Name and URLs are untrusted. */
export type ConsentDetails = {
  authorizationId: string;
  redirectUri: string;
  client: { id: string; name: string; uri: string | null; logoUri: string | null };
  scopes: readonly string[];
};

export type Redirection = { redirectUrl: string };

/** 401 `invalid_session`: the token has the wrong kind or is no longer valid. */
export class InvalidSession extends Error {
  override readonly name = "InvalidSession";
}

/** 503 `auth_unavailable`: the provider did not respond in time. */
export class AuthUnavailable extends Error {
  override readonly name = "AuthUnavailable";
}

/** All calls reject with InvalidSession or AuthUnavailable and end within a second. */
export type IdentityProvider = {
  /** Also the only authorization server of the MCP endpoint. */
  issuer: () => string;
  publicInfo: () => { project_url: string; publishable_key: string };
  /** Verifies a token without a call to the provider, except for its keys. */
  verify: (jwt: string, audienceKind: "browser" | "mcp") => Promise<Claims>;
  /** Returns the user of a verified token, or null if its session has ended. */
  liveUser: (jwt: string) => Promise<UserView | null>;
  /** Returns a client's request to this user; only a redirect if they consented before. */
  authorization: (id: string, jwt: string) => Promise<ConsentDetails | Redirection | null>;
  /** Returns null if they have no such authorization any more. */
  decide: (id: string, action: "approve" | "deny", jwt: string) => Promise<Redirection | null>;
  /** Lists the clients with this user's consent. */
  grants: (jwt: string) => Promise<string[]>;
  /** Revokes a client's access at the provider. Returns false if that failed. */
  revokeGrant: (clientId: string, jwt: string) => Promise<boolean>;
};

/** A sign-up whose address isn't confirmed. */
type UnconfirmedSignUp = {
  id: string;
  email: string;
  signedUp: string;
  /** When the latest email with a link was requested. */
  emailRequested: string | null;
};

/** Works once, like an emailed link: confirms the address and then asks for a password. */
export type SignUpLink = { userId: string; link: string; expires: string };

/** Unconfirmed sign-ups of the embedded provider. */
export type SignUps = {
  /** Newest first. */
  listUnconfirmed: (limit: number) => Promise<{ total: number; signUps: UnconfirmedSignUp[] }>;
  /** Null if no unconfirmed sign-up has that id or address; `reserved` for a configured admin. */
  confirmLink: (idOrEmail: string) => Promise<SignUpLink | "reserved" | null>;
};
