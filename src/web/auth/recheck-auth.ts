// Authenticates before the body is read, so that unauthorized uploads are rejected early, and again
// if the body arrives late, because access may have ended meanwhile.

import type { FastifyReply, FastifyRequest } from "fastify";

import { MILLISECOND_US } from "#base/util/time.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

declare module "fastify" {
  interface FastifyRequest {
    /**
     * Authenticates again and replies on failure: with `always`, or after a late body. Null on
     * public routes.
     */
    recheckAuth: ((options?: { force: boolean }) => Promise<unknown>) | null;
  }
}

/** A body that arrives later than this was not sent together with its headers. */
const LATE_BODY = 100 * MILLISECOND_US;

/** Wraps a hook so that it runs before the body is read, and again if reading takes long. */
export function withAuthRecheck({ now }: Pick<ApiDeps, "now">, hook: Hook): Hook {
  return (request, reply) => {
    const startedAt = now();
    request.recheckAuth = async ({ force } = { force: false }) =>
      force || now() - startedAt > LATE_BODY ? hook(request, reply) : undefined;
    return hook(request, reply);
  };
}

export function addAuthRecheck(app: App): void {
  app.decorateRequest("askAgain", null);
  app.addHook("preValidation", async (request) => request.recheckAuth?.());
}
