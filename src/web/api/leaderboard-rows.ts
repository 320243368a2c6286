// Rows of standings, from a board that moves or from what was written down for good.

import { standings } from "#core/ladder/standings.ts";
import { versionFigures } from "#core/ladder/version-record.ts";
import type { LeaderboardRow } from "#core/resources/ladder.ts";
import { displayName } from "#core/words/house.ts";
import type { FinalStanding } from "#data/store/store.ts";
import type { ApiDeps } from "#web/http/deps.ts";

import { identityOf, onlineIds } from "./identity.ts";

type BoardDeps = Pick<ApiDeps, "store" | "arena" | "limits">;

type Row = { botId: string; row: LeaderboardRow };

/** Who stands where now: on a ladder's board, or on that of a season that is closing. */
export async function currentStandings(
  { store, arena, limits }: BoardDeps,
  ladderId: string,
  season?: string,
) {
  const board = arena.board(ladderId, season);
  const [bots, versions] = await Promise.all([store.bots(), store.versions()]);
  return standings(bots, versions, board, limits.qualifying_games);
}

/** Best first. */
export async function boardRows(
  deps: BoardDeps,
  ladderId: string,
  season?: string,
): Promise<Row[]> {
  const online = onlineIds(deps);
  const places = await currentStandings(deps, ladderId, season);
  return places.map(({ rank, bot, version, rated }) => {
    const { win_rate: _, ...figures } = versionFigures(rated);
    const identity = identityOf(bot, online.has(bot.id));
    return { botId: bot.id, row: { rank, ...identity, version: version.label, ...figures } };
  });
}

/** All as it was when the season was archived; so it says nothing of who is online now. */
export function finalRow(place: FinalStanding): Row {
  const { rank, botId, name, owner, house, label } = place;
  const { win_rate: _, ...figures } = versionFigures(place);
  const identity = { name, display_name: displayName(name), owner, owner_url: null, house };
  return { botId, row: { rank, ...identity, online: false, version: label, ...figures } };
}
