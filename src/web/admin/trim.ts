// Operators remove replays that nobody keeps, without waiting for the next cleanup.

import { TrimmedSchema } from "#core/operator/usage.ts";
import { admitted } from "#web/auth/auth.ts";
import { actorOf, entryOf } from "#web/auth/entry.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { answers } from "#web/http/query.ts";

import { CLOSED_BODY, credentials, operatorHooks } from "./operator.ts";

export function trimRoutes(app: App, deps: ApiDeps): void {
  const schema = { body: CLOSED_BODY, response: answers(TrimmedSchema) };
  const about = "Removes old replay files now, as each cleanup does";
  const config = { endpoint: "admin_replays_trim", about, credentials };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/replays/trim", options, async ({ caller }) => {
    const actor = actorOf(admitted(caller));
    const { removed, bytes } = await deps.trimming.run();
    const detail = { removed, bytes };
    await deps.store.audit.add([entryOf(deps, actor, "replays.trimmed", null, { detail })]);
    return detail;
  });
}
