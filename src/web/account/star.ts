// Starred matches of an account, whose replays are kept.

import { StarredMatchesSchema, StarSchema } from "#core/resources/account.ts";
import { requireAccount, signedIn } from "#web/auth/auth.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuse, refuseWith } from "#web/http/errors.ts";
import { answers, idOf, MatchParams } from "#web/http/query.ts";

/** For every route here. */
const credentials = ["Browser"] as const;

const NO_REPLAY = "There is no such match, or its replay was removed.";

export function starRoutes(app: App, deps: ApiDeps): void {
  listRoute(app, deps);
  starRoute(app, deps);
  unstarRoute(app, deps);
}

function listRoute(app: App, deps: ApiDeps): void {
  const schema = { response: answers(StarredMatchesSchema) };
  const config = { endpoint: "account_stars", about: "Starred matches", credentials };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.get("/api/account/stars", options, async ({ caller }) => {
    const { account } = signedIn(caller);
    const ids = await deps.store.replays.starred(account.id);
    return { match_ids: ids, max: deps.limits().starred_replays };
  });
}

function starRoute(app: App, deps: ApiDeps): void {
  const schema = { params: MatchParams, response: answers(StarSchema) };
  const about = "Stars a match, so that its replay is kept";
  const refuses = ["star_limit", 404] as const;
  const config = { endpoint: "account_star", about, credentials, refuses };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.put("/api/account/stars/:id", options, async ({ params, caller }, reply) => {
    const { account } = signedIn(caller);
    const id = idOf(params.id);
    if (id === null) return refuseWith(reply, 404, NO_REPLAY);
    const at = deps.clock().toISOString();
    const most = deps.limits().starred_replays;
    const outcome = await deps.store.replays.star(account.id, id, at, most);
    if (outcome === "no_replay") return refuseWith(reply, 404, NO_REPLAY);
    if (outcome === "star_limit") return refuse(reply, "star_limit");
    return { match_id: id, starred: true };
  });
}

function unstarRoute(app: App, deps: ApiDeps): void {
  const schema = { params: MatchParams, response: answers(StarSchema) };
  const about = "Removes the star of a match";
  const config = { endpoint: "account_star_removal", about, credentials, refuses: [404] as const };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.delete("/api/account/stars/:id", options, async ({ params, caller }, reply) => {
    const { account } = signedIn(caller);
    const id = idOf(params.id);
    if (id === null) return refuseWith(reply, 404, NO_REPLAY);
    for (const gone of await deps.store.replays.unstar(account.id, id))
      await deps.replays.remove(gone);
    return { match_id: id, starred: false };
  });
}
