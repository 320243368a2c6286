// What happens on a ladder now, in a bounded answer: some running fights, some newcomers.

import { gamesOf } from "#core/ladder/version-record.ts";
import type { LobbyEntry } from "#core/resources/ladder.ts";
import type { Activity, RunningFight } from "#core/resources/standings.ts";
import { displayName } from "#core/words/house.ts";
import type { BotId, LadderId } from "#core/words/ids.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { OnlineBot, RunningView } from "#live/arena/view.ts";
import type { ApiDeps } from "#web/http/deps.ts";

import type { StandingPlace } from "./leaderboard-rows.ts";
import { entryOf, isShown } from "./lobby.ts";

type ActivityDeps = Pick<ApiDeps, "store" | "arena" | "ladders" | "limits">;
type Bots = ReadonlyMap<string, BotRecord>;
type Places = ReadonlyMap<string, StandingPlace>;

/** `sessions`: one for each bot on the ladder. */
export async function activityOf(
  deps: ActivityDeps,
  ladderId: LadderId,
  standings: readonly StandingPlace[],
  sessions: readonly OnlineBot[],
): Promise<Activity> {
  const { store, arena, limits } = deps;
  const { running_shown, coming_shown } = limits();
  const places: Places = new Map(standings.map((place) => [place.bot.id, place]));
  const fights = arena.running().filter((match) => match.ladderId === ladderId);
  const shown = fights.toSorted(byRank(places)).slice(0, running_shown);
  const board = arena.board(ladderId);
  const isComing = ({ botId, versionId }: OnlineBot) => places.get(botId)?.version.id !== versionId;
  const games = ({ versionId }: OnlineBot) => gamesOf(board.get(versionId ?? "") ?? NO_GAMES);
  const newcomers = sessions.filter(isComing).toSorted((one, other) => games(other) - games(one));
  const coming = newcomers.slice(0, coming_shown);
  const bots: Bots = await botsById(store, shown, coming);
  return {
    online: sessions.length,
    players_online: sessions.filter((one) => !one.house && one.ladderId === ladderId).length,
    running: shown.map((match) => toFight(match, bots, places)),
    running_total: fights.length,
    coming: coming.flatMap((session): LobbyEntry[] => {
      const bot = bots.get(session.botId);
      return bot && isShown(deps, bot, ladderId) ? [entryOf(deps, ladderId, bot, session)] : [];
    }),
    coming_total: newcomers.length,
    draining: arena.draining(),
  };
}

const NO_GAMES = { wins: 0, losses: 0, draws: 0 };

async function botsById(
  store: ActivityDeps["store"],
  fights: readonly RunningView[],
  sessions: readonly OnlineBot[],
): Promise<Bots> {
  const ids = [...fights.flatMap(({ botIds }) => botIds), ...sessions.map(({ botId }) => botId)];
  const bots = await store.bots.byIds([...new Set(ids)]);
  return new Map(bots.map((bot) => [bot.id, bot]));
}

/** A fight is as good as the worse of its two ranks; without ranks the newest one comes first. */
function byRank(places: Places): (one: RunningView, other: RunningView) => number {
  const worst = ({ botIds }: RunningView) =>
    Math.max(...botIds.map((id) => places.get(id)?.rank ?? UNRANKED));
  return (one, other) => worst(one) - worst(other) || (one.started < other.started ? 1 : -1);
}

const UNRANKED = Number.MAX_SAFE_INTEGER;

function toFight({ id, map, tick, started, ...match }: RunningView, bots: Bots, places: Places) {
  const contender = (botId: BotId, seat: number): RunningFight["bots"][number] => {
    const bot = bots.get(botId);
    const { house = false, avatar = null } = bot ?? {};
    const name = bot?.name ?? match.names[seat] ?? botId;
    const { rank, rated } = places.get(botId) ?? {};
    const rating = rated === undefined ? null : Math.round(rated.rating);
    const display_name = displayName(name);
    return { id: botId, name, display_name, house, avatar, rank: rank ?? null, rating };
  };
  return { id, map, tick, started, bots: match.botIds.map(contender) } satisfies RunningFight;
}
