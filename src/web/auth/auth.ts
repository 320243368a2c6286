// Who asks: a bot, by its bearer token.

import type { FastifyReply, FastifyRequest } from "fastify";

import type { BotRecord } from "#data/store/bot.ts";
import { whoAsks } from "#data/store/credentials.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuse } from "#web/http/errors.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The bot that asks, on routes behind `requireBot`. */
    bot: BotRecord | null;
  }
}

/** Prepares requests to carry who asks. */
export function decorateAuth(app: App): void {
  app.decorateRequest("bot", null);
}

/** A hook that lets active bots through, before the body is read. */
export function requireBot({ credentials }: Pick<ApiDeps, "credentials">) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const asker = await whoAsks(credentials, request.headers.authorization);
    if (asker.kind === "refused") return reply.send(refuse(reply, asker.code, asker.text));
    request.bot = asker.bot;
    return undefined;
  };
}

/** The bot that `requireBot` let through. */
export function admitted(bot: BotRecord | null): BotRecord {
  if (bot === null) throw new Error("this route needs requireBot");
  return bot;
}
