// What the link or the six digits of a mail do.

import { DAY_MS } from "#base/units/time.ts";
import { FIXED } from "#core/words/limits.ts";
import { hashToken } from "#data/access/token.ts";
import type {
  CodeKey,
  FlowRecord,
  LinkKey,
  MailedPurpose,
  NewSession,
  Redeemed,
  RedeemedFlow,
  RedeemGains,
  RedeemTimes,
  TokenPurpose,
  UserRecord,
} from "#data/store/identity.ts";
import { MAILED_PURPOSES } from "#data/store/identity.ts";

import type { Bearer } from "./access-token.ts";
import { accountTarget, tellAccountPage } from "./address.ts";
import { ok } from "./answer.ts";
import type { IdentityAnswer } from "./answer.ts";
import { emailOf, textOf } from "./ask.ts";
import type { Ask, IdentityParts } from "./ask.ts";
import { IDENTITY_ERRORS, refused } from "./errors.ts";
import type { IdentityCode, IdentityRefusal } from "./errors.ts";
import { isGood, LIFETIME_MS } from "./limits.ts";
import { addressHashOf, codeHashOf, isPkceToken, mailNews, makeInvite } from "./mail.ts";
import { readPassword } from "./sign-up.ts";
import { newSession, sessionView } from "./views.ts";

/**
 * Follows a link, which confirms the address in any browser. If the email was requested with a PKCE
 * challenge, the response carries a code, and the password of that sign-up takes effect when its
 * browser exchanges the code. On our own pages, any browser can choose a password instead.
 */
export async function followLink(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const limit = parts.limits.address("verify", ask.caller);
  if (limit !== null) return limit;
  const target = accountTarget(parts, ask.query.get("redirect_to"));
  const link = ask.query.get("token") ?? "";
  const purpose = mailedPurpose(ask.query.get("type"));
  const fails = (code: IdentityCode) =>
    seeOther(new URL(withError(target, code, isPkceToken(link))));
  if (purpose === "email_change") return followChange(parts, ask, hashToken(link), target, fails);
  const key = purpose && { hash: hashToken(link), purpose };
  const code = randomCode(parts);
  const { invite, token: token_hash } = makeInvite(parts);
  const redeemed =
    key &&
    (await redeem(parts, key, LIFETIME_MS.link, ask.now, {
      code: { hash: hashToken(code), method: methodOf(key.purpose) },
      invite,
    }));
  if (redeemed === null || redeemed.user === null) return fails("otp_expired");
  const { challenge, purpose: type } = redeemed.token;
  if (challenge !== null) target.searchParams.set("code", code);
  tellAccountPage(target, { type, token_hash });
  return seeOther(target);
}

const seeOther = ({ href }: URL): IdentityAnswer => ({ status: 303, location: href });

/**
 * The address of an account moves only in the browser that asked for it, when that exchanges its
 * code. Anywhere else the link does nothing, and can still be followed in that browser.
 */
async function followChange(
  parts: IdentityParts,
  ask: Ask,
  hash: string,
  target: URL,
  fails: (code: IdentityCode) => IdentityAnswer,
): Promise<IdentityAnswer> {
  const token = await parts.store.identity.token(hash);
  const isPending =
    token?.purpose === "email_change" && isGood(token.createdAt, LIFETIME_MS.link, ask.now);
  if (!isPending) return fails("otp_expired");
  const { userId, challenge, purpose } = token;
  if (challenge === null) return fails("bad_code_verifier");
  const flow = { userId, challenge, method: methodOf(purpose), signUp: null, tokenHash: hash };
  target.searchParams.set("code", await newCode(parts, flow, ask.now));
  tellAccountPage(target, { type: purpose });
  return seeOther(target);
}

/**
 * Exchanges a code for its session, and does what waited for the browser that asked: its password
 * takes effect, or the address moves.
 */
export async function redeemFlow(
  parts: IdentityParts,
  hash: string,
  session: NewSession,
  now: Date,
): Promise<RedeemedFlow | null> {
  const times = timesOf(parts, LIFETIME_MS.link, now);
  const redeemed = await parts.store.identity.redeemFlow(hash, times, session);
  if (redeemed !== null) notifyFormer(parts, redeemed);
  return redeemed;
}

const UUID_BYTES = 16;

/** RFC 9562, version 4: GoTrue's codes have this form. */
function randomUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString("hex");
  const version = `4${hex.slice(13, 16)}-a${hex.slice(17, 20)}`;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}-${hex.slice(20)}`;
}

const randomCode = ({ random }: Pick<IdentityParts, "random">): string =>
  randomUuid(random(UUID_BYTES));

/** A code that the browser of the challenge exchanges for a session. */
export async function newCode(
  parts: Pick<IdentityParts, "random" | "store">,
  flow: Omit<Extract<FlowRecord, { kind: "code" }>, "kind" | "hash" | "createdAt">,
  now: Date,
): Promise<string> {
  const code = randomCode(parts);
  const createdAt = now.toISOString();
  await parts.store.identity.addFlow({ kind: "code", hash: hashToken(code), createdAt, ...flow });
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
  const password = readTypedPassword(ask);
  if (password !== null && typeof password !== "string") return password;
  const link = textOf(ask.body, "token_hash");
  const begun = newSession(parts, methodOf(purpose), ask.now);
  const redeemed =
    link === null
      ? await redeemCode(parts, ask, purpose, begun)
      : await redeemLink(parts, ask, link, purpose, begun);
  if (redeemed !== null) notifyFormer(parts, redeemed);
  if (redeemed === null || redeemed.user === null) return refused("otp_expired");
  const { user } = redeemed;
  const bearer = { user, session: { ...begun, userId: user.id } };
  const isTyped = password !== null && link === null && purpose === "signup";
  const known = isTyped ? await withPassword(parts, bearer, password, redeemed, ask) : user;
  return ok(await sessionView(parts, { ...bearer, user: known }, ask.now));
}

/**
 * Returns the email address of an invite without using it up, so that the page can name the account
 * before a password is chosen. Anyone can send a link to their own account.
 */
export async function readInvite(parts: IdentityParts, ask: Ask): Promise<IdentityAnswer> {
  const limit = parts.limits.address("verify", ask.caller);
  if (limit !== null) return limit;
  const token = await parts.store.identity.token(hashToken(textOf(ask.body, "token_hash") ?? ""));
  const isUsable =
    token?.purpose === "invite" && isGood(token.createdAt, LIFETIME_MS.choice, ask.now);
  return isUsable ? ok({ email: token.email }) : refused("otp_expired");
}

/** The password that our page sends with the code of a sign-up. GoTrue has no such field. */
function readTypedPassword({ body }: Ask): string | null | IdentityRefusal {
  if (body["password"] === undefined || body["password"] === null) return null;
  return readPassword(textOf(body, "password"));
}

/**
 * The password typed with the code becomes the user's: who typed both also reads the mailbox.
 * It may differ from the password of that sign-up, whose metadata is then dropped. When too many
 * passwords wait to be hashed the user is left without one, and the page asks for it.
 */
async function withPassword(
  parts: IdentityParts,
  { user, session }: Bearer,
  typed: string,
  { token: { signUp } }: Redeemed,
  { caller, now }: Ask,
): Promise<UserRecord> {
  const { hasher, store } = parts;
  const isSame =
    signUp !== null && (await hasher.verify(typed, signUp.passwordHash, caller)) === true;
  const passwordHash = isSame ? signUp.passwordHash : await hasher.hash(typed, caller);
  if (passwordHash === null) return user;
  const first = { passwordHash, userData: isSame ? signUp.userData : {} };
  const at = now.toISOString();
  return (await store.identity.setFirstPassword(user.id, first, at, session.id)) ?? user;
}

/** As long before now as something is good, and as long after: see `isGood`. */
function around(lifetimeMs: number, now: Date): { after: string; before: string } {
  const shifted = (ms: number) => new Date(now.getTime() + ms).toISOString();
  return { after: shifted(-lifetimeMs), before: shifted(lifetimeMs) };
}

function timesOf({ reserved }: IdentityParts, lifetimeMs: number, now: Date): RedeemTimes {
  return { at: now.toISOString(), ...around(lifetimeMs, now), reserved: reserved() };
}

function redeem(
  parts: IdentityParts,
  key: LinkKey,
  lifetimeMs: number,
  now: Date,
  gains: RedeemGains,
): Promise<Redeemed | null> {
  return parts.store.identity.redeem(key, timesOf(parts, lifetimeMs, now), gains);
}

/** Tells the old address that the account has moved. */
function notifyFormer(parts: IdentityParts, { formerEmail }: RedeemedFlow): void {
  if (formerEmail !== null) mailNews(parts, formerEmail, "email_changed");
}

/**
 * A link that is bound to a browser gives no session to anybody else. An account never moves to an
 * address by link alone: its holder may be a stranger to the person who reads that mailbox.
 */
async function redeemLink(
  parts: IdentityParts,
  ask: Ask,
  link: string,
  purpose: TokenPurpose,
  session: NewSession,
): Promise<Redeemed | null> {
  if (isPkceToken(link) || purpose === "email_change") return null;
  const lifetime = purpose === "invite" ? LIFETIME_MS.choice : LIFETIME_MS.link;
  return redeem(parts, { hash: hashToken(link), purpose }, lifetime, ask.now, { session });
}

async function redeemCode(
  parts: IdentityParts,
  ask: Ask,
  purpose: TokenPurpose,
  session: NewSession,
): Promise<Redeemed | null> {
  if (purpose === "invite") return null;
  const { identity } = parts.store;
  const email = emailOf(ask.body) ?? "";
  const userId = (await identity.userByEmail(email))?.id ?? "";
  const { after: countAfter, before: countBefore } = around(DAY_MS, ask.now);
  const key: CodeKey = {
    userId,
    purpose,
    codeHash: codeHashOf(parts, userId, purpose, textOf(ask.body, "token") ?? ""),
    newest: FIXED.mailed_codes,
    mostTries: FIXED.wrong_codes,
    addressHash: addressHashOf(parts, email),
    mostWrong: FIXED.account_wrong_codes,
    countAfter,
    countBefore,
  };
  const times = timesOf(parts, LIFETIME_MS.digits, ask.now);
  const outcome = await identity.redeemCode(key, times, { session });
  if (!("wrongCodes" in outcome)) return outcome;
  if (outcome.wrongCodes === FIXED.account_wrong_codes && userId !== "") parts.burst(userId);
  return null;
}

function mailedPurpose(type: string | null): MailedPurpose | null {
  return MAILED_PURPOSES.find((purpose) => purpose === type) ?? null;
}

const purposeOf = (type: string | null): TokenPurpose | null =>
  type === "invite" ? type : mailedPurpose(type);

const METHODS = {
  recovery: "recovery",
  signup: "email/signup",
  invite: "invite",
  email_change: "otp",
} as const satisfies Record<TokenPurpose, string>;

/** The words of GoTrue in `amr`. */
const methodOf = (purpose: TokenPurpose): string => METHODS[purpose];
