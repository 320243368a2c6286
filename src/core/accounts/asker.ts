// Who asks: what the Authorization header says, and whom the look-up of its token found. Sockets and
// HTTP decide by this alone.

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

/** With a nearer text than the code's own, where there is one. */
type Refused = { kind: "refused"; code: BotRefusal; text?: string };

export type Asker<Bot> = { kind: "bot"; bot: Bot } | Refused;

/** A state in which a bot does not act is the code that says so. */
type Standing = { status: "active" | Extract<BotRefusal, "retired" | "banned" | "suspended"> };

/** RFC 6750: what stands behind the scheme is one token of these characters. */
const BEARER = /^Bearer +([\w.~+/-]+=*) *$/i;
const SCHEME = /^Bearer(?: |$)/i;

const NO_SCHEME =
  "The header Authorization lacks the word Bearer: send 'Authorization: Bearer <token>'.";

/** The token of a request, from its Authorization header alone. */
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
 * Who asks with a token that was `found` to be a bot's. A ban replaces the token and remembers the
 * old one as stale, only to answer `banned`: once the ban is lifted, nobody has that token.
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
