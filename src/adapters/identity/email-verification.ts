import { DAY_MS } from "#base/util/time.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { hashToken } from "#data/credentials/token.ts";
import type {
  CodeKey,
  FlowRecord,
  LinkKey,
  EmailPurpose,
  NewSession,
  RedeemedToken,
  RedeemedFlow,
  RedeemAdditions,
  RedeemOptions,
  TokenPurpose,
  UserRecord,
} from "#data/store/identity.ts";
import { EMAIL_PURPOSES } from "#data/store/identity.ts";

import type { Bearer } from "./access-token.ts";
import { emailOf, bodyText } from "./identity-context.ts";
import type { IdentityContext, IdentityServices } from "./identity-context.ts";
import {
  addressHashOf,
  codeHashOf,
  isPkceToken,
  sendSecurityNotice,
  createInvite,
} from "./identity-emails.ts";
import { IDENTITY_ERRORS, refused } from "./identity-errors.ts";
import type { IdentityErrorCode, IdentityError } from "./identity-errors.ts";
import { isFresh, LIFETIME_MS } from "./identity-limits.ts";
import { okResponse } from "./identity-response.ts";
import type { IdentityResponse } from "./identity-response.ts";
import { newSessionRecord, sessionView } from "./identity-views.ts";
import { accountTarget, addAccountPageParams } from "./redirect-target.ts";
import { readPassword } from "./sign-up.ts";

/**
 * Follows an emailed link and confirms the address in any browser. If the email was requested with
 * a PKCE challenge, the redirect also contains a code. The password from that sign-up takes effect
 * when the requesting browser exchanges the code. Any browser can instead set a new password on the
 * account page.
 */
export async function followLink(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const limit = services.limits.address("verify", context.caller);
  if (limit !== null) return limit;
  const target = accountTarget(services, context.query.get("redirect_to"));
  const link = context.query.get("token") ?? "";
  const purpose = toMailedPurpose(context.query.get("type"));
  const redirectWithError = (code: IdentityErrorCode) =>
    seeOther(new URL(withError(target, code, isPkceToken(link))));
  if (purpose === "email_change")
    return followChange(services, context, hashToken(link), target, redirectWithError);
  const linkKey = purpose && { hash: hashToken(link), purpose };
  const code = randomCode(services);
  const { invite, token: token_hash } = createInvite(services);
  const redemption =
    linkKey &&
    (await redeem(services, linkKey, LIFETIME_MS.link, context.now, {
      code: { hash: hashToken(code), method: methodOf(linkKey.purpose) },
      invite,
    }));
  if (redemption === null || redemption.user === null) return redirectWithError("otp_expired");
  const { challenge, purpose: type } = redemption.token;
  if (challenge !== null) target.searchParams.set("code", code);
  addAccountPageParams(target, { type, token_hash });
  return seeOther(target);
}

const seeOther = ({ href }: URL): IdentityResponse => ({ status: 303, location: href });

/**
 * Changes the email address only when the requesting browser exchanges its code. In any other
 * browser the link has no effect and stays valid.
 */
async function followChange(
  services: IdentityServices,
  context: IdentityContext,
  hash: string,
  target: URL,
  redirectWithError: (code: IdentityErrorCode) => IdentityResponse,
): Promise<IdentityResponse> {
  const token = await services.store.identity.token(hash);
  const isPending =
    token?.purpose === "email_change" && isFresh(token.createdAt, LIFETIME_MS.link, context.now);
  if (!isPending) return redirectWithError("otp_expired");
  const { userId, challenge, purpose } = token;
  if (challenge === null) return redirectWithError("bad_code_verifier");
  const flow = { userId, challenge, method: methodOf(purpose), signUp: null, tokenHash: hash };
  target.searchParams.set("code", await newCode(services, flow, context.now));
  addAccountPageParams(target, { type: purpose });
  return seeOther(target);
}

/**
 * Exchanges a code for its session and applies the pending password or email change. Returns null
 * if the code is invalid or has expired.
 */
export async function redeemAuthFlow(
  services: IdentityServices,
  hash: string,
  session: NewSession,
  now: Date,
): Promise<RedeemedFlow | null> {
  const times = redeemTimesOf(services, LIFETIME_MS.link, now);
  const redemption = await services.store.identity.redeemFlow(hash, times, session);
  if (redemption !== null) notifyFormerAddress(services, redemption);
  return redemption;
}

const UUID_BYTES = 16;

/** GoTrue's codes are version 4 UUIDs (RFC 9562). */
function randomUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString("hex");
  const version = `4${hex.slice(13, 16)}-a${hex.slice(17, 20)}`;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}-${hex.slice(20)}`;
}

const randomCode = ({ random }: Pick<IdentityServices, "random">): string =>
  randomUuid(random(UUID_BYTES));

/** Issues a code that only the browser with the challenge can exchange for a session. */
export async function newCode(
  services: Pick<IdentityServices, "random" | "store">,
  flow: Omit<Extract<FlowRecord, { kind: "code" }>, "kind" | "hash" | "createdAt">,
  now: Date,
): Promise<string> {
  const code = randomCode(services);
  const createdAt = now.toISOString();
  await services.store.identity.addFlow({
    kind: "code",
    hash: hashToken(code),
    createdAt,
    ...flow,
  });
  return code;
}

/**
 * Adds an error to the redirect as GoTrue does: always in the fragment, and also in the query for a
 * browser with a challenge.
 */
export function withError(target: URL, code: IdentityErrorCode, includesQuery: boolean): string {
  const fields = {
    error: "access_denied",
    error_code: code,
    error_description: IDENTITY_ERRORS[code].text,
  };
  const url = new URL(target);
  if (includesQuery)
    for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  url.hash = new URLSearchParams(fields).toString();
  return url.href;
}

/** Verifies a link's hash, or an email address with its 6-digit code, and returns a session. */
export async function verifyToken(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const limit = services.limits.address("verify", context.caller);
  if (limit !== null) return limit;
  const type = bodyText(context.body, "type");
  const purpose = toTokenPurpose(type === "email" ? "signup" : type);
  if (purpose === null) return refused("validation_failed", "This type can't be verified.");
  const password = readTypedPassword(context);
  if (password !== null && typeof password !== "string") return password;
  const link = bodyText(context.body, "token_hash");
  const pendingSession = newSessionRecord(services, methodOf(purpose), context.now);
  const redemption =
    link === null
      ? await redeemCode(services, context, purpose, pendingSession)
      : await redeemLink(services, context, link, purpose, pendingSession);
  if (redemption !== null) notifyFormerAddress(services, redemption);
  if (redemption === null || redemption.user === null) return refused("otp_expired");
  const { user } = redemption;
  const bearer = { user, session: { ...pendingSession, userId: user.id } };
  const hasTypedPassword = password !== null && link === null && purpose === "signup";
  const confirmedUser = hasTypedPassword
    ? await withPassword(services, bearer, password, redemption, context)
    : user;
  return okResponse(await sessionView(services, { ...bearer, user: confirmedUser }, context.now));
}

/**
 * Returns the email address of an invite without consuming the invite. The account page shows the
 * address before the user chooses a password, because an attacker can send someone a link to the
 * attacker's own account.
 */
export async function readInvite(
  services: IdentityServices,
  context: IdentityContext,
): Promise<IdentityResponse> {
  const limit = services.limits.address("verify", context.caller);
  if (limit !== null) return limit;
  const token = await services.store.identity.token(
    hashToken(bodyText(context.body, "token_hash") ?? ""),
  );
  const isUsable =
    token?.purpose === "invite" && isFresh(token.createdAt, LIFETIME_MS.choice, context.now);
  return isUsable ? okResponse({ email: token.email }) : refused("otp_expired");
}

/** Our page sends a password together with the sign-up code. GoTrue has no such field. */
function readTypedPassword({ body }: IdentityContext): string | null | IdentityError {
  if (body["password"] === undefined || body["password"] === null) return null;
  return readPassword(bodyText(body, "password"));
}

/**
 * Sets the password sent with the code, because whoever has the code can read the mailbox. If it
 * differs from the sign-up's password, the sign-up's metadata is dropped. If the hashing queue is
 * full, no password is set and the page asks for one.
 */
async function withPassword(
  services: IdentityServices,
  { user, session }: Bearer,
  typedPassword: string,
  { token: { signUp } }: RedeemedToken,
  { caller, now }: IdentityContext,
): Promise<UserRecord> {
  const { hasher, store } = services;
  const isSame =
    signUp !== null && (await hasher.verify(typedPassword, signUp.passwordHash, caller)) === true;
  const passwordHash = isSame ? signUp.passwordHash : await hasher.hash(typedPassword, caller);
  if (passwordHash === null) return user;
  const firstPassword = { passwordHash, userData: isSame ? signUp.userData : {} };
  const at = now.toISOString();
  return (await store.identity.setFirstPassword(user.id, firstPassword, at, session.id)) ?? user;
}

function timeWindow(lifetimeMs: number, now: Date): { after: string; before: string } {
  const shiftedInstant = (ms: number) => new Date(now.getTime() + ms).toISOString();
  return { after: shiftedInstant(-lifetimeMs), before: shiftedInstant(lifetimeMs) };
}

function redeemTimesOf(
  { reserved }: IdentityServices,
  lifetimeMs: number,
  now: Date,
): RedeemOptions {
  return { at: now.toISOString(), ...timeWindow(lifetimeMs, now), reserved: reserved() };
}

function redeem(
  services: IdentityServices,
  linkKey: LinkKey,
  lifetimeMs: number,
  now: Date,
  redeemOptions: RedeemAdditions,
): Promise<RedeemedToken | null> {
  return services.store.identity.redeem(
    linkKey,
    redeemTimesOf(services, lifetimeMs, now),
    redeemOptions,
  );
}

function notifyFormerAddress(services: IdentityServices, { formerEmail }: RedeemedFlow): void {
  if (formerEmail !== null) sendSecurityNotice(services, formerEmail, "email_changed");
}

/**
 * Returns null for a link bound to a browser, which must exchange a code instead. Also returns null
 * for an email change: the link alone must not move an account to a mailbox that may belong to
 * someone else.
 */
async function redeemLink(
  services: IdentityServices,
  context: IdentityContext,
  link: string,
  purpose: TokenPurpose,
  session: NewSession,
): Promise<RedeemedToken | null> {
  if (isPkceToken(link) || purpose === "email_change") return null;
  const lifetime = purpose === "invite" ? LIFETIME_MS.choice : LIFETIME_MS.link;
  return redeem(services, { hash: hashToken(link), purpose }, lifetime, context.now, { session });
}

async function redeemCode(
  services: IdentityServices,
  context: IdentityContext,
  purpose: TokenPurpose,
  session: NewSession,
): Promise<RedeemedToken | null> {
  if (purpose === "invite") return null;
  const { identity } = services.store;
  const email = emailOf(context.body) ?? "";
  const userId = (await identity.userByEmail(email))?.id ?? "";
  const { after: countAfter, before: countBefore } = timeWindow(DAY_MS, context.now);
  const linkKey: CodeKey = {
    userId,
    purpose,
    codeHash: codeHashOf(services, userId, purpose, bodyText(context.body, "token") ?? ""),
    newest: FIXED_LIMITS.mailed_codes,
    maxTries: FIXED_LIMITS.wrong_codes,
    addressHash: addressHashOf(services, email),
    maxWrongCodes: FIXED_LIMITS.account_wrong_codes,
    countAfter,
    countBefore,
  };
  const times = redeemTimesOf(services, LIFETIME_MS.digits, context.now);
  const outcome = await identity.redeemCode(linkKey, times, { session });
  if (!("wrongCodes" in outcome)) return outcome;
  if (outcome.wrongCodes === FIXED_LIMITS.account_wrong_codes && userId !== "")
    services.onPasswordBurst(userId);
  return null;
}

function toMailedPurpose(type: string | null): EmailPurpose | null {
  return EMAIL_PURPOSES.find((purpose) => purpose === type) ?? null;
}

const toTokenPurpose = (type: string | null): TokenPurpose | null =>
  type === "invite" ? type : toMailedPurpose(type);

const METHODS = {
  recovery: "recovery",
  signup: "email/signup",
  invite: "invite",
  email_change: "otp",
} as const satisfies Record<TokenPurpose, string>;

const methodOf = (purpose: TokenPurpose): string => METHODS[purpose];
