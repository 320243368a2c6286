import { Type } from "typebox";

import type { OnlineBot, RunningMatch } from "#arena/view.ts";
import { displayName } from "#ladder/house.ts";
import { StatusSchema } from "#protocol/resource-ladder.ts";
import type { Status } from "#protocol/resource-ladder.ts";

import type { ApiDeps, App } from "./deps.ts";
import { missing } from "./errors.ts";
import { answers, ladder, ladderOf } from "./query.ts";

export function statusRoutes(app: App, deps: ApiDeps): void {
  const schema = { querystring: Type.Object({ ladder }), response: answers(StatusSchema) };
  const config = { endpoint: "status", public: true };
  app.get("/api/status", { schema, config }, async ({ query }, reply) => {
    if (query.ladder === undefined) return status(deps, null);
    const ladderId = ladderOf(query.ladder);
    return ladderId === null ? missing(reply, "ladder") : status(deps, ladderId);
  });
}

/** Who is online and what is being fought, on one ladder or, with null, on all. */
function status({ arena }: Pick<ApiDeps, "arena">, ladderId: string | null): Status {
  const isMeant = (item: { ladderId: string | null }) =>
    ladderId === null || item.ladderId === ladderId;
  return {
    online: arena.online().filter(isMeant).map(toOnline).toSorted(byName),
    matches: arena.running().filter(isMeant).map(toRunning).toSorted(byStart),
    capacity: arena.capacity(),
    draining: arena.draining(),
  };
}

function toOnline(bot: OnlineBot): Status["online"][number] {
  const { botId: id, name, version, state } = bot;
  return {
    id,
    name,
    display_name: displayName(name),
    version,
    state,
    ladder_id: bot.ladderId,
    match_id: bot.matchId,
  };
}

function toRunning(match: RunningMatch): Status["matches"][number] {
  const { id, map, tick, started } = match;
  return {
    id,
    map,
    tick,
    started,
    ladder_id: match.ladderId,
    bots: match.botIds,
    display_names: match.names.map(displayName),
  };
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1;
}

/** Oldest first. */
function byStart(a: Status["matches"][number], b: Status["matches"][number]): number {
  return `${a.started} ${a.id}` < `${b.started} ${b.id}` ? -1 : 1;
}
