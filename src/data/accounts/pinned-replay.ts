// Replays that are kept although both bots have released them: highlights of results, matches
// embedded on other sites, and matches that accounts have starred. Only a replay that still exists
// can be pinned.

import type { AccountId, MatchId } from "#core/words/ids.ts";
import { highlights } from "#data/queries/highlight.ts";
import { hasReplay, keptOf } from "#data/queries/kept-replay.ts";
import { seasonOf } from "#data/queries/season.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { Released, StarOutcome } from "#data/store/replay.ts";

/** Keepers that are no account. */
type Reason = "highlight" | "embed";

/** A starred match counts once; `most` is how many an account may star. */
export async function starReplay(
  open: OpenTransaction,
  accountId: AccountId,
  matchId: MatchId,
  at: string,
  most: number,
): Promise<StarOutcome> {
  const account = open.selectFrom("accounts").select("id").where("id", "=", accountId);
  if ((await account.executeTakeFirst()) === undefined) return "no_replay";
  if (!(await hasReplay(open, matchId))) return "no_replay";
  const starred = await pinnedFor(open, accountId);
  if (starred.includes(matchId)) return "starred";
  if (starred.length >= most) return "star_limit";
  const row = { match_id: matchId, keeper: accountId, account_id: accountId, at };
  await open.insertInto("pinned_replays").values(row).execute();
  return "starred";
}

/** The matches that an account has starred, or that are pinned for a reason; newest pin first. */
export async function pinnedFor(
  database: Database,
  keeper: AccountId | Reason,
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

/** Ids of matches whose replays nobody keeps any longer: this one or none. */
export const unstarReplay = (
  open: OpenTransaction,
  accountId: AccountId,
  matchId: MatchId,
): Promise<MatchId[]> => unpin(open, accountId, [matchId]);

export async function pinEmbedded(
  open: OpenTransaction,
  matchId: MatchId,
  at: string,
): Promise<void> {
  if (!(await hasReplay(open, matchId))) return;
  await open
    .insertInto("pinned_replays")
    .values({ match_id: matchId, keeper: "embed" satisfies Reason, account_id: null, at })
    .onConflict((conflict) => conflict.columns(["match_id", "keeper"]).doUpdateSet({ at }))
    .execute();
}

/** All highlights of every ladder and season. */
export async function highlightedMatches(database: Database): Promise<MatchId[]> {
  const competitions = await database
    .selectFrom("ladder_tallies")
    .select(["ladder_id as ladderId", "season"])
    .execute();
  const ids = new Set<MatchId>();
  for (const { ladderId, season } of competitions) {
    const of = { ladderId, season: seasonOf(season) };
    for (const id of Object.values(await highlights(database, of))) ids.add(id);
  }
  return [...ids];
}

/** Pins these highlights, and unpins former ones and all but the newest `embedded` embeds. */
export async function renewPins(
  open: OpenTransaction,
  highlighted: readonly MatchId[],
  embedded: number,
): Promise<Released> {
  const pinned = await pinnedFor(open, "highlight");
  const fresh = highlighted.filter((id) => !pinned.includes(id));
  const kept = fresh.length === 0 ? new Set<string>() : await keptOf(open, fresh);
  for (const id of fresh.filter((one) => kept.has(one)))
    await open
      .insertInto("pinned_replays")
      .values({ match_id: id, keeper: "highlight" satisfies Reason, account_id: null, at: "" })
      .execute();
  const former = pinned.filter((id) => !highlighted.includes(id));
  const oldest = (await pinnedFor(open, "embed")).slice(embedded);
  const gone = new Set([
    ...(await unpin(open, "highlight", former)),
    ...(await unpin(open, "embed", oldest)),
  ]);
  return { gone: [...gone], isDone: true };
}

async function unpin(
  open: OpenTransaction,
  keeper: AccountId | Reason,
  matchIds: readonly MatchId[],
): Promise<MatchId[]> {
  if (matchIds.length === 0) return [];
  const deleted = await open
    .deleteFrom("pinned_replays")
    .where("keeper", "=", keeper)
    .where("match_id", "in", matchIds)
    .returning("match_id as id")
    .execute();
  if (deleted.length === 0) return [];
  const ids = deleted.map(({ id }) => id);
  const kept = await keptOf(open, ids);
  return ids.filter((id) => !kept.has(id));
}
