// Tracks which replays are retained. A replay exists while at least one keeper retains it. Keepers
// are the two bots of a ranked match, ladders with a row in `released_replays`, and pins. All
// casual games share one keeper. Each keeper releases replays oldest first, so a single row per
// keeper marks the newest released one, and saving a match needs no write to this table.

import { sql } from "kysely";

import { assertDefined } from "#base/util/assert-defined.ts";
import type { BotId, LadderId, MatchId } from "#core/ids/ids.ts";
import type {
  LadderRetention,
  ExcessQuery,
  ExcessReplay,
  ReleasedReplays,
} from "#data/store/replay.ts";

import { isCasual, isRanked } from "./match-mode.ts";
import { rankedLadders } from "./match.ts";
import { compiledSelect, toCompilable } from "./statement.ts";
import type { Database, OpenTransaction } from "./tables.ts";

const CASUAL_KEEPER = "casual";

/** Prefix of ladder keepers. No bot ID starts with it. */
const LADDER_KEEPER_PREFIX = "ladder:";
const ladderKeeper = (ladderId: LadderId): string => LADDER_KEEPER_PREFIX + ladderId;

/** Whether the replay of seat `s` is pinned. See starred-replay.ts. */
const IS_PINNED = sql`exists (select 1 from pinned_replays as p where p.match_id = s.match_id)`;

/** Selects seats `s` whose replay is retained by the keeper, the ladder or a pin. */
const RETAINED_SEATS = sql`seats as s left join released_replays as r
    on r.keeper = case when ${isRanked("s")} then s.bot_id else ${sql.lit(CASUAL_KEEPER)} end
  left join released_replays as h
    on ${isRanked("s")} and h.keeper = ${sql.lit(LADDER_KEEPER_PREFIX)} || s.ladder_id
  where (r.keeper is null or (s.ended, s.match_id) > (r.ended, r.match_id)
    or (s.ended, s.match_id) > (h.ended, h.match_id) or ${IS_PINNED})`;

/** Number of keepers of one match, in a query grouped by match. Casual games have one keeper. */
const KEEPER_COUNT = sql<number>`max(case when ${IS_PINNED} then 1 else 0 end) +
  case when max(s.mode) <> 'ranked'
    then max(case when r.keeper is null or (s.ended, s.match_id) > (r.ended, r.match_id)
      then 1 else 0 end)
    else sum(case when r.keeper is null or (s.ended, s.match_id) > (r.ended, r.match_id)
        then 1 else 0 end)
      + max(case when (s.ended, s.match_id) > (h.ended, h.match_id) then 1 else 0 end) end`;

export async function hasReplay(database: Database, matchId: MatchId): Promise<boolean> {
  return (await selectRetained(database, matchId)).length > 0;
}

const selectRetained = compiledSelect((database, matchId: string) =>
  toCompilable(
    database,
    sql<IdRow>`select s.match_id as id from ${RETAINED_SEATS} and s.match_id = ${matchId}`,
  ),
);

export async function replayIds(database: Database): Promise<string[]> {
  return [
    ...toIdSet(await sql<IdRow>`select s.match_id as id from ${RETAINED_SEATS}`.execute(database)),
  ];
}

export async function retainedOf(
  database: Database,
  matchIds: readonly MatchId[],
): Promise<Set<string>> {
  const retainedQuery = sql<IdRow>`select s.match_id as id from ${RETAINED_SEATS} and s.match_id in (${sql.join(matchIds)})`;
  return toIdSet(await retainedQuery.execute(database));
}

type IdRow = { id: string };

const toIdSet = ({ rows }: { rows: IdRow[] }): Set<string> => new Set(rows.map(({ id }) => id));

export async function releaseReplays(
  tx: OpenTransaction,
  botIds: readonly BotId[],
  retainCount: number,
  limit: number,
): Promise<ReleasedReplays> {
  const removedIds: string[] = [];
  let isDone = true;
  for (const botId of botIds) {
    const excessSeats = await excessOfBot(tx, botId, retainCount, limit);
    isDone &&= excessSeats.length < limit;
    if (excessSeats.length > 0) removedIds.push(...(await releaseSeats(tx, botId, excessSeats)));
  }
  return { removedIds, isDone };
}

export async function releaseCasualReplays(
  tx: OpenTransaction,
  retainCount: number,
  limit: number,
): Promise<ReleasedReplays> {
  const excessSeats = await excessCasual(tx, retainCount, limit);
  const removedIds =
    excessSeats.length > 0 ? await releaseSeats(tx, CASUAL_KEEPER, excessSeats) : [];
  return { removedIds, isDone: excessSeats.length < limit };
}

async function excessCasual(
  database: Database,
  retainCount: number,
  limit: number,
): Promise<ReplaySeat[]> {
  const newestReleased = await newestReleasedSeat(database, CASUAL_KEEPER);
  const oldestSeats = await database
    .selectFrom("matches")
    .select(["id as matchId", "ended"])
    .where(isCasual("matches"))
    .where(sql<boolean>`(ended, id) > (${newestReleased.ended}, ${newestReleased.matchId})`)
    .orderBy("ended")
    .orderBy("id")
    .limit(retainCount + limit)
    .execute();
  return oldestSeats.slice(0, Math.max(0, oldestSeats.length - retainCount));
}

export async function retainForLadders(
  tx: OpenTransaction,
  retentions: readonly LadderRetention[],
  limit: number,
): Promise<ReleasedReplays> {
  const previousLadders = await retainingLadders(tx);
  const countByLadder = new Map(
    retentions.map(({ ladderId, keep: retainCount }) => [ladderId, retainCount]),
  );
  for (const ladderId of countByLadder.keys())
    if (!previousLadders.includes(ladderId)) await startRetention(tx, ladderId);
  const removedIds: string[] = [];
  let isDone = true;
  for (const ladderId of new Set([...previousLadders, ...countByLadder.keys()])) {
    const keeper = ladderKeeper(ladderId);
    const excessSeats = await excessOfLadder(tx, ladderId, countByLadder.get(ladderId) ?? 0, limit);
    isDone &&= excessSeats.length < limit;
    if (excessSeats.length > 0) removedIds.push(...(await releaseSeats(tx, keeper, excessSeats)));
    if (!countByLadder.has(ladderId) && excessSeats.length < limit) await endRetention(tx, keeper);
  }
  return { removedIds, isDone };
}

async function retainingLadders(database: Database): Promise<LadderId[]> {
  const rows = await database
    .selectFrom("released_replays")
    .select("keeper")
    .where("keeper", "like", `${LADDER_KEEPER_PREFIX}%`)
    .orderBy("keeper")
    .execute();
  return rows.map(({ keeper }) => keeper.slice(LADDER_KEEPER_PREFIX.length));
}

export async function listExcessReplays(
  database: Database,
  query: ExcessQuery,
): Promise<ExcessReplay[]> {
  const ids = await excessMatches(database, query);
  if (ids.length === 0) return [];
  const rows = await sql<IdRow & { keepers: number }>`
    select s.match_id as id, ${KEEPER_COUNT} as keepers from ${RETAINED_SEATS}
    and s.match_id in (${sql.join([...new Set(ids)])}) group by s.match_id`.execute(database);
  const keepers = new Map(rows.rows.map(({ id, keepers: count }) => [id, count]));
  return ids.map((matchId) => ({
    matchId,
    keepers: assertDefined(keepers.get(matchId), "keepers"),
  }));
}

/** Returns a match once for each keeper that would release it. */
async function excessMatches(database: Database, query: ExcessQuery): Promise<MatchId[]> {
  if ("casual" in query) return matchIdsOf(await excessCasual(database, query.casual, NO_LIMIT));
  if ("held" in query) {
    const countByLadder = new Map(
      query.held.map(({ ladderId, keep: retainCount }) => [ladderId, retainCount]),
    );
    const excessIds: MatchId[] = [];
    for (const id of await retainingLadders(database))
      excessIds.push(
        ...matchIdsOf(await excessOfLadder(database, id, countByLadder.get(id) ?? 0, NO_LIMIT)),
      );
    return excessIds;
  }
  const { botIds, ladderIds, keep } = query;
  const beyond: MatchId[] = [];
  for (const [botId, retainedCount] of await countRetained(database, botIds, ladderIds))
    if (retainedCount > keep)
      beyond.push(...matchIdsOf(await oldestRetained(database, botId, retainedCount - keep)));
  return beyond;
}

const NO_LIMIT = 1_000_000;

const matchIdsOf = (seats: readonly ReplaySeat[]): MatchId[] => seats.map(({ matchId }) => matchId);

async function countRetained(
  database: Database,
  botIds: readonly BotId[],
  ladderIds: readonly LadderId[],
): Promise<[BotId, number][]> {
  if (botIds.length === 0) return [];
  const counts = await sql<{ id: BotId; retainedCount: number }>`select b.id, (
      select count(*) from seats as s
      where s.bot_id = b.id and s.ladder_id in (${sql.join(ladderIds)}) and ${isRanked("s")}
      and (s.ended, s.match_id) > (coalesce(r.ended, ''), coalesce(r.match_id, ''))
    ) as "retainedCount"
    from bots as b left join released_replays as r on r.keeper = b.id
    where b.id in (${sql.join(botIds)}) order by b.id`.execute(database);
  return counts.rows.map(({ id, retainedCount }) => [id, retainedCount]);
}

/** Starts after the newest match without a replay, because deleted replays can't be retained. */
async function startRetention(tx: OpenTransaction, ladderId: LadderId): Promise<void> {
  // Counts keepers per match, starting at the newest match, because PostgreSQL would join `not
  // exists` to all seats.
  const retainers = sql<number>`(select count(*) from ${RETAINED_SEATS} and s.match_id = matches.id)`;
  const newestRemoved = await rankedMatches(tx, ladderId)
    .where(sql<boolean>`${retainers} = 0`)
    .orderBy("ended", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  const { matchId: match_id, ended } = newestRemoved ?? BEFORE_ALL_SEATS;
  await tx
    .insertInto("released_replays")
    .values({ keeper: ladderKeeper(ladderId), ended, match_id })
    .execute();
}

async function endRetention(tx: OpenTransaction, keeper: string): Promise<void> {
  await tx.deleteFrom("released_replays").where("keeper", "=", keeper).execute();
}

/** Returns the oldest matches that the ladder retains, excluding its newest `retainCount`. */
async function excessOfLadder(
  database: Database,
  ladderId: LadderId,
  retainCount: number,
  limit: number,
): Promise<ReplaySeat[]> {
  const lastReleased = await newestReleasedSeat(database, ladderKeeper(ladderId));
  const retainedMatches = rankedMatches(database, ladderId).where(
    sql<boolean>`(ended, id) > (${lastReleased.ended}, ${lastReleased.matchId})`,
  );
  const newestExcess = await retainedMatches
    .orderBy("ended", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .offset(retainCount)
    .executeTakeFirst();
  if (newestExcess === undefined) return [];
  return retainedMatches
    .where(sql<boolean>`(ended, id) <= (${newestExcess.ended}, ${newestExcess.matchId})`)
    .orderBy("ended")
    .orderBy("id")
    .limit(limit)
    .execute();
}

function rankedMatches(database: Database, ladderId: LadderId) {
  return database
    .selectFrom("matches")
    .select(["id as matchId", "ended"])
    .where("ladder_id", "=", ladderId)
    .where(isRanked("matches"));
}

type ReplaySeat = { matchId: MatchId; ended: string };

const BEFORE_ALL_SEATS: ReplaySeat = { matchId: "", ended: "" };

async function excessOfBot(
  database: Database,
  botId: BotId,
  retainCount: number,
  limit: number,
): Promise<ReplaySeat[]> {
  const oldestSeats = await oldestRetained(database, botId, retainCount + limit);
  return oldestSeats.slice(0, Math.max(0, oldestSeats.length - retainCount));
}

async function oldestRetained(
  database: Database,
  botId: BotId,
  limit: number,
): Promise<ReplaySeat[]> {
  const newestReleased = await newestReleasedSeat(database, botId);
  const seats: ReplaySeat[] = [];
  for (const ladderId of await rankedLadders(database, botId))
    seats.push(...(await oldestRetainedOnLadder(database, botId, ladderId, newestReleased, limit)));
  return seats.toSorted(oldestFirst).slice(0, limit);
}

/** Returns the newest replay that the keeper has released, or a position before every seat. */
async function newestReleasedSeat(database: Database, keeper: string): Promise<ReplaySeat> {
  const row = await database
    .selectFrom("released_replays")
    .select(["match_id as matchId", "ended"])
    .where("keeper", "=", keeper)
    .executeTakeFirst();
  return row ?? BEFORE_ALL_SEATS;
}

async function oldestRetainedOnLadder(
  database: Database,
  botId: BotId,
  ladderId: LadderId,
  lastReleased: ReplaySeat,
  limit: number,
): Promise<ReplaySeat[]> {
  return database
    .selectFrom("seats")
    .select(["match_id as matchId", "ended"])
    .where("bot_id", "=", botId)
    .where("ladder_id", "=", ladderId)
    .where(isRanked("seats"))
    .where(sql<boolean>`(ended, match_id) > (${lastReleased.ended}, ${lastReleased.matchId})`)
    .orderBy("ended")
    .orderBy("match_id")
    .limit(limit)
    .execute();
}

/** Releases these seats. Returns the matches that no other keeper retains. */
async function releaseSeats(
  tx: OpenTransaction,
  keeper: string,
  seats: readonly ReplaySeat[],
): Promise<string[]> {
  const { matchId: match_id, ended } = assertDefined(seats.at(-1), "seat");
  await tx
    .insertInto("released_replays")
    .values({ keeper, ended, match_id })
    .onConflict((conflict) => conflict.column("keeper").doUpdateSet({ ended, match_id }))
    .execute();
  const ids = seats.map(({ matchId }) => matchId);
  const retainedIds = await retainedOf(tx, ids);
  return ids.filter((id) => !retainedIds.has(id));
}

function oldestFirst(a: ReplaySeat, b: ReplaySeat): number {
  if (a.ended !== b.ended) return a.ended < b.ended ? -1 : 1;
  return a.matchId < b.matchId ? -1 : 1;
}
