import type { ApiDeps, App } from "#http/deps.ts";
import { refuseWith } from "#http/errors.ts";
import { answers } from "#http/query.ts";
import { ChangelogSchema } from "#resources/api.ts";

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
