// Who asks is decided before the body is read, so that nobody sends a body in vain and strangers' are
// not read. A body may be held back while a right ends: then it is decided once more.

import type { FastifyReply, FastifyRequest } from "fastify";

import { MILLISECOND } from "#base/units/time.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

declare module "fastify" {
  interface FastifyRequest {
    /**
     * Authenticates again, and replies if that fails: `always`, or only after a late body. Null on
     * public routes.
     */
    askAgain: ((options?: { always: boolean }) => Promise<unknown>) | null;
  }
}

/** A body that comes later was not sent with its head. */
const LATE = 100 * MILLISECOND;

/** A hook that runs before the body is read, and once more if that takes long. */
export function whileBodyComes({ now }: Pick<ApiDeps, "now">, hook: Hook): Hook {
  return (request, reply) => {
    const asked = now();
    request.askAgain = async ({ always } = { always: false }) =>
      always || now() - asked > LATE ? hook(request, reply) : undefined;
    return hook(request, reply);
  };
}

/** Prepares requests to be looked at again. */
export function askAgainLater(app: App): void {
  app.decorateRequest("askAgain", null);
  app.addHook("preValidation", async (request) => request.askAgain?.());
}
