// Mails with a link and six digits, and what is kept to know them again.

import { createHmac } from "node:crypto";

import { MINUTE_MS, HOUR_MS } from "#base/units/time.ts";
import { hashToken } from "#data/access/token.ts";
import type { TokenPurpose, UserRecord } from "#data/store/identity.ts";

import { randomText } from "./ask.ts";
import type { IdentityParts } from "./ask.ts";
import { confirmPageOf } from "./deps.ts";
import { LIFETIME_MS } from "./limits.ts";

const TOKEN_BYTES = 32;
const CODES = 1_000_000;
const CODE_DIGITS = 6;
/** GoTrue marks so a token that gives a code instead of a session. */
const PKCE_MARK = "pkce_";

export type MailRequest = {
  purpose: TokenPurpose;
  to: string;
  challenge: string | null;
  redirectTo: string | null;
};

/** Makes a token for a user and mails it; an earlier one of the same purpose ends. */
export async function mailToken(parts: IdentityParts, user: UserRecord, wanted: MailRequest) {
  const { purpose, to, challenge, redirectTo } = wanted;
  const at = parts.clock.wall().toISOString();
  const token = (challenge === null ? "" : PKCE_MARK) + randomText(parts, TOKEN_BYTES);
  const code = newCode(parts);
  await parts.store.identity.putToken({
    hash: hashToken(token),
    userId: user.id,
    purpose,
    email: to,
    codeHash: codeHashOf(parts, user.id, purpose, code),
    tries: 0,
    challenge,
    createdAt: at,
  });
  const sent =
    purpose === "signup"
      ? { confirmationSentAt: at }
      : purpose === "recovery"
        ? { recoverySentAt: at }
        : {};
  await parts.store.identity.changeUser(user.id, sent);
  const step = new URLSearchParams({ token, type: purpose });
  if (redirectTo !== null) step.set("redirect_to", redirectTo);
  const link = new URL(confirmPageOf(parts.settings()));
  link.hash = step.toString();
  parts.send(to, { type: purpose, link: link.href, code, ...LASTING });
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
  purpose: TokenPurpose,
  code: string,
): string {
  const key = secrets.derive("six digits of mails");
  return createHmac("sha256", key).update(`${userId} ${purpose} ${code}`).digest("hex");
}

export const isPkceToken = (token: string): boolean => token.startsWith(PKCE_MARK);
