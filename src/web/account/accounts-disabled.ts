import { requireAdmin } from "#web/auth/auth-hooks.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseWithCode } from "#web/http/errors.ts";

const unreachableHandler = () => {
  throw new Error("onRequest must have replied already");
};

/**
 * Registers catch-all routes for servers without accounts. Account routes respond with
 * `accounts_disabled` before any other check. Operator routes require an admin, and no account can
 * be one.
 */
export function accountsDisabledRoutes(app: App, deps: ApiDeps): void {
  for (const path of ["/api/account", "/api/account/*"])
    app.all(path, {
      onRequest: (_request, reply) => void reply.send(refuseWithCode(reply, "accounts_disabled")),
      handler: unreachableHandler,
    });
  app.all("/api/admin/*", { onRequest: requireAdmin(deps), handler: unreachableHandler });
}
