// People as the embedded identity provider knows them, with whatever they hold that can be consumed
// or revoked. One-time tokens, codes and states are kept as hashes only. Nothing here is announced:
// a revoked session must be gone at once, so no answer is ever cached.

import { looks, writes } from "./method.ts";

/** The issuer of the embedded provider in the keys of accounts: the same at any address. */
export const EMBEDDED_ISSUER = "embedded";

/** GoTrue's types of emails with a link and a code. */
export const MAILED_PURPOSES = ["signup", "recovery", "email_change"] as const;
export type MailedPurpose = (typeof MAILED_PURPOSES)[number];
/** `invite`: given to the browser that followed a link, to choose a password. Never mailed. */
export type TokenPurpose = MailedPurpose | "invite";

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
  /** The number of the refresh token that was exchanged for the active one; -1 for the first. */
  parent: number;
  refreshedAt: string;
  /** How the user signed in. */
  method: string;
  createdAt: string;
};

/** A session that a proof of identity gives; whose it is follows from the proof. */
export type NewSession = Omit<SessionRecord, "userId">;

/**
 * The password and metadata of one sign-up. They take effect only if the browser that chose them
 * proves itself after the address was confirmed.
 */
export type PendingSignUp = { passwordHash: string; userData: UserRecord["userData"] };

/** A link and the six digits in the same email. Each request for an email makes its own. */
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
  /** Of a sign-up; from the same request as the challenge. */
  signUp: PendingSignUp | null;
  createdAt: string;
};

/** What a browser began and only it can end, because only it knows the verifier. */
export type FlowRecord = {
  /** Of the code that is exchanged, or of the state sent to another provider. */
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
      /** The token of an email change, which the exchange redeems. */
      tokenHash: string | null;
    }
  | { kind: "social"; provider: string; redirectTo: string }
);

/** The token of a link. */
export type LinkKey = { hash: string; purpose: TokenPurpose };

/** An address with the six digits of an email. An unknown address has the user id `""`. */
export type CodeKey = {
  userId: string;
  purpose: MailedPurpose;
  codeHash: string;
  /** Only the codes of this many newest tokens of the user and purpose count. */
  newest: number;
  /** Wrong codes after which an email's code is dead. */
  mostTries: number;
  /** A keyed hash of the address; wrong codes are counted by it across emails. */
  addressHash: string;
  /** Wrong codes after which no code of the address works... */
  mostWrong: number;
  /** ...counted from the first one, if that was made between these instants. */
  countAfter: string;
  countBefore: string;
};

/** When it is brought back; a token counts if it was made between the two other instants. */
export type RedeemTimes = {
  at: string;
  after: string;
  before: string;
  /** Addresses that no existing user can change to. */
  reserved: readonly string[];
};

/** Rows added in the same transaction as the redemption, if the token's user still exists. */
export type RedeemGains = {
  session?: NewSession;
  /** A code for the browser that sent the token's challenge. Not added without a challenge. */
  code?: { hash: string; method: string };
  /** A token with which any browser can choose a password. */
  invite?: { hash: string; codeHash: string };
};

/** No token was redeemed. `wrongCodes` counts the address's wrong codes, including this one. */
export type WrongCode = { wrongCodes: number };

/** A token that was taken. Without a user what it was for is no longer possible. */
export type Redeemed = {
  token: TokenRecord;
  user: UserRecord | null;
  /** The address before it moved; null if it did not. */
  formerEmail: string | null;
};

/** Without a user, what the code was for is no longer possible. */
export type RedeemedFlow = Omit<Redeemed, "token">;

/** Replaces the active refresh token `from` with `counter`. */
export type SessionRotation = { from: number; counter: number; parent: number; at: string };

/** Which sessions of a user end. */
export type EndOf = "all" | { except: string };

export type ChangeTerms = {
  /** Ends these sessions and everything pending: emails, codes and a change of address. */
  ends?: EndOf;
  /** The session that asks. If it is no longer one of the user's, nothing changes. */
  session?: string;
};

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
  /** Users with an address that nobody confirmed: how many, and the newest `most`. */
  unconfirmed: looks<(most: number) => Promise<{ total: number; users: UserRecord[] }>>(),
  /** By age. */
  identitiesOf: looks<(userId: string) => Promise<IdentityRecord[]>>(),
  /** Null when there is no such user, or the session that asks has ended. */
  changeUser:
    writes<
      (
        id: string,
        changes: UserChanges,
        terms?: ChangeTerms,
      ) => Promise<UserRecord | "email_taken" | null>
    >(silent),
  /** Adds an identity to a user, or notes that it signed in again. */
  linkIdentity: writes<(identity: IdentityRecord) => Promise<void>>(silent),
  /** With everything of theirs; false when there is no such user. */
  deleteUser: writes<(id: string) => Promise<boolean>>(silent),
  /**
   * Gives a user who has no password what a sign-up asked for, and ends everything pending. Null,
   * and nothing changes, if the user has a password or is gone, or that session has ended.
   */
  setFirstPassword:
    writes<
      (id: string, signUp: PendingSignUp, at: string, session: string) => Promise<UserRecord | null>
    >(silent),
  /** Adds a token and deletes those of the same user and purpose with the other hashes. */
  putToken: writes<(token: TokenRecord, ends: readonly string[]) => Promise<void>>(silent),
  token: looks<(hash: string) => Promise<TokenRecord | null>>(),
  /** The newest token of an email to that address; null if none was made after that instant. */
  pendingToken:
    looks<
      (
        userId: string,
        purpose: TokenPurpose,
        email: string,
        after: string,
      ) => Promise<TokenRecord | null>
    >(),
  /**
   * Takes a token and does what it is for, both or neither. Each is given once. The first
   * confirmation of an address ends everything else that is pending for the user. Null without such
   * a token, or one that is too old.
   */
  redeem:
    writes<(key: LinkKey, times: RedeemTimes, gains?: RedeemGains) => Promise<Redeemed | null>>(
      silent,
    ),
  /** The same by code. Wrong codes count, for unknown addresses too, with the same writes. */
  redeemCode:
    writes<
      (key: CodeKey, times: RedeemTimes, gains?: RedeemGains) => Promise<Redeemed | WrongCode>
    >(silent),
  addFlow: writes<(flow: FlowRecord) => Promise<void>>(silent),
  flow: looks<(hash: string) => Promise<FlowRecord | null>>(),
  /** Each flow is given once. */
  takeFlow: writes<(hash: string) => Promise<FlowRecord | null>>(silent),
  /**
   * Takes a code, does what waited for it and adds the session, all or nothing. `times` are those of
   * an email change. Null without such a code, or without the token of its email change.
   */
  redeemFlow:
    writes<(hash: string, times: RedeemTimes, session: NewSession) => Promise<RedeemedFlow | null>>(
      silent,
    ),
  /**
   * Adds the session of a user who signed in by password, and sets `lastSignInAt`. Null, and nothing
   * changes, if the user is gone or no longer has the password hash that was verified.
   */
  addSession:
    writes<(session: SessionRecord, passwordHash: string | null) => Promise<UserRecord | null>>(
      silent,
    ),
  session: looks<(id: string) => Promise<SessionOwner | null>>(),
  /** How many sessions of browsers and apps there are. */
  sessionCount: looks<() => Promise<number>>(),
  /** Does nothing unless `from` is the active token. Returns the session as it is afterwards. */
  rotateSession:
    writes<(id: string, rotation: SessionRotation) => Promise<SessionRecord | null>>(silent),
  /** False when there is no such session. */
  endSession: writes<(id: string) => Promise<boolean>>(silent),
  /** Forgets what nobody can use any more. */
  sweep: writes<(before: IdentitySweep) => Promise<void>>(silent),
};
