// Who asks: a bot, by its bearer token.

import type { FastifyReply, FastifyRequest } from "fastify";

import { schemeText } from "#core/protocol/errors.ts";
import type { BotRecord } from "#data/store/store.ts";
import { hashToken } from "#data/store/token.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuse } from "#web/http/errors.ts";
import type { HttpCode } from "#web/http/errors.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The bot that asks, on routes behind `requireBot`. */
    bot: BotRecord | null;
  }
}

const BEARER = /^Bearer +([\w.~+/=-]+) *$/i;

/** Prepares requests to carry who asks. */
export function decorateAuth(app: App): void {
  app.decorateRequest("bot", null);
}

/** A hook that lets active bots through, before the body is read. */
export function requireBot({ store }: Pick<ApiDeps, "store">) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { authorization = "" } = request.headers;
    const found = await authenticate(store, request.headers.authorization);
    if (found === "invalid_token")
      return reply.send(refuse(reply, found, schemeText(authorization)));
    if (typeof found === "string") return reply.send(refuse(reply, found));
    request.bot = found;
    return undefined;
  };
}

async function authenticate(
  store: ApiDeps["store"],
  header: string | undefined,
): Promise<BotRecord | HttpCode> {
  if (header === undefined) return "missing_authorization";
  const token = BEARER.exec(header)?.[1];
  const found = token === undefined ? null : await store.botByToken(hashToken(token));
  if (found === null) return "invalid_token";
  if (found.stale) return "banned";
  return found.bot.status === "active" ? found.bot : found.bot.status;
}

/** The bot that `requireBot` let through. */
export function admitted(bot: BotRecord | null): BotRecord {
  if (bot === null) throw new Error("this route needs requireBot");
  return bot;
}
