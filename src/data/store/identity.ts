// Users of the embedded identity provider, with sessions and one-time tokens. Tokens, codes and
// states are stored only as hashes. Nothing is cached, because a revoked session must end
// immediately.

import { readsUncached, writes } from "./store-method.ts";

/** Issuer of accounts at the embedded provider. Independent of the base URL. */
export const EMBEDDED_ISSUER = "embedded";

/** Email types with a link and a code, named as in GoTrue. */
export const EMAIL_PURPOSES = ["signup", "recovery", "email_change"] as const;
export type EmailPurpose = (typeof EMAIL_PURPOSES)[number];
/**
 * `invite` lets the browser that followed a link choose a password. Invite tokens are never
 * emailed.
 */
export type TokenPurpose = EmailPurpose | "invite";

/** Times are UTC ISO-8601 instants. */
export type UserRecord = {
  /** UUID, used as the subject of all tokens. */
  id: string;
  /** Lower case and unique. Null if the user's sign-in provider confirmed no address. */
  email: string | null;
  emailConfirmedAt: string | null;
  newEmail: string | null;
  /** PHC string. Null if the user has no password. */
  passwordHash: string | null;
  /** Set by the user. Never trust it. */
  userData: Readonly<Record<string, unknown>>;
  confirmationSentAt: string | null;
  recoverySentAt: string | null;
  lastSignInAt: string | null;
  createdAt: string;
  updatedAt: string;
};

export type UserChanges = Partial<Omit<UserRecord, "id" | "createdAt">>;

/** A sign-in method of a user. `subject` is the user's ID at the provider. */
export type IdentityRecord = {
  id: string;
  userId: string;
  provider: string;
  subject: string;
  email: string | null;
  createdAt: string;
  lastSignInAt: string;
};

export type SessionRecord = {
  id: string;
  userId: string;
  /** OAuth client of the session. Null for browser sessions. */
  client: { id: string; scope: string; resource: string } | null;
  counter: number;
  /** Number of the refresh token that was exchanged for the active one, or -1 for the first. */
  parent: number;
  refreshedAt: string;
  method: string;
  createdAt: string;
};

/** A session to issue. The user is whoever owns the redeemed token or code. */
export type NewSession = Omit<SessionRecord, "userId">;

/**
 * Password and metadata from one sign-up. They take effect only if the browser that sent them
 * proves its identity after the address is confirmed.
 */
export type PendingSignUp = { passwordHash: string; userData: UserRecord["userData"] };

/** A link and a 6-digit code that were sent in the same email. Each email has its own pair. */
export type TokenRecord = {
  hash: string;
  userId: string;
  purpose: TokenPurpose;
  email: string;
  codeHash: string;
  tries: number;
  /** PKCE challenge of the browser that requested the email, if it sent one. */
  challenge: string | null;
  /** Only for sign-ups. From the same request as the challenge. */
  signUp: PendingSignUp | null;
  createdAt: string;
};

/**
 * A flow that only the browser that started it can finish, because only that browser has the
 * verifier.
 */
export type FlowRecord = {
  /** Hash of the code to exchange, or of the state sent to another provider. */
  hash: string;
  challenge: string;
  createdAt: string;
} & (
  | {
      kind: "code";
      userId: string;
      method: string;
      /**
       * Takes effect when the code is exchanged, unless the user has set a password in the
       * meantime.
       */
      signUp: PendingSignUp | null;
      /** Token of an email change that the exchange redeems. */
      tokenHash: string | null;
    }
  | { kind: "social"; provider: string; redirectTo: string }
);

export type LinkKey = { hash: string; purpose: TokenPurpose };

/** Identifies the token of a 6-digit code. `userId` is `""` if the address is unknown. */
export type CodeKey = {
  userId: string;
  purpose: EmailPurpose;
  codeHash: string;
  /** Only the codes of this many newest tokens are accepted. */
  newest: number;
  /** Number of wrong codes after which the code of an email is invalid. */
  maxTries: number;
  /** Keyed hash of the address. Counts wrong codes across emails. */
  addressHash: string;
  /** Number of wrong codes after which no code for the address is accepted. */
  maxWrongCodes: number;
  /** The count is valid if the first wrong code was entered between these instants. */
  countAfter: string;
  countBefore: string;
};

/** `at` is the time of redemption. Tokens are valid if created between `after` and `before`. */
export type RedeemOptions = {
  at: string;
  after: string;
  before: string;
  /** Addresses that existing users can't change to. */
  reserved: readonly string[];
};

/** Rows to add in the same transaction as the redemption, if the user still exists. */
export type RedeemAdditions = {
  session?: NewSession;
  /**
   * Code for the browser that sent the token's challenge. Ignored if the token has no challenge.
   */
  code?: { hash: string; method: string };
  invite?: { hash: string; codeHash: string };
};

/** Returned if no token was redeemed. Counts wrong codes for the address, including this one. */
export type WrongCodeCount = { wrongCodes: number };

/** A consumed token. `user` is null if the action is no longer possible. */
export type RedeemedToken = {
  token: TokenRecord;
  user: UserRecord | null;
  /** The address before an email change. Null for all other tokens. */
  formerEmail: string | null;
};

export type RedeemedFlow = Omit<RedeemedToken, "token">;

export type SessionRotation = { from: number; counter: number; parent: number; at: string };

export type SessionSelection = "all" | { except: string };

export type UserChangeOptions = {
  /**
   * Also ends these sessions and everything pending: emailed links and codes, and an email change.
   */
  ends?: SessionSelection;
  /** The requesting session. Nothing changes if it no longer belongs to the user. */
  session?: string;
};

export type AddUserOutcome = "added" | "email_taken";

export type SessionOwner = { session: SessionRecord; user: UserRecord };

export type IdentitySweep = { unconfirmed: string; sessions: string; tokens: string };

const noSubjects = () => [];

export const IDENTITY = {
  /**
   * Adding the same ID again also returns `added`. Rejects with `invalid` if another user has the
   * identity.
   */
  addUser:
    writes<(user: UserRecord, identity: IdentityRecord) => Promise<AddUserOutcome>>(noSubjects),
  userByEmail: readsUncached<(email: string) => Promise<UserRecord | null>>(),
  userById: readsUncached<(id: string) => Promise<UserRecord | null>>(),
  userByIdentity:
    readsUncached<(provider: string, subject: string) => Promise<UserRecord | null>>(),
  /** Returns how many users have an unconfirmed address, and the newest `limit` of these users. */
  listUnconfirmed:
    readsUncached<(limit: number) => Promise<{ total: number; users: UserRecord[] }>>(),
  /** Returns identities, oldest first. */
  identitiesOf: readsUncached<(userId: string) => Promise<IdentityRecord[]>>(),
  /** Returns null if the user doesn't exist or the requesting session has ended. */
  changeUser:
    writes<
      (
        id: string,
        changes: UserChanges,
        options?: UserChangeOptions,
      ) => Promise<UserRecord | "email_taken" | null>
    >(noSubjects),
  /** Adds an identity to a user, or updates the time of its last sign-in. */
  linkIdentity: writes<(identity: IdentityRecord) => Promise<void>>(noSubjects),
  /** Deletes a user with all related data. Returns false if the user doesn't exist. */
  deleteUser: writes<(id: string) => Promise<boolean>>(noSubjects),
  /**
   * Applies a sign-up to a user without a password and ends everything pending. Returns null,
   * without changes, if the user has a password or doesn't exist, or if the session has ended.
   */
  setFirstPassword:
    writes<
      (id: string, signUp: PendingSignUp, at: string, session: string) => Promise<UserRecord | null>
    >(noSubjects),
  /** Adds a token. Deletes the user's tokens of the same purpose with `replacedHashes`. */
  putToken:
    writes<(token: TokenRecord, replacedHashes: readonly string[]) => Promise<void>>(noSubjects),
  token: readsUncached<(hash: string) => Promise<TokenRecord | null>>(),
  /**
   * Returns the newest token that was created after the instant and emailed to that address, or
   * null.
   */
  pendingToken:
    readsUncached<
      (
        userId: string,
        purpose: TokenPurpose,
        email: string,
        createdAfter: string,
      ) => Promise<TokenRecord | null>
    >(),
  /**
   * Consumes a token and applies its action in one transaction. Each token works once. The first
   * confirmation of an address ends everything else that is pending for the user. Returns null if
   * the token doesn't exist or has expired.
   */
  redeem:
    writes<
      (
        key: LinkKey,
        options: RedeemOptions,
        additions?: RedeemAdditions,
      ) => Promise<RedeemedToken | null>
    >(noSubjects),
  /**
   * Redeems a token by its 6-digit code. A wrong code is counted. Unknown addresses cause the same
   * writes, so that timing doesn't reveal accounts.
   */
  redeemCode:
    writes<
      (
        key: CodeKey,
        options: RedeemOptions,
        additions?: RedeemAdditions,
      ) => Promise<RedeemedToken | WrongCodeCount>
    >(noSubjects),
  addFlow: writes<(flow: FlowRecord) => Promise<void>>(noSubjects),
  flow: readsUncached<(hash: string) => Promise<FlowRecord | null>>(),
  /** Deletes and returns a flow, so that it works only once. */
  consumeFlow: writes<(hash: string) => Promise<FlowRecord | null>>(noSubjects),
  /**
   * Consumes a code, applies its action and adds the session in one transaction. `options` apply to
   * email changes. Returns null if the code, or the token of its email change, doesn't exist.
   */
  redeemFlow:
    writes<
      (hash: string, options: RedeemOptions, session: NewSession) => Promise<RedeemedFlow | null>
    >(noSubjects),
  /**
   * Adds the session of a user who signed in by password and sets `lastSignInAt`. Returns null,
   * without changes, if the user no longer exists or the verified password hash has been replaced.
   */
  addSession:
    writes<(session: SessionRecord, passwordHash: string | null) => Promise<UserRecord | null>>(
      noSubjects,
    ),
  session: readsUncached<(id: string) => Promise<SessionOwner | null>>(),
  sessionCount: readsUncached<() => Promise<number>>(),
  /** Does nothing unless `from` is the active token. Returns the resulting session. */
  rotateSession:
    writes<(id: string, rotation: SessionRotation) => Promise<SessionRecord | null>>(noSubjects),
  /** Returns false if the session doesn't exist. */
  endSession: writes<(id: string) => Promise<boolean>>(noSubjects),
  sweep: writes<(cutoffs: IdentitySweep) => Promise<void>>(noSubjects),
};
