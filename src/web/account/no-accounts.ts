import type { App } from "#web/http/deps.ts";
import { refuse } from "#web/http/errors.ts";

/** Without accounts, every address of an account says so before anything else is checked. */
export function noAccountRoutes(app: App): void {
  for (const path of ["/api/account", "/api/account/*"])
    app.all(path, {
      onRequest: (_request, reply) => void reply.send(refuse(reply, "accounts_disabled")),
      handler: () => {
        throw new Error("answered before");
      },
    });
}
