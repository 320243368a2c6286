// Reads the Authorization header and authenticates its sender. Sockets and HTTP routes share this
// module.

import { botRefusalCode } from "#core/ids/bot-status.ts";
import type { BotEligibility } from "#core/ids/bot-status.ts";
import type { CloseCode, HttpCode } from "#core/protocol/errors.ts";

/** Codes that refuse a bot. If several apply, `botRefusalCode` decides which one is returned. */
export const BOT_REFUSALS = [
  "missing_authorization",
  "invalid_token",
  "account_banned",
  "retired",
  "banned",
  "suspended",
] as const satisfies readonly (CloseCode & HttpCode)[];

type BotRefusal = (typeof BOT_REFUSALS)[number];

/** `text` replaces the catalogue text with a more precise one. */
type RefusedCaller<Code> = { kind: "refused"; code: Code; text?: string };

export type BotCaller<Bot> = { kind: "bot"; bot: Bot } | RefusedCaller<BotRefusal>;

/** RFC 6750: a single token of these characters follows the scheme. */
const BEARER_TOKEN = /^Bearer +([\w.~+/-]+=*) *$/i;
const BEARER_SCHEME = /^Bearer(?: |$)/i;

const MISSING_SCHEME_TEXT =
  "The Authorization header has no Bearer scheme: send 'Authorization: Bearer <token>'.";

/** Returns the token in an Authorization header, or a refusal. */
export function readBearer(
  authorization: string | undefined,
): { kind: "token"; token: string } | RefusedCaller<"missing_authorization" | "invalid_token"> {
  if (authorization === undefined) return refuse("missing_authorization");
  const token = BEARER_TOKEN.exec(authorization)?.[1];
  if (token !== undefined) return { kind: "token", token };
  if (BEARER_SCHEME.test(authorization)) return refuse("invalid_token");
  return { ...refuse("invalid_token"), text: MISSING_SCHEME_TEXT };
}

/**
 * Authenticates a bot by the result of looking up its token. A ban replaces the bot's token and
 * keeps the old one as stale, so that requests with it fail with `banned`. After the ban is lifted,
 * the old token is unknown.
 */
export function authenticateBot<Bot extends BotEligibility>(
  credential: { bot: Bot; stale: boolean } | null,
): BotCaller<Bot> {
  if (credential === null) return refuse("invalid_token");
  const { bot, stale } = credential;
  if (stale && bot.status !== "banned") return refuse("invalid_token");
  const refusal = botRefusalCode(bot);
  return refusal === null ? { kind: "bot", bot } : refuse(refusal);
}

/**
 * A person's credential. `unknown` covers credentials without an account, and credentials that
 * belong to a bot or an app.
 */
export type PersonCredential<Account> =
  | { kind: "none" }
  | { kind: "unknown" }
  /** The identity provider isn't responding. */
  | { kind: "away" }
  | { kind: "session"; account: Account }
  | { kind: "agent_key"; account: Account };

export type Bannable = {
  bannedAt: string | null;
  banReason: string | null;
};

export type PersonCaller<Account, Code> =
  | { kind: "account"; account: Account }
  | RefusedCaller<Code>;

const PERSON_REFUSALS = [
  "auth_unavailable",
  "account_banned",
] as const satisfies readonly HttpCode[];
type PersonRefusal = (typeof PERSON_REFUSALS)[number];

/** Refusals on account routes, checked before anything else. */
export const ACCOUNT_REFUSALS = [
  "accounts_disabled",
  "missing_authorization",
  "invalid_session",
  ...PERSON_REFUSALS,
] as const satisfies readonly HttpCode[];

export const ADMIN_REFUSALS = [
  "admin_required",
  "invalid_session",
  ...PERSON_REFUSALS,
  "not_admin",
] as const satisfies readonly HttpCode[];

export const REGISTRANT_REFUSALS = [
  "authentication_required",
  "invalid_owner_key",
  ...PERSON_REFUSALS,
] as const satisfies readonly HttpCode[];

export const APP_REFUSALS = [
  "missing_authorization",
  "invalid_token",
  ...PERSON_REFUSALS,
  "mcp_consent_required",
] as const satisfies readonly HttpCode[];

/** A credential sent to the MCP endpoint, which doesn't accept browser sessions. */
export type AppCredential<Account> =
  | Exclude<PersonCredential<Account>, { kind: "session" }>
  /** An app that the account has authorized. */
  | { kind: "program"; account: Account }
  /**
   * An app that the account hasn't authorized, or whose access was revoked. `account` is null if
   * there is no account yet.
   */
  | { kind: "not_let_in"; account: Account | null };

/** Authenticates a browser session. Only a browser can change an account. */
export function authenticateBrowser<A extends Bannable>(
  credential: PersonCredential<A>,
): PersonCaller<A, "missing_authorization" | "invalid_session" | PersonRefusal> {
  if (credential.kind === "none")
    return { ...refuse("missing_authorization"), text: MISSING_SESSION_TEXT };
  if (credential.kind === "agent_key") return refuse("invalid_session");
  return authenticatePerson(credential, "invalid_session");
}

const MISSING_SESSION_TEXT =
  "Send the access token of a signed-in browser in the header 'Authorization: Bearer <access token>'.";

/** Authenticates an admin by browser session or agent key. */
export function authenticateAdmin<A extends Bannable>(
  credential: PersonCredential<A>,
  isAdmin: (account: A) => boolean,
): PersonCaller<A, (typeof ADMIN_REFUSALS)[number]> {
  if (credential.kind === "none") return refuse("admin_required");
  const person = authenticatePerson(credential, "invalid_session");
  if (person.kind === "refused" || isAdmin(person.account)) return person;
  return refuse("not_admin");
}

/** Authenticates the caller who registers a bot, by browser session or agent key. */
export function authenticateRegistrant<A extends Bannable>(
  credential: PersonCredential<A>,
): PersonCaller<A, "authentication_required" | PersonRefusal> {
  if (credential.kind === "none") return refuse("authentication_required");
  if (credential.kind === "unknown")
    return { ...refuse("authentication_required"), text: INVALID_CREDENTIAL_TEXT };
  return authenticatePerson(credential, "authentication_required");
}

const INVALID_CREDENTIAL_TEXT =
  "This is not a valid agent key or access token: it is unknown, expired or revoked.";

export function authenticateAgentKey<A extends Bannable>(
  credential: PersonCredential<A>,
): PersonCaller<A, "invalid_owner_key" | PersonRefusal> {
  if (credential.kind === "session" || credential.kind === "none" || credential.kind === "away")
    return refuse("invalid_owner_key");
  return authenticatePerson(credential, "invalid_owner_key");
}

/**
 * Authenticates an agent key or an authorized app. Checks for a ban first, because authorizing the
 * app wouldn't help a banned account.
 */
export function authenticateApp<A extends Bannable>(
  credential: AppCredential<A>,
): PersonCaller<A, (typeof APP_REFUSALS)[number]> {
  switch (credential.kind) {
    case "none":
      return refuse("missing_authorization");
    case "not_let_in": {
      const isBanned = credential.account !== null && credential.account.bannedAt !== null;
      return refuse(isBanned ? "account_banned" : "mcp_consent_required");
    }
    case "program":
      return refuseBanned(credential.account);
    case "unknown":
    case "away":
    case "agent_key":
      return authenticatePerson(credential, "invalid_token");
  }
}

function authenticatePerson<A extends Bannable, Code extends string>(
  credential: Exclude<PersonCredential<A>, { kind: "none" }>,
  unknownCode: Code,
): PersonCaller<A, Code | PersonRefusal> {
  switch (credential.kind) {
    case "unknown":
      return refuse(unknownCode);
    case "away":
      return refuse("auth_unavailable");
    case "session":
    case "agent_key":
      return refuseBanned(credential.account);
  }
}

function refuseBanned<A extends Bannable>(account: A): PersonCaller<A, "account_banned"> {
  const { bannedAt, banReason } = account;
  if (bannedAt === null) return { kind: "account", account };
  const reasonText = banReason === null ? "" : ` The operator's reason: ${banReason}`;
  return { ...refuse("account_banned"), text: `This account is banned.${reasonText}` };
}

function refuse<Code extends string>(code: Code): RefusedCaller<Code> {
  return { kind: "refused", code };
}
