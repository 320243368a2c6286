// People as the embedded identity provider knows them, with whatever they hold that can be consumed
// or revoked. One-time tokens, codes and states are kept as hashes only. Nothing here is announced:
// a revoked session must be gone at once, so no answer is ever cached.

import { looks, writes } from "./method.ts";

/** The issuer of the embedded provider in the keys of accounts: the same at any address. */
export const EMBEDDED_ISSUER = "embedded";

/** The words of GoTrue for what a link in a mail does. */
export const TOKEN_PURPOSES = ["signup", "recovery", "email_change"] as const;
export type TokenPurpose = (typeof TOKEN_PURPOSES)[number];

/** All times are UTC ISO-8601 instants. */
export type UserRecord = {
  /** A UUID: the subject of every token. */
  id: string;
  /** In lower case and unique; null for somebody whose provider confirmed no address. */
  email: string | null;
  emailConfirmedAt: string | null;
  /** The address that a pending change asks for. */
  newEmail: string | null;
  /** A PHC string; null without a password. */
  passwordHash: string | null;
  /** What users write about themselves: never trusted. */
  userData: Readonly<Record<string, unknown>>;
  confirmationSentAt: string | null;
  recoverySentAt: string | null;
  lastSignInAt: string | null;
  createdAt: string;
  updatedAt: string;
};

export type UserChanges = Partial<Omit<UserRecord, "id" | "createdAt">>;

/** A way in which a user signs in. `subject` is the provider's id of the user. */
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
  /** The client that acts for the user, with what it may ask for; null for a browser. */
  client: { id: string; scope: string; resource: string } | null;
  /** The number of the active refresh token. */
  counter: number;
  refreshedAt: string;
  /** How the user signed in. */
  method: string;
  createdAt: string;
};

/** A link and the six digits in the same mail. A user has one of each purpose. */
export type TokenRecord = {
  hash: string;
  userId: string;
  purpose: TokenPurpose;
  /** The address that it was sent to. */
  email: string;
  codeHash: string;
  /** Wrong codes so far. */
  tries: number;
  /** The PKCE challenge of the browser that asked for the mail, if it sent one. */
  challenge: string | null;
  createdAt: string;
};

/** What a browser began and only it can end, because only it knows the verifier. */
export type FlowRecord = {
  /** Of the code that is exchanged, or of the state sent to another provider. */
  hash: string;
  challenge: string;
  createdAt: string;
} & (
  | { kind: "code"; userId: string; method: string }
  | { kind: "social"; provider: string; redirectTo: string }
);

/** What a mail brought back: its link, or an address with the six digits. */
export type TokenKey =
  | { hash: string; purpose: TokenPurpose }
  | { userId: string; purpose: TokenPurpose; codeHash: string; mostTries: number };

/** When it is brought back; a token counts if it was made between the two other instants. */
export type RedeemTimes = { at: string; after: string; before: string };

/** A token that was taken. Without a user what it was for is no longer possible. */
export type Redeemed = {
  token: TokenRecord;
  user: UserRecord | null;
  /** The address before it moved; null if it did not. */
  formerEmail: string | null;
};

/** Which sessions of a user end. */
export type EndOf = "all" | { except: string };

export type AddUserOutcome = "added" | "email_taken";

export type SessionOwner = { session: SessionRecord; user: UserRecord };

/** Rows made before these instants go. */
export type IdentitySweep = { unconfirmed: string; sessions: string; tokens: string };

const silent = () => [];

export const IDENTITY = {
  /** Adding the same id again is `added` too. A taken identity is refused as `invalid`. */
  addUser: writes<(user: UserRecord, identity: IdentityRecord) => Promise<AddUserOutcome>>(silent),
  userByEmail: looks<(email: string) => Promise<UserRecord | null>>(),
  userById: looks<(id: string) => Promise<UserRecord | null>>(),
  userByIdentity: looks<(provider: string, subject: string) => Promise<UserRecord | null>>(),
  /** By age. */
  identitiesOf: looks<(userId: string) => Promise<IdentityRecord[]>>(),
  /**
   * Null when there is no such user. With `ends` those sessions go too, and whatever is pending:
   * mails, codes, and a change of address.
   */
  changeUser:
    writes<
      (id: string, changes: UserChanges, ends?: EndOf) => Promise<UserRecord | "email_taken" | null>
    >(silent),
  /** Adds an identity to a user, or notes that it signed in again. */
  linkIdentity: writes<(identity: IdentityRecord) => Promise<void>>(silent),
  /** With everything of theirs; false when there is no such user. */
  deleteUser: writes<(id: string) => Promise<boolean>>(silent),
  /** Gives an unconfirmed user what their latest sign-up said; null once they are confirmed. */
  replaceSignUp:
    writes<
      (
        id: string,
        next: Pick<UserRecord, "passwordHash" | "userData" | "updatedAt">,
      ) => Promise<UserRecord | null>
    >(silent),
  /** Of a user's tokens for one purpose the newest `mailed_tokens` are kept. */
  putToken: writes<(token: TokenRecord) => Promise<void>>(silent),
  /** A token that can still be used, whatever for; null if none was made after that instant. */
  pendingToken:
    looks<(userId: string, purpose: TokenPurpose, after: string) => Promise<TokenRecord | null>>(),
  /**
   * Takes a token and does what it is for, both or neither. Each is given once. After too many
   * wrong ones the six digits are dead. Null without such a token, or one that is too old.
   */
  redeem: writes<(key: TokenKey, times: RedeemTimes) => Promise<Redeemed | null>>(silent),
  addFlow: writes<(flow: FlowRecord) => Promise<void>>(silent),
  flow: looks<(hash: string) => Promise<FlowRecord | null>>(),
  /** Each flow is given once. */
  takeFlow: writes<(hash: string) => Promise<FlowRecord | null>>(silent),
  addSession: writes<(session: SessionRecord) => Promise<void>>(silent),
  session: looks<(id: string) => Promise<SessionOwner | null>>(),
  /** Moves on to the next number if this is the active one. Returns the session as it is then. */
  rotateSession:
    writes<(id: string, counter: number, at: string) => Promise<SessionRecord | null>>(silent),
  /** False when there is no such session. */
  endSession: writes<(id: string) => Promise<boolean>>(silent),
  /** Those sessions, and whatever is pending. */
  endSessions: writes<(userId: string, which: EndOf) => Promise<void>>(silent),
  /** Forgets what nobody can use any more. */
  sweep: writes<(before: IdentitySweep) => Promise<void>>(silent),
};
