import { Type } from "typebox";

import { StatusSchema } from "#core/api/ladder.ts";
import type { ServerStatus } from "#core/api/ladder.ts";
import { displayName } from "#core/ids/house-bots.ts";
import type { BotId, LadderId } from "#core/ids/ids.ts";
import type { ArenaView, OnlineBot, RunningMatchView } from "#live/arena/arena-view.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound, refuseWithCode } from "#web/http/errors.ts";
import { responseCache, LIVE_REFRESH_RATE } from "#web/http/response-cache.ts";
import { okResponses, findBot, ladder, resolveLadderId } from "#web/http/route-params.ts";

const QuerySchema = Type.Object({
  ladder,
  bot: Type.Optional(Type.String({ description: "only the activity of this bot, by name" })),
});

export function statusRoutes(app: App, deps: ApiDeps): void {
  const cached = responseCache(deps, "status", LIVE_REFRESH_RATE);
  const schema = {
    querystring: QuerySchema,
    response: okResponses(Type.Unsafe<ServerStatus | Buffer>(StatusSchema)),
  };
  const summary = "Online bots and running matches";
  const errorCodes = [404, "no_such_bot"] as const;
  const config = { endpoint: "status", summary, errorCodes, public: true };
  app.get("/api/status", { schema, config }, async ({ query }, reply) => {
    const ladderId = resolveLadderId(deps, query.ladder);
    if (ladderId === null) return refuseNotFound(reply, "ladder");
    const bot = query.bot === undefined ? undefined : await findBot(deps, query.bot);
    if (bot === null) return refuseWithCode(reply, "no_such_bot");
    const filter = {
      ladderId: query.ladder === undefined ? null : ladderId,
      botId: bot?.id ?? null,
    };
    return cached(reply, JSON.stringify(filter), async () => status(deps.arena, filter));
  });
}

export const fullStatus = (arena: ArenaView): ServerStatus =>
  status(arena, { ladderId: null, botId: null });

type StatusFilter = { ladderId: LadderId | null; botId: BotId | null };

function status(arena: ArenaView, filter: StatusFilter): ServerStatus {
  const isOnLadder = (ladderId: LadderId | null) =>
    filter.ladderId === null || ladderId === filter.ladderId;
  const involvesBot = (...botIds: BotId[]) =>
    filter.botId === null || botIds.includes(filter.botId);
  const online = arena
    .onlineBots()
    .filter((bot) => isOnLadder(bot.ladderId) && involvesBot(bot.botId));
  const running = arena
    .runningMatches()
    .filter((match) => isOnLadder(match.ladderId) && involvesBot(...match.botIds));
  return {
    online: online.map(toOnline).toSorted(byName),
    matches: running.map(toRunning).toSorted(byStart),
    capacity: arena.capacity(),
    draining: arena.isDraining(),
  };
}

function toOnline(bot: OnlineBot): ServerStatus["online"][number] {
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

function toRunning(match: RunningMatchView): ServerStatus["matches"][number] {
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

function byStart(a: ServerStatus["matches"][number], b: ServerStatus["matches"][number]): number {
  return `${a.started} ${a.id}` < `${b.started} ${b.id}` ? -1 : 1;
}
