// What the link or the six digits of a mail do.

import { FIXED } from "#core/words/limits.ts";
import { hashToken } from "#data/access/token.ts";
import type { Redeemed, RedeemTimes, TokenPurpose } from "#data/store/identity.ts";
import { TOKEN_PURPOSES } from "#data/store/identity.ts";

import { redirectTarget } from "./address.ts";
import { ok } from "./answer.ts";
import type { IdentityAnswer } from "./answer.ts";
import { emailOf, textOf } from "./ask.ts";
import type { Ask, IdentityParts } from "./ask.ts";
import { IDENTITY_ERRORS, refused } from "./errors.ts";
import type { IdentityCode } from "./errors.ts";
import { LIFETIME_MS } from "./limits.ts";
import { codeHashOf, isPkceToken, mailNews } from "./mail.ts";
import { beginSession } from "./views.ts";

/** Follows a link. A browser that sent a challenge gets a code; any other is only confirmed. */
export async function followLink(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const limit = parts.limits.address("verify", ask.caller);
  if (limit !== null) return limit;
  const target = redirectTarget(parts, ask.query.get("redirect_to"));
  const token = ask.query.get("token") ?? "";
  const purpose = purposeOf(ask.query.get("type"));
  const times = timesOf(LIFETIME_MS.link, ask.now);
  const redeemed =
    purpose && (await parts.store.identity.redeem({ hash: hashToken(token), purpose }, times));
  if (redeemed === null)
    return { status: 303, location: withError(target, "otp_expired", isPkceToken(token)) };
  const { token: taken, user } = told(parts, redeemed);
  if (user === null)
    return { status: 303, location: withError(target, "email_exists", isPkceToken(token)) };
  if (taken.challenge !== null) {
    const code = await newCode(parts, user.id, taken.challenge, methodOf(taken.purpose), ask.now);
    target.searchParams.set("code", code);
  }
  return { status: 303, location: target.href };
}

const UUID_BYTES = 16;

/** RFC 9562, version 4: GoTrue's codes have this form. */
function randomUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString("hex");
  const version = `4${hex.slice(13, 16)}-a${hex.slice(17, 20)}`;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}-${hex.slice(20)}`;
}

/** A code that the browser of the challenge exchanges for a session. */
export async function newCode(
  { random, store }: Pick<IdentityParts, "random" | "store">,
  userId: string,
  challenge: string,
  method: string,
  now: Date,
): Promise<string> {
  const code = randomUuid(random(UUID_BYTES));
  const hash = hashToken(code);
  const createdAt = now.toISOString();
  await store.identity.addFlow({ kind: "code", hash, challenge, userId, method, createdAt });
  return code;
}

/** GoTrue's way: in the query for a browser with a challenge, and always in the fragment. */
export function withError(target: URL, code: IdentityCode, inQuery: boolean): string {
  const fields = {
    error: "access_denied",
    error_code: code,
    error_description: IDENTITY_ERRORS[code].text,
  };
  const url = new URL(target);
  if (inQuery)
    for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  url.hash = new URLSearchParams(fields).toString();
  return url.href;
}

/** Takes the hash of a link, or an address with its six digits, and gives a session. */
export async function verifyToken(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const limit = parts.limits.address("verify", ask.caller);
  if (limit !== null) return limit;
  const type = textOf(ask.body, "type");
  const purpose = purposeOf(type === "email" ? "signup" : type);
  if (purpose === null) return refused("validation_failed", "This type cannot be verified.");
  const link = textOf(ask.body, "token_hash");
  const redeemed =
    link === null
      ? await redeemCode(parts, ask, purpose)
      : await redeemLink(parts, ask, link, purpose);
  const user = redeemed && told(parts, redeemed).user;
  if (user === null) return refused("otp_expired");
  return ok(await beginSession(parts, user, methodOf(purpose), ask.now));
}

/** As long before now as something is good, and as long after: see `isGood`. */
function timesOf(lifetimeMs: number, now: Date): RedeemTimes {
  const shifted = (ms: number) => new Date(now.getTime() + ms).toISOString();
  return { at: now.toISOString(), after: shifted(-lifetimeMs), before: shifted(lifetimeMs) };
}

/** The old address hears of a new one. */
function told(parts: IdentityParts, redeemed: Redeemed): Redeemed {
  if (redeemed.formerEmail !== null) mailNews(parts, redeemed.formerEmail, "email_changed");
  return redeemed;
}

/** A link that is bound to a browser gives no session to anybody else. */
async function redeemLink(
  parts: IdentityParts,
  ask: Ask,
  link: string,
  purpose: TokenPurpose,
): Promise<Redeemed | null> {
  if (isPkceToken(link)) return null;
  const key = { hash: hashToken(link), purpose };
  return parts.store.identity.redeem(key, timesOf(LIFETIME_MS.link, ask.now));
}

async function redeemCode(
  parts: IdentityParts,
  ask: Ask,
  purpose: TokenPurpose,
): Promise<Redeemed | null> {
  const { identity } = parts.store;
  const userId = (await identity.userByEmail(emailOf(ask.body) ?? ""))?.id ?? "";
  const codeHash = codeHashOf(parts, userId, purpose, textOf(ask.body, "token") ?? "");
  const key = { userId, purpose, codeHash, mostTries: FIXED.wrong_codes };
  return identity.redeem(key, timesOf(LIFETIME_MS.digits, ask.now));
}

function purposeOf(type: string | null): TokenPurpose | null {
  return TOKEN_PURPOSES.find((purpose) => purpose === type) ?? null;
}

/** The words of GoTrue in `amr`. */
function methodOf(purpose: TokenPurpose): string {
  return purpose === "recovery" ? "recovery" : purpose === "signup" ? "email/signup" : "otp";
}
