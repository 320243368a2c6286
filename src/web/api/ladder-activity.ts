import type { LobbyEntry } from "#core/api/ladder.ts";
import type { ActivitySummary, RunningMatchSummary } from "#core/api/standings-page.ts";
import { displayName } from "#core/ids/house-bots.ts";
import type { BotId, LadderId } from "#core/ids/ids.ts";
import { totalGames } from "#core/ladder/version-record.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { OnlineBot, RunningMatchView } from "#live/arena/arena-view.ts";
import type { ApiDeps } from "#web/http/deps.ts";

import { lobbyEntry, isListedInLobby } from "./lobby.ts";
import type { StandingsEntry } from "./standings-entries.ts";

type ActivityDeps = Pick<ApiDeps, "store" | "arena" | "ladders" | "limits">;
type Bots = ReadonlyMap<string, BotRecord>;
type Places = ReadonlyMap<string, StandingsEntry>;

/** Returns the activity. `sessions` must have one session for each connected bot. */
export async function ladderActivity(
  deps: ActivityDeps,
  ladderId: LadderId,
  standings: readonly StandingsEntry[],
  sessions: readonly OnlineBot[],
): Promise<ActivitySummary> {
  const { store, arena, limits } = deps;
  const { running_shown, coming_shown } = limits();
  const places: Places = new Map(standings.map((place) => [place.bot.id, place]));
  const matches = arena.runningMatches().filter((match) => match.ladderId === ladderId);
  const shownMatches = matches.toSorted(byRank(places)).slice(0, running_shown);
  const board = arena.board(ladderId);
  const isNewcomer = ({ botId, versionId }: OnlineBot) =>
    places.get(botId)?.version.id !== versionId;
  const gamesPlayed = ({ versionId }: OnlineBot) =>
    totalGames(board.get(versionId ?? "") ?? NO_GAMES);
  const newcomers = sessions.filter(isNewcomer).toSorted((a, b) => gamesPlayed(b) - gamesPlayed(a));
  const shownNewcomers = newcomers.slice(0, coming_shown);
  const bots: Bots = await botsById(store, shownMatches, shownNewcomers);
  return {
    online: sessions.length,
    players_online: sessions.filter((a) => !a.house && a.ladderId === ladderId).length,
    running: shownMatches.map((match) => toRunningMatch(match, bots, places)),
    running_total: matches.length,
    coming: shownNewcomers.flatMap((session): LobbyEntry[] => {
      const bot = bots.get(session.botId);
      return bot && isListedInLobby(deps, bot, ladderId)
        ? [lobbyEntry(deps, ladderId, bot, session)]
        : [];
    }),
    coming_total: newcomers.length,
    draining: arena.isDraining(),
  };
}

const NO_GAMES = { wins: 0, losses: 0, draws: 0 };

async function botsById(
  store: ActivityDeps["store"],
  matches: readonly RunningMatchView[],
  sessions: readonly OnlineBot[],
): Promise<Bots> {
  const ids = [...matches.flatMap(({ botIds }) => botIds), ...sessions.map(({ botId }) => botId)];
  const bots = await store.bots.byIds([...new Set(ids)]);
  return new Map(bots.map((bot) => [bot.id, bot]));
}

/**
 * Compares matches by the lower-ranked of their two bots. Unranked matches come last, newest first.
 */
function byRank(places: Places): (a: RunningMatchView, b: RunningMatchView) => number {
  const worstRank = ({ botIds }: RunningMatchView) =>
    Math.max(...botIds.map((id) => places.get(id)?.rank ?? UNRANKED));
  return (a, b) => worstRank(a) - worstRank(b) || (a.started < b.started ? 1 : -1);
}

const UNRANKED = Number.MAX_SAFE_INTEGER;

function toRunningMatch(
  { id, map, tick, started, ...match }: RunningMatchView,
  bots: Bots,
  places: Places,
) {
  const toRunningBot = (botId: BotId, seat: number): RunningMatchSummary["bots"][number] => {
    const bot = bots.get(botId);
    const { house = false, avatar = null } = bot ?? {};
    const name = bot?.name ?? match.names[seat] ?? botId;
    const { rank, rated } = places.get(botId) ?? {};
    const rating = rated === undefined ? null : Math.round(rated.rating);
    const display_name = displayName(name);
    return { id: botId, name, display_name, house, avatar, rank: rank ?? null, rating };
  };
  return {
    id,
    map,
    tick,
    started,
    bots: match.botIds.map(toRunningBot),
  } satisfies RunningMatchSummary;
}
