import { createHmac } from "node:crypto";

import { MINUTE_MS, HOUR_MS } from "#base/util/time.ts";
import { canonicalEmail } from "#data/credentials/canonical-email.ts";
import { hashToken } from "#data/credentials/token.ts";
import type { EmailPurpose, PendingSignUp, UserChanges, UserRecord } from "#data/store/identity.ts";

import { randomText } from "./identity-context.ts";
import type { IdentityServices } from "./identity-context.ts";
import { confirmPageOf } from "./identity-deps.ts";
import { LIFETIME_MS } from "./identity-limits.ts";
import type { SignUpLink, SignUps } from "./identity-provider.ts";

const TOKEN_BYTES = 32;
const CODES = 1_000_000;
const CODE_DIGITS = 6;
/** GoTrue's prefix for tokens that return a code instead of a session. */
const PKCE_PREFIX = "pkce_";

export type MailRequest = {
  purpose: EmailPurpose;
  to: string;
  challenge: string | null;
  redirectTo: string | null;
  caller: string;
  /** Password hash and metadata from the sign-up request that also sent the challenge. */
  signUp: PendingSignUp | null;
};

/**
 * Stores a token for the user and emails its link and code. Tokens that other callers requested
 * stay valid.
 */
export async function sendTokenEmail(
  services: IdentityServices,
  user: UserRecord,
  mailRequest: MailRequest & { purpose: "signup" | "recovery" },
): Promise<void> {
  services.send(mailRequest.to, {
    type: mailRequest.purpose,
    ...(await createTokenLink(services, user, mailRequest)),
  });
}

/**
 * Emails the link for an email change. If the address is taken or reserved, stores a token that has
 * no effect, so that the work is the same, and notifies the address's owner instead.
 */
export async function sendEmailChange(
  services: IdentityServices,
  user: UserRecord,
  mailRequest: MailRequest,
): Promise<void> {
  const { to } = mailRequest;
  const addressOwner = await services.store.identity.userByEmail(to);
  const handle = await services.handleOf(user.id);
  const tokenLink = await createTokenLink(services, user, mailRequest);
  const isTaken = addressOwner !== null && addressOwner.emailConfirmedAt !== null;
  if (isTaken || services.reserved().includes(to))
    sendEmailInUse(services, to, "email_change", handle);
  else services.send(to, { type: "email_change", handle, ...tokenLink });
}

export function sendEmailInUse(
  services: IdentityServices,
  to: string,
  attempt: "signup" | "email_change",
  handle: string | null,
): void {
  services.send(to, {
    type: "email_in_use",
    at: services.clock.wall().toISOString(),
    attempt,
    handle,
  });
}

async function createTokenLink(
  services: IdentityServices,
  user: UserRecord,
  mailRequest: MailRequest,
) {
  const { purpose, to, challenge, redirectTo, caller, signUp } = mailRequest;
  const at = services.clock.wall().toISOString();
  const token = (challenge === null ? "" : PKCE_PREFIX) + randomText(services, TOKEN_BYTES);
  const code = randomDigits(services);
  const hash = hashToken(token);
  const codeHash = codeHashOf(services, user.id, purpose, code);
  const tokenFields = { userId: user.id, purpose, email: to, challenge, signUp };
  const replacedHashes = services.limits.trackToken({ userId: user.id, purpose, hash }, caller);
  await services.store.identity.putToken(
    { hash, codeHash, tries: 0, createdAt: at, ...tokenFields },
    replacedHashes,
  );
  await services.store.identity.changeUser(user.id, sentAt(purpose, at));
  const linkParams = new URLSearchParams({ token, type: purpose });
  if (redirectTo !== null) linkParams.set("redirect_to", redirectTo);
  const link = new URL(confirmPageOf(services.settings()));
  link.hash = linkParams.toString();
  return { link: link.href, code, ...LIFETIMES };
}

/** `confirmationSentAt` determines when an unconfirmed user is deleted. */
function sentAt(purpose: EmailPurpose, at: string): UserChanges {
  if (purpose === "signup") return { confirmationSentAt: at, updatedAt: at };
  return purpose === "recovery" ? { recoverySentAt: at } : {};
}

/**
 * Creates the token with which the browser that followed a link can set a password. An invite has
 * no 6-digit code.
 */
export function createInvite(services: Pick<IdentityServices, "random">) {
  const token = randomText(services, TOKEN_BYTES);
  const codeHash = hashToken(randomText(services, TOKEN_BYTES));
  return { token, invite: { hash: hashToken(token), codeHash } };
}

const LIFETIMES = {
  linkHours: LIFETIME_MS.link / HOUR_MS,
  codeMinutes: LIFETIME_MS.digits / MINUTE_MS,
};

export function sendSecurityNotice(
  services: IdentityServices,
  to: string,
  type: "password_changed" | "email_changed",
): void {
  services.send(to, { type, at: services.clock.wall().toISOString() });
}

function randomDigits({ random }: IdentityServices): string {
  const bytes = Buffer.from(random(6));
  // 48 random bits keep the modulo bias below one in a hundred million.
  return String(bytes.readUIntBE(0, 6) % CODES).padStart(CODE_DIGITS, "0");
}

/** Returns a keyed hash. A plain hash of a 6-digit code is easily reversed. */
export function codeHashOf(
  { secrets }: IdentityServices,
  userId: string,
  purpose: EmailPurpose,
  code: string,
): string {
  const key = secrets.derive("six digits of mails");
  return createHmac("sha256", key).update(`${userId} ${purpose} ${code}`).digest("hex");
}

/**
 * Returns the key under which wrong codes for an address are counted. The address itself isn't
 * stored and needn't have an account.
 */
export function addressHashOf({ secrets }: IdentityServices, email: string): string {
  const key = secrets.derive("addresses with wrong codes");
  return createHmac("sha256", key).update(email).digest("hex");
}

export const isPkceToken = (token: string): boolean => token.startsWith(PKCE_PREFIX);

export function openSignUps(services: IdentityServices): SignUps {
  const { identity } = services.store;
  return {
    listUnconfirmed: async (limit) => {
      const { total, users } = await identity.listUnconfirmed(limit);
      return { total, signUps: users.map(toSignUp) };
    },
    confirmLink: async (idOrEmail) => {
      const user = await findUser(services, idOrEmail);
      if (user === null || user.email === null || user.emailConfirmedAt !== null) return null;
      if (services.reserved().includes(user.email)) return "reserved";
      return createSignUpLink(services, user.id, user.email);
    },
  };
}

const toSignUp = ({ id, email, createdAt, confirmationSentAt }: UserRecord) => ({
  id,
  email: email ?? "",
  signedUp: createdAt,
  emailRequested: confirmationSentAt,
});

async function findUser(
  { store }: IdentityServices,
  idOrEmail: string,
): Promise<UserRecord | null> {
  const email = idOrEmail.includes("@") ? canonicalEmail(idOrEmail) : null;
  if (email !== null) return store.identity.userByEmail(email);
  return store.identity.userById(idOrEmail);
}

/**
 * Stores and returns a link that confirms the address like an emailed link. Passwords from earlier
 * sign-ups are ignored: the browser that follows the link sets a new one.
 */
async function createSignUpLink(
  services: IdentityServices,
  userId: string,
  email: string,
): Promise<SignUpLink> {
  const { store, clock } = services;
  const token = randomText(services, TOKEN_BYTES);
  const now = clock.wall();
  const record = {
    hash: hashToken(token),
    userId,
    purpose: "signup",
    email,
    // The link has no 6-digit code, so this hash matches nothing.
    codeHash: hashToken(randomText(services, TOKEN_BYTES)),
    tries: 0,
    challenge: null,
    signUp: null,
    createdAt: now.toISOString(),
  } as const;
  await store.identity.putToken(record, []);
  const { baseUrl } = services.settings();
  const link = new URL(confirmPageOf(services.settings()));
  const redirect_to = `${baseUrl}/account`;
  link.hash = new URLSearchParams({ token, type: "signup", redirect_to }).toString();
  const expires = new Date(now.getTime() + LIFETIME_MS.link).toISOString();
  return { userId, link: link.href, expires };
}
