// Authenticates before the body is read, so that unauthorized uploads are rejected early.
// Authenticates again if the body arrives late, because access may have ended by then.

import type { FastifyReply, FastifyRequest } from "fastify";

import { MILLISECOND_US } from "#base/util/time.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

declare module "fastify" {
  interface FastifyRequest {
    /**
     * Authenticates again if the body was late or `force` is set. Sends the refusal on failure.
     * Null on public routes.
     */
    recheckAuth: ((options?: { force: boolean }) => Promise<unknown>) | null;
  }
}

/** If a body takes longer than this (in µs), it wasn't sent together with the headers. */
const LATE_BODY = 100 * MILLISECOND_US;

/** Wraps a hook so that it runs before the body is read, and again if reading takes too long. */
export function withAuthRecheck({ now }: Pick<ApiDeps, "now">, hook: Hook): Hook {
  return (request, reply) => {
    const startedAt = now();
    request.recheckAuth = async ({ force } = { force: false }) =>
      force || now() - startedAt > LATE_BODY ? hook(request, reply) : undefined;
    return hook(request, reply);
  };
}

export function addAuthRecheck(app: App): void {
  app.decorateRequest("recheckAuth", null);
  app.addHook("preValidation", async (request) => request.recheckAuth?.());
}
