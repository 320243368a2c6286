// What the link or the six digits of a mail do.

import { FIXED } from "#core/words/limits.ts";
import type { TokenPurpose, TokenRecord, UserRecord } from "#data/store/identity.ts";
import { TOKEN_PURPOSES } from "#data/store/identity.ts";
import { hashToken } from "#data/store/token.ts";

import { redirectTarget } from "./address.ts";
import { ok } from "./answer.ts";
import type { IdentityAnswer } from "./answer.ts";
import { emailOf, textOf } from "./ask.ts";
import type { Ask, IdentityParts } from "./ask.ts";
import { IDENTITY_ERRORS, refused } from "./errors.ts";
import type { IdentityCode } from "./errors.ts";
import { isGood, LIFETIME_MS } from "./limits.ts";
import { codeHashOf, isPkceToken, mailNews } from "./mail.ts";
import { beginSession } from "./views.ts";

/** Follows a link. A browser that sent a challenge gets a code; any other is only confirmed. */
export async function followLink(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const limit = parts.limits.address("verify", ask.caller);
  if (limit !== null) return limit;
  const target = redirectTarget(parts, ask.query.get("redirect_to"));
  const token = ask.query.get("token") ?? "";
  const purpose = purposeOf(ask.query.get("type"));
  const taken = purpose && (await parts.store.identity.takeToken(hashToken(token)));
  if (
    taken?.purpose !== purpose ||
    taken === null ||
    !isGood(taken.createdAt, LIFETIME_MS.link, ask.now)
  )
    return { status: 303, location: withError(target, "otp_expired", isPkceToken(token)) };
  const user = await confirm(parts, taken, ask.now);
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
  const taken =
    link === null ? await takeByCode(parts, ask, purpose) : await takeByLink(parts, ask, link);
  const isWhole = taken !== null && taken.purpose === purpose;
  const user = isWhole ? await confirm(parts, taken, ask.now) : null;
  if (user === null) return refused("otp_expired");
  return ok(await beginSession(parts, user, methodOf(purpose), ask.now));
}

/** A link that is bound to a browser gives no session to anybody else. */
async function takeByLink(
  parts: IdentityParts,
  ask: Ask,
  link: string,
): Promise<TokenRecord | null> {
  if (isPkceToken(link)) return null;
  const taken = await parts.store.identity.takeToken(hashToken(link));
  return taken !== null && isGood(taken.createdAt, LIFETIME_MS.link, ask.now) ? taken : null;
}

async function takeByCode(
  parts: IdentityParts,
  ask: Ask,
  purpose: TokenPurpose,
): Promise<TokenRecord | null> {
  const { identity } = parts.store;
  const user = await identity.userByEmail(emailOf(ask.body) ?? "");
  const code = textOf(ask.body, "token") ?? "";
  const hash = codeHashOf(parts, user?.id ?? "", purpose, code);
  const taken = await identity.tryCode(user?.id ?? "", purpose, hash, FIXED.wrong_codes);
  return taken !== null && isGood(taken.createdAt, LIFETIME_MS.digits, ask.now) ? taken : null;
}

function purposeOf(type: string | null): TokenPurpose | null {
  return TOKEN_PURPOSES.find((purpose) => purpose === type) ?? null;
}

/** The words of GoTrue in `amr`. */
function methodOf(purpose: TokenPurpose): string {
  return purpose === "recovery" ? "recovery" : purpose === "signup" ? "email/signup" : "otp";
}

/** Does what the mail was for; null when that is no longer possible. */
async function confirm(
  parts: IdentityParts,
  token: TokenRecord,
  now: Date,
): Promise<UserRecord | null> {
  const { identity } = parts.store;
  const user = await identity.userById(token.userId);
  if (user === null) return null;
  if (token.purpose === "email_change") return moveAddress(parts, user, token.email, now);
  if (user.email !== token.email) return null;
  if (user.emailConfirmedAt !== null) return user;
  const at = now.toISOString();
  // Somebody else may have chosen the password of an address that nobody had confirmed.
  const forgotten = token.purpose === "recovery" ? { passwordHash: null } : {};
  const changes = { emailConfirmedAt: at, updatedAt: at, ...forgotten };
  const changed = await identity.changeUser(user.id, changes);
  return changed === "email_taken" ? null : changed;
}

async function moveAddress(
  parts: IdentityParts,
  user: UserRecord,
  email: string,
  now: Date,
): Promise<UserRecord | null> {
  if (user.newEmail !== email) return null;
  const { identity } = parts.store;
  const at = now.toISOString();
  const changes = { email, newEmail: null, emailConfirmedAt: at, updatedAt: at };
  const changed = await identity.changeUser(user.id, changes);
  if (changed === null || changed === "email_taken") return null;
  const known = (await identity.identitiesOf(user.id)).find(({ provider }) => provider === "email");
  if (known !== undefined) await identity.linkIdentity({ ...known, email });
  if (user.email !== null) mailNews(parts, user.email, "email_changed");
  return changed;
}
