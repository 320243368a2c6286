// Who is asking: what the Authorization header says, and whose token it is. Sockets and HTTP both
// decide by this module alone.

import type { ClosingCode, HttpCode } from "#core/protocol/errors.ts";

/** Codes that turn a bot away. */
export const BOT_REFUSALS = [
  "missing_authorization",
  "invalid_token",
  "retired",
  "banned",
  "suspended",
] as const satisfies readonly (ClosingCode & HttpCode)[];

type BotRefusal = (typeof BOT_REFUSALS)[number];

/** `text` replaces the text of the code where a more precise one is known. */
type Refused = { kind: "refused"; code: BotRefusal; text?: string };

export type Asker<Bot> = { kind: "bot"; bot: Bot } | Refused;

/** A state in which a bot may not act is named by its refusal code. */
type Standing = { status: "active" | Extract<BotRefusal, "retired" | "banned" | "suspended"> };

/** RFC 6750: the scheme is followed by a single token of these characters. */
const BEARER = /^Bearer +([\w.~+/-]+=*) *$/i;
const SCHEME = /^Bearer(?: |$)/i;

const NO_SCHEME =
  "The header Authorization lacks the word Bearer: send 'Authorization: Bearer <token>'.";

/** Reads the token from a request's Authorization header. */
export function readBearer(
  authorization: string | undefined,
): { kind: "token"; token: string } | Refused {
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
export function askerOf<Bot extends Standing>(
  found: { bot: Bot; stale: boolean } | null,
): Asker<Bot> {
  if (found === null) return refused("invalid_token");
  const { bot, stale } = found;
  if (stale && bot.status !== "banned") return refused("invalid_token");
  return bot.status === "active" ? { kind: "bot", bot } : refused(bot.status);
}

function refused(code: BotRefusal): Refused {
  return { kind: "refused", code };
}
