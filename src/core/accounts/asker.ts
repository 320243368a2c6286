// Who is asking: what the Authorization header says, and whose credential it is. Sockets and HTTP
// decide by this module alone.

import type { ClosingCode, HttpCode } from "#core/protocol/errors.ts";
import { standingRefusal } from "#core/words/bot-status.ts";
import type { BotStanding } from "#core/words/bot-status.ts";

/** Codes that turn a bot away. Of several that hold, the order of `standingRefusal` decides. */
export const BOT_REFUSALS = [
  "missing_authorization",
  "invalid_token",
  "account_banned",
  "retired",
  "banned",
  "suspended",
] as const satisfies readonly (ClosingCode & HttpCode)[];

type BotRefusal = (typeof BOT_REFUSALS)[number];

/** `text` replaces the text of the code where a more precise one is known. */
type Refused<Code> = { kind: "refused"; code: Code; text?: string };

export type Asker<Bot> = { kind: "bot"; bot: Bot } | Refused<BotRefusal>;

/** RFC 6750: the scheme is followed by a single token of these characters. */
const BEARER = /^Bearer +([\w.~+/-]+=*) *$/i;
const SCHEME = /^Bearer(?: |$)/i;

const NO_SCHEME =
  "The header Authorization lacks the word Bearer: send 'Authorization: Bearer <token>'.";

/** Reads the token from a request's Authorization header. */
export function readBearer(
  authorization: string | undefined,
): { kind: "token"; token: string } | Refused<"missing_authorization" | "invalid_token"> {
  if (authorization === undefined) return refused("missing_authorization");
  const token = BEARER.exec(authorization)?.[1];
  if (token !== undefined) return { kind: "token", token };
  if (SCHEME.test(authorization)) return refused("invalid_token");
  return { ...refused("invalid_token"), text: NO_SCHEME };
}

/**
 * Identifies the owner of a token that was looked up and `found`. A ban replaces the token and
 * keeps the old one as stale, only so that it is answered `banned`; once the ban is lifted, the old
 * token belongs to nobody.
 */
export function askerOf<Bot extends BotStanding>(
  found: { bot: Bot; stale: boolean } | null,
): Asker<Bot> {
  if (found === null) return refused("invalid_token");
  const { bot, stale } = found;
  if (stale && bot.status !== "banned") return refused("invalid_token");
  const refusal = standingRefusal(bot);
  return refusal === null ? { kind: "bot", bot } : refused(refusal);
}

/**
 * What a credential of a person turned out to be. `unknown` is whatever names nobody any more, and
 * whatever is not a person's: a bot's token, or one that was made for a program.
 */
export type PersonFound<Account> =
  | { kind: "none" }
  | { kind: "unknown" }
  /** The identity provider does not answer. */
  | { kind: "away" }
  /** A browser where the person is signed in. */
  | { kind: "session"; account: Account }
  | { kind: "agent_key"; account: Account };

/** What an account needs to have for a decision about it. */
export type Bannable = {
  bannedAt: string | null;
  /** Why, in the operator's words, if they gave any. */
  banReason: string | null;
};

export type Person<Account, Code> = { kind: "account"; account: Account } | Refused<Code>;

const PERSON_REFUSALS = [
  "auth_unavailable",
  "account_banned",
] as const satisfies readonly HttpCode[];
type PersonRefusal = (typeof PERSON_REFUSALS)[number];

/** Codes that routes of an account refuse with before they look at anything else. */
export const ACCOUNT_REFUSALS = [
  "accounts_disabled",
  "missing_authorization",
  "invalid_session",
  ...PERSON_REFUSALS,
] as const satisfies readonly HttpCode[];

/** The same for an operator's routes. */
export const ADMIN_REFUSALS = [
  "admin_required",
  "invalid_session",
  ...PERSON_REFUSALS,
  "not_admin",
] as const satisfies readonly HttpCode[];

/** The same for registering a bot. */
export const REGISTRANT_REFUSALS = [
  "authentication_required",
  "invalid_owner_key",
  ...PERSON_REFUSALS,
] as const satisfies readonly HttpCode[];

/** The same at the MCP endpoint. */
export const PROGRAM_REFUSALS = [
  "missing_authorization",
  "invalid_token",
  ...PERSON_REFUSALS,
  "mcp_consent_required",
] as const satisfies readonly HttpCode[];

/** What a credential at the MCP endpoint turned out to be. No browser comes there. */
export type ProgramFound<Account> =
  | Exclude<PersonFound<Account>, { kind: "session" }>
  /** A program that the account let in. */
  | { kind: "program"; account: Account }
  /** One that it did not, or not any more; null where nobody has an account yet. */
  | { kind: "not_let_in"; account: Account | null };

/** Only a browser may change an account. */
export function browserAsker<A extends Bannable>(
  found: PersonFound<A>,
): Person<A, "missing_authorization" | "invalid_session" | PersonRefusal> {
  if (found.kind === "none") return { ...refused("missing_authorization"), text: NO_SESSION };
  if (found.kind === "agent_key") return refused("invalid_session");
  return personOf(found, "invalid_session");
}

const NO_SESSION =
  "Send the access token of a signed-in browser in the header 'Authorization: Bearer <access token>'.";

/** An admin's browser and an admin's agent keys may do what an operator does. */
export function adminAsker<A extends Bannable>(
  found: PersonFound<A>,
  isAdmin: (account: A) => boolean,
): Person<A, (typeof ADMIN_REFUSALS)[number]> {
  if (found.kind === "none") return refused("admin_required");
  const person = personOf(found, "invalid_session");
  if (person.kind === "refused" || isAdmin(person.account)) return person;
  return refused("not_admin");
}

/** Browsers and agent keys register bots. */
export function registrantAsker<A extends Bannable>(
  found: PersonFound<A>,
): Person<A, "authentication_required" | PersonRefusal> {
  if (found.kind === "none") return refused("authentication_required");
  if (found.kind === "unknown") return { ...refused("authentication_required"), text: NOT_GOOD };
  return personOf(found, "authentication_required");
}

const NOT_GOOD =
  "This is no agent key and no access token of an account here, or it is not good any more.";

/** Only an agent key will do. */
export function keyAsker<A extends Bannable>(
  found: PersonFound<A>,
): Person<A, "invalid_owner_key" | PersonRefusal> {
  if (found.kind === "session" || found.kind === "none" || found.kind === "away")
    return refused("invalid_owner_key");
  return personOf(found, "invalid_owner_key");
}

/** Agent keys and programs with a consent; of a ban they hear first, as consent cannot help there. */
export function programAsker<A extends Bannable>(
  found: ProgramFound<A>,
): Person<A, (typeof PROGRAM_REFUSALS)[number]> {
  switch (found.kind) {
    case "none":
      return refused("missing_authorization");
    case "not_let_in": {
      const isBanned = found.account !== null && found.account.bannedAt !== null;
      return refused(isBanned ? "account_banned" : "mcp_consent_required");
    }
    case "program":
      return unbanned(found.account);
    case "unknown":
    case "away":
    case "agent_key":
      return personOf(found, "invalid_token");
  }
}

function personOf<A extends Bannable, Code extends string>(
  found: Exclude<PersonFound<A>, { kind: "none" }>,
  unknown: Code,
): Person<A, Code | PersonRefusal> {
  switch (found.kind) {
    case "unknown":
      return refused(unknown);
    case "away":
      return refused("auth_unavailable");
    case "session":
    case "agent_key":
      return unbanned(found.account);
  }
}

function unbanned<A extends Bannable>(account: A): Person<A, "account_banned"> {
  const { bannedAt, banReason } = account;
  if (bannedAt === null) return { kind: "account", account };
  const why = banReason === null ? "" : ` The operator's reason: ${banReason}`;
  return { ...refused("account_banned"), text: `This account is banned.${why}` };
}

function refused<Code extends string>(code: Code): Refused<Code> {
  return { kind: "refused", code };
}
