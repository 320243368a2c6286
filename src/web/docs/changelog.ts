import { ChangelogSchema } from "#core/resources/api.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseWith } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";

export function changelogRoutes(app: App, { documents, versions }: ApiDeps): void {
  const schema = { response: answers(ChangelogSchema) };
  const about = "What changed, and what runs";
  const refuses = [404] as const;
  const config = { endpoint: "changelog", about, refuses, public: true, constant: true };
  app.get("/api/changelog", { schema, config }, async (_request, reply) => {
    const { changelog: markdown } = documents;
    if (markdown === null) return refuseWith(reply, 404, "There is no changelog.");
    return { versions, markdown };
  });
}
