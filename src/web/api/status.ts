import { Type } from "typebox";

import { StatusSchema } from "#core/resources/ladder.ts";
import type { Status } from "#core/resources/ladder.ts";
import { displayName } from "#core/words/house.ts";
import type { BotId, LadderId } from "#core/words/ids.ts";
import type { ArenaView, OnlineBot, RunningView } from "#live/arena/view.ts";
import { keepAnswers, LIVE_MAKINGS } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing, refuse } from "#web/http/errors.ts";
import { answers, findBot, ladder, ladderOf } from "#web/http/query.ts";

const QuerySchema = Type.Object({
  ladder,
  bot: Type.Optional(Type.String({ description: "what this bot alone does, by its name" })),
});

export function statusRoutes(app: App, deps: ApiDeps): void {
  const kept = keepAnswers(deps, "status", LIVE_MAKINGS);
  const schema = {
    querystring: QuerySchema,
    response: answers(Type.Unsafe<Status | Buffer>(StatusSchema)),
  };
  const about = "Who is online, and what is being fought";
  const refuses = [404, "no_such_bot"] as const;
  const config = { endpoint: "status", about, refuses, public: true };
  app.get("/api/status", { schema, config }, async ({ query }, reply) => {
    const ladderId = ladderOf(deps, query.ladder);
    if (ladderId === null) return missing(reply, "ladder");
    const bot = query.bot === undefined ? undefined : await findBot(deps, query.bot);
    if (bot === null) return refuse(reply, "no_such_bot");
    const only = { ladderId: query.ladder === undefined ? null : ladderId, botId: bot?.id ?? null };
    return kept(reply, JSON.stringify(only), async () => status(deps.arena, only));
  });
}

/** All of what goes on now. */
export const statusOf = (arena: ArenaView): Status =>
  status(arena, { ladderId: null, botId: null });

/** Null is all of them. */
type Only = { ladderId: LadderId | null; botId: BotId | null };

/** Who is online and which matches are being played. */
function status(arena: ArenaView, only: Only): Status {
  const isOn = (ladderId: LadderId | null) => only.ladderId === null || ladderId === only.ladderId;
  const isOf = (...botIds: BotId[]) => only.botId === null || botIds.includes(only.botId);
  const online = arena.online().filter((bot) => isOn(bot.ladderId) && isOf(bot.botId));
  const running = arena.running().filter((one) => isOn(one.ladderId) && isOf(...one.botIds));
  return {
    online: online.map(toOnline).toSorted(byName),
    matches: running.map(toRunning).toSorted(byStart),
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
