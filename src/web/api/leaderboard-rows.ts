// Rows of standings, from a board that moves or from what was written down for good.

import { qualifiedVersions, standings } from "#core/ladder/standings.ts";
import type { RatedEntry, Standing } from "#core/ladder/standings.ts";
import { versionFigures } from "#core/ladder/version-record.ts";
import type { LeaderboardRow } from "#core/resources/ladder.ts";
import { displayName } from "#core/words/house.ts";
import type { BotId, LadderId } from "#core/words/ids.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { FinalStanding } from "#data/store/season.ts";
import type { VersionEntry } from "#data/store/version.ts";
import type { ApiDeps } from "#web/http/deps.ts";

import { identityOf } from "./identity.ts";

export type StandingPlace = Standing<BotRecord, VersionEntry> & { rated: RatedEntry };

/** Who stands where now, best first: on a ladder's board, or on that of a season that is closing. */
export type Standings = (ladderId: LadderId, season?: string) => Promise<readonly StandingPlace[]>;

/** Facts and figures of a place, in bytes. */
const PLACE_BYTES = 1024;

/** Several answers are made of them, so they are kept. */
export function keepStandings({
  store,
  arena,
  limits,
  cache,
}: Pick<ApiDeps, "store" | "arena" | "limits" | "cache">): Standings {
  const kept = cache.shelf<StandingPlace[]>("standings", {
    sizeOf: (rows) => rows.length * PLACE_BYTES,
  });
  return (ladderId, season) =>
    kept.get(`${ladderId} ${season ?? ""}`, async () => {
      const board = arena.board(ladderId, season);
      const { qualifying_games: enough } = limits();
      const versions = await store.versions.byIds(qualifiedVersions(board, enough));
      const bots = await store.bots.byIds([...new Set(versions.map(({ botId }) => botId))]);
      return standings(bots, versions, board, enough);
    });
}

type Row = { botId: BotId; row: LeaderboardRow };

/** Best first. */
export function boardRows(places: readonly StandingPlace[], online: ReadonlySet<string>): Row[] {
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
