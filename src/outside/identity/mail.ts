// Mails with a link and six digits, and what is kept to know them again.

import { createHmac } from "node:crypto";

import { MINUTE_MS, HOUR_MS } from "#base/units/time.ts";
import { canonicalEmail } from "#data/access/canonical-email.ts";
import { hashToken } from "#data/access/token.ts";
import type {
  MailedPurpose,
  PendingSignUp,
  UserChanges,
  UserRecord,
} from "#data/store/identity.ts";

import { randomText } from "./ask.ts";
import type { IdentityParts } from "./ask.ts";
import { confirmPageOf } from "./deps.ts";
import { LIFETIME_MS } from "./limits.ts";
import type { SignUpLink, SignUps } from "./provider.ts";

const TOKEN_BYTES = 32;
const CODES = 1_000_000;
const CODE_DIGITS = 6;
/** GoTrue marks so a token that gives a code instead of a session. */
const PKCE_MARK = "pkce_";

export type MailRequest = {
  purpose: MailedPurpose;
  to: string;
  challenge: string | null;
  redirectTo: string | null;
  /** The client address that asks. */
  caller: string;
  /** The password and metadata of a sign-up, with the challenge of the same request. */
  signUp: PendingSignUp | null;
};

/** Makes a token for a user and mails it. Tokens of other requesters stay good. */
export async function mailToken(
  parts: IdentityParts,
  user: UserRecord,
  wanted: MailRequest & { purpose: "signup" | "recovery" },
): Promise<void> {
  parts.send(wanted.to, { type: wanted.purpose, ...(await makeToken(parts, user, wanted)) });
}

/**
 * Mails the link that moves an account to another address. For an address that is taken or reserved
 * the same is stored, and its holder hears of the attempt; the token then moves nothing.
 */
export async function mailChange(
  parts: IdentityParts,
  user: UserRecord,
  wanted: MailRequest,
): Promise<void> {
  const { to } = wanted;
  const holder = await parts.store.identity.userByEmail(to);
  const handle = await parts.handleOf(user.id);
  const made = await makeToken(parts, user, wanted);
  const isTaken = holder !== null && holder.emailConfirmedAt !== null;
  if (isTaken || parts.reserved().includes(to)) mailInUse(parts, to, "email_change", handle);
  else parts.send(to, { type: "email_change", handle, ...made });
}

/** Tells the holder of an address that it was typed in where only a new one can be used. */
export function mailInUse(
  parts: IdentityParts,
  to: string,
  attempt: "signup" | "email_change",
  handle: string | null,
): void {
  parts.send(to, { type: "email_in_use", at: parts.clock.wall().toISOString(), attempt, handle });
}

/** Stores a token; returns its link and code, with how long they are good. */
async function makeToken(parts: IdentityParts, user: UserRecord, wanted: MailRequest) {
  const { purpose, to, challenge, redirectTo, caller, signUp } = wanted;
  const at = parts.clock.wall().toISOString();
  const token = (challenge === null ? "" : PKCE_MARK) + randomText(parts, TOKEN_BYTES);
  const code = newCode(parts);
  const hash = hashToken(token);
  const codeHash = codeHashOf(parts, user.id, purpose, code);
  const about = { userId: user.id, purpose, email: to, challenge, signUp };
  const ends = parts.limits.issue({ userId: user.id, purpose, hash }, caller);
  await parts.store.identity.putToken({ hash, codeHash, tries: 0, createdAt: at, ...about }, ends);
  await parts.store.identity.changeUser(user.id, sentAt(purpose, at));
  const step = new URLSearchParams({ token, type: purpose });
  if (redirectTo !== null) step.set("redirect_to", redirectTo);
  const link = new URL(confirmPageOf(parts.settings()));
  link.hash = step.toString();
  return { link: link.href, code, ...LASTING };
}

/** An unconfirmed user is kept for some days after their latest sign-up. */
function sentAt(purpose: MailedPurpose, at: string): UserChanges {
  if (purpose === "signup") return { confirmationSentAt: at, updatedAt: at };
  return purpose === "recovery" ? { recoverySentAt: at } : {};
}

/** A token with which the browser that followed a link can choose a password. No code goes with it. */
export function makeInvite(parts: Pick<IdentityParts, "random">) {
  const token = randomText(parts, TOKEN_BYTES);
  const codeHash = hashToken(randomText(parts, TOKEN_BYTES));
  return { token, invite: { hash: hashToken(token), codeHash } };
}

/** How long both are good, for people. */
const LASTING = {
  linkHours: LIFETIME_MS.link / HOUR_MS,
  codeMinutes: LIFETIME_MS.digits / MINUTE_MS,
};

/** Tells a user what was done to their account. */
export function mailNews(
  parts: IdentityParts,
  to: string,
  type: "password_changed" | "email_changed",
): void {
  parts.send(to, { type, at: parts.clock.wall().toISOString() });
}

/** Six digits, all equally likely. */
function newCode({ random }: IdentityParts): string {
  const bytes = Buffer.from(random(6));
  // 48 bits: the remainder prefers no code by more than one in a hundred million.
  return String(bytes.readUIntBE(0, 6) % CODES).padStart(CODE_DIGITS, "0");
}

/** A bare hash of six digits is quickly reversed, so this one takes the server's key. */
export function codeHashOf(
  { secrets }: IdentityParts,
  userId: string,
  purpose: MailedPurpose,
  code: string,
): string {
  const key = secrets.derive("six digits of mails");
  return createHmac("sha256", key).update(`${userId} ${purpose} ${code}`).digest("hex");
}

/** Names an address where wrong codes are counted, known or not, without storing it. */
export function addressHashOf({ secrets }: IdentityParts, email: string): string {
  const key = secrets.derive("addresses with wrong codes");
  return createHmac("sha256", key).update(email).digest("hex");
}

export const isPkceToken = (token: string): boolean => token.startsWith(PKCE_MARK);

/** Unconfirmed sign-ups, and links for people whose email did not arrive. */
export function openSignUps(parts: IdentityParts): SignUps {
  const { identity } = parts.store;
  return {
    waiting: async (most) => {
      const { total, users } = await identity.unconfirmed(most);
      return { total, signUps: users.map(toSignUp) };
    },
    confirmLink: async (idOrEmail) => {
      const user = await sought(parts, idOrEmail);
      if (user === null || user.email === null || user.emailConfirmedAt !== null) return null;
      if (parts.reserved().includes(user.email)) return "reserved";
      return makeLink(parts, user.id, user.email);
    },
  };
}

const toSignUp = ({ id, email, createdAt, confirmationSentAt }: UserRecord) => ({
  id,
  email: email ?? "",
  signedUp: createdAt,
  emailRequested: confirmationSentAt,
});

async function sought({ store }: IdentityParts, idOrEmail: string): Promise<UserRecord | null> {
  const email = idOrEmail.includes("@") ? canonicalEmail(idOrEmail) : null;
  if (email !== null) return store.identity.userByEmail(email);
  return store.identity.userById(idOrEmail);
}

/**
 * Stores the token of a link that confirms the address, as an emailed one would. It has no password
 * with it, whatever was typed at sign-up: the browser that follows the link chooses one.
 */
async function makeLink(parts: IdentityParts, userId: string, email: string): Promise<SignUpLink> {
  const { store, clock } = parts;
  const token = randomText(parts, TOKEN_BYTES);
  const now = clock.wall();
  const record = {
    hash: hashToken(token),
    userId,
    purpose: "signup",
    email,
    // No code goes with it.
    codeHash: hashToken(randomText(parts, TOKEN_BYTES)),
    tries: 0,
    challenge: null,
    signUp: null,
    createdAt: now.toISOString(),
  } as const;
  await store.identity.putToken(record, []);
  const { baseUrl } = parts.settings();
  const link = new URL(confirmPageOf(parts.settings()));
  const redirect_to = `${baseUrl}/account`;
  link.hash = new URLSearchParams({ token, type: "signup", redirect_to }).toString();
  const expires = new Date(now.getTime() + LIFETIME_MS.link).toISOString();
  return { userId, link: link.href, expires };
}
