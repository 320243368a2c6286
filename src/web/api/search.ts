import { Type } from "typebox";

import { ownerFold, ownerPath } from "#core/accounts/name.ts";
import { isLabel } from "#core/ladder/label.ts";
import { SearchSchema } from "#core/resources/search.ts";
import type { Search } from "#core/resources/search.ts";
import { FIXED } from "#core/words/limits.ts";
import { keepAnswers } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { answers } from "#web/http/query.ts";

import { wholeIdentity } from "./identity.ts";

const QuerySchema = Type.Object({
  q: Type.String({ description: "a part of a name, in any letter case" }),
});

const NOTHING: Search = { bots: [], owners: [] };

export function searchRoutes(app: App, deps: ApiDeps): void {
  const kept = keepAnswers(deps, "search", null);
  const schema = {
    querystring: QuerySchema,
    response: answers(Type.Unsafe<Search | Buffer>(SearchSchema)),
  };
  const about = "Bots and owners by a part of their name";
  const config = { endpoint: "search", about, public: true };
  app.get("/api/search", { schema, config }, async ({ query }, reply) => {
    const text = ownerFold(query.q);
    // What no name can contain is sought nowhere.
    return isLabel(text, FIXED.owner_max) ? kept(reply, text, () => search(deps, text)) : NOTHING;
  });
}

async function search({ store, arena, limits }: ApiDeps, text: string): Promise<Search> {
  const { bots, owners } = await store.bots.search(text, limits().search_results);
  const online = arena.onlineIds();
  return {
    bots: bots.map((bot) => wholeIdentity(bot, online)),
    owners: owners.map((one) => ({ owner: one.owner, owner_url: ownerPath(one) })),
  };
}
