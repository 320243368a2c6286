// The seam: what the ladder sees of the provider that keeps people's passwords.

/** What a verified token says. Instants are whole seconds since 1970. */
export type Claims = {
  /** With `subject`, the key of an account. The embedded provider is `embedded` at any address. */
  issuer: string;
  subject: string;
  sessionId: string;
  /** The program that acts for the user; null for a browser. */
  clientId: string | null;
  /** May lag, and says nothing about whether it was confirmed. */
  email: string | null;
  isAnonymous: boolean;
  issuedAt: number;
  expiresAt: number;
  /** When the user last proved who they are. */
  signedInAt: number;
};

/** The user as the provider sees them now. */
export type UserView = {
  id: string;
  email: string | null;
  /** UTC instant; null while nobody has shown that the address is theirs. */
  emailConfirmedAt: string | null;
  /** How they sign in, `email` among them. */
  providers: readonly string[];
  /** What they call themselves there; null if they do not. */
  userName: string | null;
  createdAt: string | null;
  lastSignInAt: string | null;
};

/** A client that asks for consent. Name and addresses come from strangers. */
export type ConsentDetails = {
  authorizationId: string;
  redirectUri: string;
  client: { id: string; name: string; uri: string | null; logoUri: string | null };
  scopes: readonly string[];
};

export type Redirection = { redirectUrl: string };

/** 401 `invalid_session`: the token is not what was asked for, or not good any more. */
export class InvalidSession extends Error {
  override readonly name = "InvalidSession";
}

/** 503 `auth_unavailable`: the provider did not answer in time. */
export class AuthUnavailable extends Error {
  override readonly name = "AuthUnavailable";
}

/** Every call rejects with InvalidSession or AuthUnavailable, and ends in less than a second. */
export type IdentityProvider = {
  /** Also the only authorization server of the MCP endpoint. */
  issuer: () => string;
  publicInfo: () => { project_url: string; publishable_key: string };
  /** Checks a token without asking the provider, its keys apart. */
  verify: (jwt: string, want: "browser" | "mcp") => Promise<Claims>;
  /** Asks whether the session of a verified token goes on; null when it has ended. */
  live: (jwt: string) => Promise<UserView | null>;
  /** What a client asks of this user; a bare redirection if they consented before. */
  authorization: (id: string, jwt: string) => Promise<ConsentDetails | Redirection | null>;
  /** Null when there is no such authorization of theirs any more. */
  decide: (id: string, action: "approve" | "deny", jwt: string) => Promise<Redirection | null>;
  /** The clients that it lets in without asking this user again. */
  grants: (jwt: string) => Promise<string[]>;
  /** Ends what a client may do at the provider; false when that failed. */
  revokeGrant: (clientId: string, jwt: string) => Promise<boolean>;
};

/** Someone who signed up and whose address nobody confirmed. */
type UnconfirmedSignUp = {
  id: string;
  email: string;
  signedUp: string;
  /** When the latest email with a link was requested. */
  emailRequested: string | null;
};

/** Works once, like the link of an email: it confirms the address, then asks for a password. */
export type SignUpLink = { userId: string; link: string; expires: string };

/** Unconfirmed sign-ups of the embedded provider. */
export type SignUps = {
  /** Newest first. */
  waiting: (most: number) => Promise<{ total: number; signUps: UnconfirmedSignUp[] }>;
  /** Null if no unconfirmed sign-up has that id or address; `reserved` for a configured admin. */
  confirmLink: (idOrEmail: string) => Promise<SignUpLink | "reserved" | null>;
};
