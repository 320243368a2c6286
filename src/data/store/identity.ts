// Users of the embedded identity provider, with their sessions and one-time tokens. Tokens, codes
// and states are stored only as hashes. These methods have no invalidation subjects: a revoked
// session must end immediately, so nothing is cached.

import { readsUncached, writes } from "./method.ts";

/** Issuer of the embedded provider in account keys. It doesn't depend on the base URL. */
export const EMBEDDED_ISSUER = "embedded";

/** GoTrue's types of emails with a link and a code. */
export const EMAIL_PURPOSES = ["signup", "recovery", "email_change"] as const;
export type EmailPurpose = (typeof EMAIL_PURPOSES)[number];
/** `invite`: lets the browser that followed a link choose a password. Never emailed. */
export type TokenPurpose = EmailPurpose | "invite";

/** All times are UTC ISO-8601 instants. */
export type UserRecord = {
  /** A UUID: the subject of every token. */
  id: string;
  /** Lower case and unique; null if the user's provider confirmed no address. */
  email: string | null;
  emailConfirmedAt: string | null;
  /** The new address of a pending change. */
  newEmail: string | null;
  /** A PHC string; null without a password. */
  passwordHash: string | null;
  /** Written by the user: never trust it. */
  userData: Readonly<Record<string, unknown>>;
  confirmationSentAt: string | null;
  recoverySentAt: string | null;
  lastSignInAt: string | null;
  createdAt: string;
  updatedAt: string;
};

export type UserChanges = Partial<Omit<UserRecord, "id" | "createdAt">>;

/** A sign-in method of a user. `subject` is the provider's ID of the user. */
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
  /** The OAuth client of the session and its scope; null for a browser. */
  client: { id: string; scope: string; resource: string } | null;
  /** Number of the active refresh token. */
  counter: number;
  /** Number of the refresh token that was exchanged for the active one; -1 for the first. */
  parent: number;
  refreshedAt: string;
  /** How the user signed in. */
  method: string;
  createdAt: string;
};

/** A session issued for a proof of identity. The proof determines the user. */
export type NewSession = Omit<SessionRecord, "userId">;

/**
 * Password and metadata of one sign-up. They take effect only if the browser that chose them proves
 * itself after the address is confirmed.
 */
export type PendingSignUp = { passwordHash: string; userData: UserRecord["userData"] };

/** A link and a 6-digit code in the same email. Each requested email has its own. */
export type TokenRecord = {
  hash: string;
  userId: string;
  purpose: TokenPurpose;
  /** The address it was sent to. */
  email: string;
  codeHash: string;
  /** Wrong codes so far. */
  tries: number;
  /** PKCE challenge of the browser that requested the email, if sent. */
  challenge: string | null;
  /** Set for a sign-up; from the same request as the challenge. */
  signUp: PendingSignUp | null;
  createdAt: string;
};

/** A flow that only the browser that started it can finish, because only it knows the verifier. */
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
      /** Takes effect with the exchange, unless the user has a password by then. */
      signUp: PendingSignUp | null;
      /** Token of an email change, which the exchange redeems. */
      tokenHash: string | null;
    }
  | { kind: "social"; provider: string; redirectTo: string }
);

/** The token of a link. */
export type LinkKey = { hash: string; purpose: TokenPurpose };

/** An address with the 6-digit code of an email. For an unknown address the user ID is `""`. */
export type CodeKey = {
  userId: string;
  purpose: EmailPurpose;
  codeHash: string;
  /** Only the codes of this many newest tokens of the user and purpose count. */
  newest: number;
  /** Wrong codes after which an email's code is invalid. */
  maxTries: number;
  /** Keyed hash of the address, by which wrong codes are counted across emails. */
  addressHash: string;
  /** Number of wrong codes after which no code of the address works. */
  maxWrongCodes: number;
  /** They count from the first one, if that was entered between these instants. */
  countAfter: string;
  countBefore: string;
};

/** When it is redeemed; a token counts if it was created between the two other instants. */
export type RedeemOptions = {
  at: string;
  after: string;
  before: string;
  /** Addresses that no existing user can change to. */
  reserved: readonly string[];
};

/** Rows added in the same transaction as the redemption, if the token's user still exists. */
export type RedeemAdditions = {
  session?: NewSession;
  /** A code for the browser that sent the token's challenge. Omitted without a challenge. */
  code?: { hash: string; method: string };
  /** A token with which any browser can choose a password. */
  invite?: { hash: string; codeHash: string };
};

/** No token was redeemed. `wrongCodes` counts the address's wrong codes, including this one. */
export type WrongCodeCount = { wrongCodes: number };

/** A consumed token. Without a user, its action is no longer possible. */
export type RedeemedToken = {
  token: TokenRecord;
  user: UserRecord | null;
  /** The address before it changed; null if it didn't. */
  formerEmail: string | null;
};

/** Without a user, the action of the code is no longer possible. */
export type RedeemedFlow = Omit<RedeemedToken, "token">;

/** Replaces the active refresh token `from` with `counter`. */
export type SessionRotation = { from: number; counter: number; parent: number; at: string };

/** Which of a user's sessions end. */
export type SessionSelection = "all" | { except: string };

export type UserChangeOptions = {
  /** Ends these sessions and everything pending: emails, codes and a change of address. */
  ends?: SessionSelection;
  /** The requesting session. If it no longer belongs to the user, nothing changes. */
  session?: string;
};

export type AddUserOutcome = "added" | "email_taken";

export type SessionOwner = { session: SessionRecord; user: UserRecord };

/** Rows created before these instants are deleted. */
export type IdentitySweep = { unconfirmed: string; sessions: string; tokens: string };

const noSubjects = () => [];

export const IDENTITY = {
  /** Adding the same ID again returns `added` too. Rejects a taken identity as `invalid`. */
  addUser:
    writes<(user: UserRecord, identity: IdentityRecord) => Promise<AddUserOutcome>>(noSubjects),
  userByEmail: readsUncached<(email: string) => Promise<UserRecord | null>>(),
  userById: readsUncached<(id: string) => Promise<UserRecord | null>>(),
  userByIdentity:
    readsUncached<(provider: string, subject: string) => Promise<UserRecord | null>>(),
  /** Number of users with an unconfirmed address, and the newest `limit` of them. */
  listUnconfirmed:
    readsUncached<(limit: number) => Promise<{ total: number; users: UserRecord[] }>>(),
  /** Oldest first. */
  identitiesOf: readsUncached<(userId: string) => Promise<IdentityRecord[]>>(),
  /** Null if the user doesn't exist or the requesting session has ended. */
  changeUser:
    writes<
      (
        id: string,
        changes: UserChanges,
        options?: UserChangeOptions,
      ) => Promise<UserRecord | "email_taken" | null>
    >(noSubjects),
  /** Adds an identity to a user, or records that it signed in again. */
  linkIdentity: writes<(identity: IdentityRecord) => Promise<void>>(noSubjects),
  /** Deletes all the user's data too; false if the user doesn't exist. */
  deleteUser: writes<(id: string) => Promise<boolean>>(noSubjects),
  /**
   * Applies a sign-up to a user without a password, and ends everything pending. Returns null,
   * changing nothing, if the user has a password or doesn't exist, or that session has ended.
   */
  setFirstPassword:
    writes<
      (id: string, signUp: PendingSignUp, at: string, session: string) => Promise<UserRecord | null>
    >(noSubjects),
  /** Adds a token and deletes those of the same user and purpose with the other hashes. */
  putToken:
    writes<(token: TokenRecord, replacedHashes: readonly string[]) => Promise<void>>(noSubjects),
  token: readsUncached<(hash: string) => Promise<TokenRecord | null>>(),
  /** The newest token of an email to that address; null if none was made after that instant. */
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
   * Consumes a token and applies its action, atomically. Each token works once. The first
   * confirmation of an address ends everything else that is pending for the user. Null if the token
   * doesn't exist or has expired.
   */
  redeem:
    writes<
      (
        key: LinkKey,
        options: RedeemOptions,
        additions?: RedeemAdditions,
      ) => Promise<RedeemedToken | null>
    >(noSubjects),
  /** The same by code. Wrong codes are counted, with the same writes for unknown addresses. */
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
  /** Each flow works once. */
  consumeFlow: writes<(hash: string) => Promise<FlowRecord | null>>(noSubjects),
  /**
   * Consumes a code, applies its action and adds the session, all or nothing. `options` are those
   * of an email change. Null without such a code, or without the token of its email change.
   */
  redeemFlow:
    writes<
      (hash: string, options: RedeemOptions, session: NewSession) => Promise<RedeemedFlow | null>
    >(noSubjects),
  /**
   * Adds the session of a user who signed in by password, and sets `lastSignInAt`. Returns null,
   * changing nothing, if the user no longer exists or no longer has the verified password hash.
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
  /** False if the session doesn't exist. */
  endSession: writes<(id: string) => Promise<boolean>>(noSubjects),
  /** Deletes expired rows. */
  sweep: writes<(cutoffs: IdentitySweep) => Promise<void>>(noSubjects),
};
