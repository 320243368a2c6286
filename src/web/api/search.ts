import { Type } from "typebox";

import { normalizeOwner, ownerProfilePath } from "#core/accounts/name-rules.ts";
import { SearchSchema } from "#core/api/search.ts";
import type { Search } from "#core/api/search.ts";
import { isLabel } from "#core/ladder/version-label.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { responseCache } from "#web/http/response-cache.ts";
import { okResponses } from "#web/http/route-params.ts";

import { fullBotIdentity } from "./bot-identity.ts";

const QuerySchema = Type.Object({
  q: Type.String({ description: "part of a name, case-insensitive" }),
});

const NO_RESULTS: Search = { bots: [], owners: [] };

export function searchRoutes(app: App, deps: ApiDeps): void {
  const cached = responseCache(deps, "search", null);
  const schema = {
    querystring: QuerySchema,
    response: okResponses(Type.Unsafe<Search | Buffer>(SearchSchema)),
  };
  const summary = "Searches bots and owners by part of their name";
  const config = { endpoint: "search", summary, public: true };
  app.get("/api/search", { schema, config }, async ({ query }, reply) => {
    const text = normalizeOwner(query.q);
    // Skips the query for text no name can contain.
    return isLabel(text, FIXED_LIMITS.owner_max)
      ? cached(reply, text, () => search(deps, text))
      : NO_RESULTS;
  });
}

async function search({ store, arena, limits }: ApiDeps, text: string): Promise<Search> {
  const { bots, owners } = await store.bots.search(text, limits().search_results);
  const online = arena.onlineIds();
  return {
    bots: bots.map((bot) => fullBotIdentity(bot, online)),
    owners: owners.map((row) => ({ owner: row.owner, owner_url: ownerProfilePath(row) })),
  };
}
