import { StarredMatchesSchema, StarSchema } from "#core/api/account.ts";
import { requireAccount, assertSignedIn } from "#web/auth/auth-hooks.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseWithCode, refuseWithStatus } from "#web/http/errors.ts";
import { okResponses, parseId, MatchParams } from "#web/http/route-params.ts";

const credentials = ["Browser"] as const;

const NO_REPLAY = "There is no such match, or its replay was removed.";

export function starRoutes(app: App, deps: ApiDeps): void {
  listRoute(app, deps);
  starRoute(app, deps);
  unstarRoute(app, deps);
}

function listRoute(app: App, deps: ApiDeps): void {
  const schema = { response: okResponses(StarredMatchesSchema) };
  const config = { endpoint: "account_stars", summary: "Starred matches", credentials };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.get("/api/account/stars", options, async ({ caller }) => {
    const { account } = assertSignedIn(caller);
    const ids = await deps.store.replays.listStarred(account.id);
    return { match_ids: ids, max: deps.limits().starred_replays };
  });
}

function starRoute(app: App, deps: ApiDeps): void {
  const schema = { params: MatchParams, response: okResponses(StarSchema) };
  const summary = "Stars a match, which keeps its replay";
  const errorCodes = ["star_limit", 404] as const;
  const config = {
    endpoint: "account_star",
    summary: summary,
    credentials,
    errorCodes: errorCodes,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.put("/api/account/stars/:id", options, async ({ params, caller }, reply) => {
    const { account } = assertSignedIn(caller);
    const id = parseId(params.id);
    if (id === null) return refuseWithStatus(reply, 404, NO_REPLAY);
    const at = deps.clock().toISOString();
    const maxStars = deps.limits().starred_replays;
    const outcome = await deps.store.replays.star(account.id, id, at, maxStars);
    if (outcome === "no_replay") return refuseWithStatus(reply, 404, NO_REPLAY);
    if (outcome === "star_limit") return refuseWithCode(reply, "star_limit");
    return { match_id: id, starred: true };
  });
}

function unstarRoute(app: App, deps: ApiDeps): void {
  const schema = { params: MatchParams, response: okResponses(StarSchema) };
  const summary = "Removes the star from a match";
  const config = {
    endpoint: "account_star_removal",
    summary: summary,
    credentials,
    errorCodes: [404] as const,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.delete("/api/account/stars/:id", options, async ({ params, caller }, reply) => {
    const { account } = assertSignedIn(caller);
    const id = parseId(params.id);
    if (id === null) return refuseWithStatus(reply, 404, NO_REPLAY);
    for (const releasedId of await deps.store.replays.unstar(account.id, id))
      await deps.replays.remove(releasedId);
    return { match_id: id, starred: false };
  });
}
