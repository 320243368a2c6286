import { sql } from "kysely";

// Whose replays are kept. Each bot keeps those of its newest ranked matches, and a replay exists as
// long as one of its two bots keeps it; the casual games of all bots and people share one keeper.
// Whatever a keeper has released is older than what it keeps, so one row per keeper marks the
// boundary, and saving a match costs nothing here.
import { sure } from "#base/units/sure.ts";
import type { BotId, LadderId, MatchId } from "#core/words/ids.ts";

import { rankedLadders } from "./match.ts";
import { isCasual, isRanked } from "./mode.ts";
import type { Database, OpenTransaction } from "./tables.ts";

/** Keeper of the replays of casual games. */
const CASUAL = "casual";

/** Seats `s` whose keeper keeps the replay. */
const KEPT = sql`seats as s left join released_replays as r
    on r.keeper = case when ${isRanked("s")} then s.bot_id else ${sql.lit(CASUAL)} end
  where (r.keeper is null or (s.ended, s.match_id) > (r.ended, r.match_id))`;

/** Whether a stored match still has its replay. */
export async function hasReplay(database: Database, matchId: MatchId): Promise<boolean> {
  return (await keptOf(database, [matchId])).size > 0;
}

/** Ids of the matches that have their replays. */
export async function replayIds(database: Database): Promise<string[]> {
  return [...idSet(await sql<Id>`select s.match_id as id from ${KEPT}`.execute(database))];
}

/** The given matches that have their replays. */
async function keptOf(database: Database, matchIds: readonly MatchId[]): Promise<Set<string>> {
  const kept = sql<Id>`select s.match_id as id from ${KEPT} and s.match_id in (${sql.join(matchIds)})`;
  return idSet(await kept.execute(database));
}

type Id = { id: string };

const idSet = ({ rows }: { rows: Id[] }): Set<string> => new Set(rows.map(({ id }) => id));

/**
 * Bots release all but their newest `keep` matches, oldest first, up to `most` each. `gone` are the
 * matches whose replays nobody keeps any longer.
 */
export async function releaseReplays(
  transaction: OpenTransaction,
  botIds: readonly BotId[],
  keep: number,
  most: number,
): Promise<{ gone: string[]; isDone: boolean }> {
  const gone: string[] = [];
  let isDone = true;
  for (const botId of botIds) {
    const beyond = await beyondNewest(transaction, botId, keep, most);
    isDone &&= beyond.length < most;
    if (beyond.length > 0) gone.push(...(await release(transaction, botId, beyond)));
  }
  return { gone, isDone };
}

/** Releases all but the newest `keep` casual games, oldest first, up to `most`. */
export async function releaseCasualReplays(
  transaction: OpenTransaction,
  keep: number,
  most: number,
): Promise<{ gone: string[]; isDone: boolean }> {
  const newest = await released(transaction, CASUAL);
  const oldest = await transaction
    .selectFrom("matches")
    .select(["id as matchId", "ended"])
    .where(isCasual("matches"))
    .where(sql<boolean>`(ended, id) > (${newest.ended}, ${newest.matchId})`)
    .orderBy("ended")
    .orderBy("id")
    .limit(keep + most)
    .execute();
  const beyond = oldest.slice(0, Math.max(0, oldest.length - keep));
  const gone = beyond.length > 0 ? await release(transaction, CASUAL, beyond) : [];
  return { gone, isDone: beyond.length < most };
}

type Seat = { matchId: MatchId; ended: string };

/** The oldest matches whose replays the bot keeps, except its newest `keep`. */
async function beyondNewest(
  database: Database,
  botId: BotId,
  keep: number,
  most: number,
): Promise<Seat[]> {
  const newest = await released(database, botId);
  const kept: Seat[] = [];
  for (const ladderId of await rankedLadders(database, botId))
    kept.push(...(await oldestKept(database, botId, ladderId, newest, keep + most)));
  const oldest = kept.toSorted(byAge).slice(0, keep + most);
  return oldest.slice(0, Math.max(0, oldest.length - keep));
}

/** The newest replay that a keeper has released; if there is none, a seat before all others. */
async function released(database: Database, keeper: string): Promise<Seat> {
  const row = await database
    .selectFrom("released_replays")
    .select(["match_id as matchId", "ended"])
    .where("keeper", "=", keeper)
    .executeTakeFirst();
  return row ?? { matchId: "", ended: "" };
}

async function oldestKept(
  database: Database,
  botId: BotId,
  ladderId: LadderId,
  after: Seat,
  limit: number,
): Promise<Seat[]> {
  return database
    .selectFrom("seats")
    .select(["match_id as matchId", "ended"])
    .where("bot_id", "=", botId)
    .where("ladder_id", "=", ladderId)
    .where(isRanked("seats"))
    .where(sql<boolean>`(ended, match_id) > (${after.ended}, ${after.matchId})`)
    .orderBy("ended")
    .orderBy("match_id")
    .limit(limit)
    .execute();
}

/** Ids of the matches whose replays nobody else keeps. */
async function release(
  transaction: OpenTransaction,
  keeper: string,
  seats: readonly Seat[],
): Promise<string[]> {
  const { matchId: match_id, ended } = sure(seats.at(-1), "seat");
  await transaction
    .insertInto("released_replays")
    .values({ keeper, ended, match_id })
    .onConflict((conflict) => conflict.column("keeper").doUpdateSet({ ended, match_id }))
    .execute();
  const ids = seats.map(({ matchId }) => matchId);
  const kept = await keptOf(transaction, ids);
  return ids.filter((id) => !kept.has(id));
}

function byAge(one: Seat, other: Seat): number {
  if (one.ended !== other.ended) return one.ended < other.ended ? -1 : 1;
  return one.matchId < other.matchId ? -1 : 1;
}
