import { requireAdmin } from "#web/auth/auth.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuse } from "#web/http/errors.ts";

const neverReached = () => {
  throw new Error("answered before");
};

/**
 * Without accounts, every address of an account says so before anything else is checked, and every
 * address of an operator asks for an admin, who cannot be.
 */
export function noAccountRoutes(app: App, deps: ApiDeps): void {
  for (const path of ["/api/account", "/api/account/*"])
    app.all(path, {
      onRequest: (_request, reply) => void reply.send(refuse(reply, "accounts_disabled")),
      handler: neverReached,
    });
  app.all("/api/admin/*", { onRequest: requireAdmin(deps), handler: neverReached });
}
