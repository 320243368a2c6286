import { ReplayTrimSchema } from "#core/api/usage.ts";
import { auditActor, newAuditEntry } from "#web/auth/audit-entry.ts";
import { assertAuthenticated } from "#web/auth/auth-hooks.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { okResponses } from "#web/http/route-params.ts";

import { EMPTY_BODY, credentials, operatorHooks } from "./admin-route.ts";

export function trimRoutes(app: App, deps: ApiDeps): void {
  const schema = { body: EMPTY_BODY, response: okResponses(ReplayTrimSchema) };
  const summary = "Removes expired replays now, in the same way as the regular cleanup";
  const config = { endpoint: "admin_replays_trim", summary: summary, credentials };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/replays/trim", options, async ({ caller }) => {
    const actor = auditActor(assertAuthenticated(caller));
    const { removed, bytes } = await deps.trimming.run();
    const detail = { removed, bytes };
    await deps.store.audit.add([newAuditEntry(deps, actor, "replays.trimmed", null, { detail })]);
    return detail;
  });
}
