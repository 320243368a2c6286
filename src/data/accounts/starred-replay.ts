// Pins: replays that are retained although both bots have released them. Highlights, matches
// embedded on other sites and starred matches are pinned. Only a replay that still exists can be
// pinned.

import type { AccountId, MatchId } from "#core/ids/ids.ts";
import { competitionHighlights } from "#data/queries/highlight.ts";
import { hasReplay, retainedOf } from "#data/queries/retained-replays.ts";
import { parseSeasonColumn } from "#data/queries/season.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { ReleasedReplays, StarOutcome } from "#data/store/replay.ts";

/** Value of `keeper` for pins that don't belong to an account. */
type PinReason = "highlight" | "embed";

export async function starReplay(
  tx: OpenTransaction,
  accountId: AccountId,
  matchId: MatchId,
  at: string,
  limit: number,
): Promise<StarOutcome> {
  const account = tx.selectFrom("accounts").select("id").where("id", "=", accountId);
  if ((await account.executeTakeFirst()) === undefined) return "no_replay";
  if (!(await hasReplay(tx, matchId))) return "no_replay";
  const starredIds = await pinnedMatches(tx, accountId);
  if (starredIds.includes(matchId)) return "starred";
  if (starredIds.length >= limit) return "star_limit";
  const row = { match_id: matchId, keeper: accountId, account_id: accountId, at };
  await tx.insertInto("pinned_replays").values(row).execute();
  return "starred";
}

export async function pinnedMatches(
  database: Database,
  keeper: AccountId | PinReason,
): Promise<MatchId[]> {
  const rows = await database
    .selectFrom("pinned_replays")
    .select("match_id as id")
    .where("keeper", "=", keeper)
    .orderBy("at", "desc")
    .orderBy("match_id", "desc")
    .execute();
  return rows.map(({ id }) => id);
}

export const unstarReplay = (
  tx: OpenTransaction,
  accountId: AccountId,
  matchId: MatchId,
): Promise<MatchId[]> => unpin(tx, accountId, [matchId]);

export async function pinEmbedded(
  tx: OpenTransaction,
  matchId: MatchId,
  at: string,
): Promise<void> {
  if (!(await hasReplay(tx, matchId))) return;
  await tx
    .insertInto("pinned_replays")
    .values({ match_id: matchId, keeper: "embed" satisfies PinReason, account_id: null, at })
    .onConflict((conflict) => conflict.columns(["match_id", "keeper"]).doUpdateSet({ at }))
    .execute();
}

export async function highlightedMatches(database: Database): Promise<MatchId[]> {
  const competitions = await database
    .selectFrom("ladder_tallies")
    .select(["ladder_id as ladderId", "season"])
    .execute();
  const ids = new Set<MatchId>();
  for (const { ladderId, season } of competitions) {
    const competition = { ladderId, season: parseSeasonColumn(season) };
    for (const id of Object.values(await competitionHighlights(database, competition))) ids.add(id);
  }
  return [...ids];
}

export async function renewPins(
  tx: OpenTransaction,
  highlightIds: readonly MatchId[],
  embedLimit: number,
): Promise<ReleasedReplays> {
  const pinnedIds = await pinnedMatches(tx, "highlight");
  const newHighlights = highlightIds.filter((id) => !pinnedIds.includes(id));
  const availableIds =
    newHighlights.length === 0 ? new Set<string>() : await retainedOf(tx, newHighlights);
  for (const id of newHighlights.filter((matchId) => availableIds.has(matchId)))
    await tx
      .insertInto("pinned_replays")
      .values({ match_id: id, keeper: "highlight" satisfies PinReason, account_id: null, at: "" })
      .execute();
  const outdatedIds = pinnedIds.filter((id) => !highlightIds.includes(id));
  const excessEmbeds = (await pinnedMatches(tx, "embed")).slice(embedLimit);
  const removedIds = new Set([
    ...(await unpin(tx, "highlight", outdatedIds)),
    ...(await unpin(tx, "embed", excessEmbeds)),
  ]);
  return { removedIds: [...removedIds], isDone: true };
}

async function unpin(
  tx: OpenTransaction,
  keeper: AccountId | PinReason,
  matchIds: readonly MatchId[],
): Promise<MatchId[]> {
  if (matchIds.length === 0) return [];
  const deletedPins = await tx
    .deleteFrom("pinned_replays")
    .where("keeper", "=", keeper)
    .where("match_id", "in", matchIds)
    .returning("match_id as id")
    .execute();
  if (deletedPins.length === 0) return [];
  const ids = deletedPins.map(({ id }) => id);
  const availableIds = await retainedOf(tx, ids);
  return ids.filter((id) => !availableIds.has(id));
}
