import { Type } from "typebox";

import { StatusSchema } from "#core/resources/ladder.ts";
import type { Status } from "#core/resources/ladder.ts";
import { displayName } from "#core/words/house.ts";
import type { LadderId } from "#core/words/ids.ts";
import type { ArenaView, OnlineBot, RunningView } from "#live/arena/view.ts";
import { keepAnswers, LIVE_MAKINGS } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing } from "#web/http/errors.ts";
import { answers, ladder, ladderOf } from "#web/http/query.ts";

export function statusRoutes(app: App, deps: ApiDeps): void {
  const kept = keepAnswers(deps, "status", LIVE_MAKINGS);
  const schema = {
    querystring: Type.Object({ ladder }),
    response: answers(Type.Unsafe<Status | Buffer>(StatusSchema)),
  };
  const about = "Who is online, and what is being fought";
  const config = { endpoint: "status", about, refuses: [404] as const, public: true };
  app.get("/api/status", { schema, config }, async ({ query }, reply) => {
    const ladderId = ladderOf(deps, query.ladder);
    if (ladderId === null) return missing(reply, "ladder");
    const only = query.ladder === undefined ? null : ladderId;
    return kept(reply, only ?? "", async () => status(deps.arena, only));
  });
}

/** Who is online and which matches are being played, on one ladder or, with null, on all. */
function status(arena: ArenaView, ladderId: LadderId | null): Status {
  const isMeant = (item: { ladderId: LadderId | null }) =>
    ladderId === null || item.ladderId === ladderId;
  return {
    online: arena.online().filter(isMeant).map(toOnline).toSorted(byName),
    matches: arena.running().filter(isMeant).map(toRunning).toSorted(byStart),
    capacity: arena.capacity(),
    draining: arena.draining(),
  };
}

function toOnline(bot: OnlineBot): Status["online"][number] {
  const { botId: id, name, online, version, state } = bot;
  return {
    id,
    name,
    display_name: displayName(name),
    online,
    version,
    state,
    ladder_id: bot.ladderId,
    match_id: bot.matchId,
  };
}

function toRunning(match: RunningView): Status["matches"][number] {
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
