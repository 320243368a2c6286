import { ChangelogSchema } from "#core/api/api-index.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseWithStatus } from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";

export function changelogRoutes(app: App, { documents, versions }: ApiDeps): void {
  const schema = { response: okResponses(ChangelogSchema) };
  const summary = "Changelog and running version";
  const errorCodes = [404] as const;
  const config = { endpoint: "changelog", summary, errorCodes, public: true, constant: true };
  app.get("/api/changelog", { schema, config }, async (_request, reply) => {
    const { changelog: markdown } = documents;
    if (markdown === null) return refuseWithStatus(reply, 404, "There is no changelog.");
    return { versions, markdown };
  });
}
