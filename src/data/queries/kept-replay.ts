import { sql } from "kysely";

// Whose replays are kept. Each bot keeps those of its newest ranked matches, and a replay exists as
// long as one of its two bots keeps it; the casual games of all bots and people share one keeper.
// Whatever a keeper has released is older than what it keeps, so one row per keeper marks the
// boundary, and saving a match costs nothing here. A ladder keeps nothing, unless it has a row: then
// it is a third keeper of each of its ranked matches.
import { sure } from "#base/units/sure.ts";
import type { BotId, LadderId, MatchId } from "#core/words/ids.ts";
import type { HeldLadder, Keeping, LetGo, Released } from "#data/store/replay.ts";

import { rankedLadders } from "./match.ts";
import { isCasual, isRanked } from "./mode.ts";
import { selection, textOf } from "./statement.ts";
import type { Database, OpenTransaction } from "./tables.ts";

/** Keeper of the replays of casual games. */
const CASUAL = "casual";

/** What a ladder is called as a keeper; no bot's id begins like this. */
const LADDER = "ladder:";
const keeperOf = (ladderId: LadderId): string => LADDER + ladderId;

/** Whether the replay of seat `s` is pinned: see pinned-replay.ts. */
const PINNED = sql`exists (select 1 from pinned_replays as p where p.match_id = s.match_id)`;

/** Seats `s` whose keeper keeps the replay, or whose ladder or a pin does. */
const KEPT = sql`seats as s left join released_replays as r
    on r.keeper = case when ${isRanked("s")} then s.bot_id else ${sql.lit(CASUAL)} end
  left join released_replays as h
    on ${isRanked("s")} and h.keeper = ${sql.lit(LADDER)} || s.ladder_id
  where (r.keeper is null or (s.ended, s.match_id) > (r.ended, r.match_id)
    or (s.ended, s.match_id) > (h.ended, h.match_id) or ${PINNED})`;

/** How many keep it, where seats of one match are together; casual games have one keeper. */
const KEEPERS = sql<number>`max(case when ${PINNED} then 1 else 0 end) +
  case when max(s.mode) <> 'ranked'
    then max(case when r.keeper is null or (s.ended, s.match_id) > (r.ended, r.match_id)
      then 1 else 0 end)
    else sum(case when r.keeper is null or (s.ended, s.match_id) > (r.ended, r.match_id)
        then 1 else 0 end)
      + max(case when (s.ended, s.match_id) > (h.ended, h.match_id) then 1 else 0 end) end`;

/** Whether a stored match still has its replay. */
export async function hasReplay(database: Database, matchId: MatchId): Promise<boolean> {
  return (await keptReplay(database, matchId)).length > 0;
}

const keptReplay = selection((database, matchId: string) =>
  textOf(database, sql<Id>`select s.match_id as id from ${KEPT} and s.match_id = ${matchId}`),
);

/** Ids of the matches that have their replays. */
export async function replayIds(database: Database): Promise<string[]> {
  return [...idSet(await sql<Id>`select s.match_id as id from ${KEPT}`.execute(database))];
}

/** The given matches that have their replays. */
export async function keptOf(
  database: Database,
  matchIds: readonly MatchId[],
): Promise<Set<string>> {
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
): Promise<Released> {
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
): Promise<Released> {
  const beyond = await beyondCasual(transaction, keep, most);
  const gone = beyond.length > 0 ? await release(transaction, CASUAL, beyond) : [];
  return { gone, isDone: beyond.length < most };
}

async function beyondCasual(database: Database, keep: number, most: number): Promise<Seat[]> {
  const newest = await released(database, CASUAL);
  const oldest = await database
    .selectFrom("matches")
    .select(["id as matchId", "ended"])
    .where(isCasual("matches"))
    .where(sql<boolean>`(ended, id) > (${newest.ended}, ${newest.matchId})`)
    .orderBy("ended")
    .orderBy("id")
    .limit(keep + most)
    .execute();
  return oldest.slice(0, Math.max(0, oldest.length - keep));
}

/**
 * These ladders, and no others, keep the replays of their newest matches. Each lets go of older
 * ones, and those that keep nothing any longer of all, oldest first, up to `most` of each.
 */
export async function holdReplays(
  transaction: OpenTransaction,
  held: readonly HeldLadder[],
  most: number,
): Promise<Released> {
  const former = await heldLadders(transaction);
  const bounds = new Map(held.map(({ ladderId, keep }) => [ladderId, keep]));
  for (const ladderId of bounds.keys())
    if (!former.includes(ladderId)) await beginHold(transaction, ladderId);
  const gone: string[] = [];
  let isDone = true;
  for (const ladderId of new Set([...former, ...bounds.keys()])) {
    const keeper = keeperOf(ladderId);
    const beyond = await beyondHeld(transaction, ladderId, bounds.get(ladderId) ?? 0, most);
    isDone &&= beyond.length < most;
    if (beyond.length > 0) gone.push(...(await release(transaction, keeper, beyond)));
    if (!bounds.has(ladderId) && beyond.length < most) await endHold(transaction, keeper);
  }
  return { gone, isDone };
}

async function heldLadders(database: Database): Promise<LadderId[]> {
  const rows = await database
    .selectFrom("released_replays")
    .select("keeper")
    .where("keeper", "like", `${LADDER}%`)
    .orderBy("keeper")
    .execute();
  return rows.map(({ keeper }) => keeper.slice(LADDER.length));
}

/** What would be let go if nobody kept more than this, with the number of those who keep it now. */
export async function beyondKept(database: Database, keeping: Keeping): Promise<LetGo[]> {
  const ids = await beyondOf(database, keeping);
  if (ids.length === 0) return [];
  const rows = await sql<Id & { keepers: number }>`
    select s.match_id as id, ${KEEPERS} as keepers from ${KEPT}
    and s.match_id in (${sql.join([...new Set(ids)])}) group by s.match_id`.execute(database);
  const keepers = new Map(rows.rows.map(({ id, keepers: many }) => [id, many]));
  return ids.map((matchId) => ({ matchId, keepers: sure(keepers.get(matchId), "keepers") }));
}

/** A match once for each keeper that would let it go. */
async function beyondOf(database: Database, keeping: Keeping): Promise<MatchId[]> {
  if ("casual" in keeping) return idsOf(await beyondCasual(database, keeping.casual, ALL));
  if ("held" in keeping) {
    const bounds = new Map(keeping.held.map(({ ladderId, keep }) => [ladderId, keep]));
    const beyond: MatchId[] = [];
    for (const id of await heldLadders(database))
      beyond.push(...idsOf(await beyondHeld(database, id, bounds.get(id) ?? 0, ALL)));
    return beyond;
  }
  const { botIds, ladderIds, keep } = keeping;
  const beyond: MatchId[] = [];
  for (const [botId, kept] of await keptCounts(database, botIds, ladderIds))
    if (kept > keep) beyond.push(...idsOf(await oldestOf(database, botId, kept - keep)));
  return beyond;
}

const ALL = 1_000_000;

const idsOf = (seats: readonly Seat[]): MatchId[] => seats.map(({ matchId }) => matchId);

/** How many ranked matches of some ladders each bot keeps. */
async function keptCounts(
  database: Database,
  botIds: readonly BotId[],
  ladderIds: readonly LadderId[],
): Promise<[BotId, number][]> {
  if (botIds.length === 0) return [];
  const counts = await sql<{ id: BotId; kept: number }>`select b.id, (
      select count(*) from seats as s
      where s.bot_id = b.id and s.ladder_id in (${sql.join(ladderIds)}) and ${isRanked("s")}
      and (s.ended, s.match_id) > (coalesce(r.ended, ''), coalesce(r.match_id, ''))
    ) as kept
    from bots as b left join released_replays as r on r.keeper = b.id
    where b.id in (${sql.join(botIds)}) order by b.id`.execute(database);
  return counts.rows.map(({ id, kept }) => [id, kept]);
}

/** Replays up to the newest one that is gone already cannot be kept any more. */
async function beginHold(transaction: OpenTransaction, ladderId: LadderId): Promise<void> {
  // Counted match by match from the newest on: PostgreSQL would join `not exists` to all seats.
  const keepers = sql<number>`(select count(*) from ${KEPT} and s.match_id = matches.id)`;
  const gone = await rankedOf(transaction, ladderId)
    .where(sql<boolean>`${keepers} = 0`)
    .orderBy("ended", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  const { matchId: match_id, ended } = gone ?? FIRST;
  await transaction
    .insertInto("released_replays")
    .values({ keeper: keeperOf(ladderId), ended, match_id })
    .execute();
}

async function endHold(transaction: OpenTransaction, keeper: string): Promise<void> {
  await transaction.deleteFrom("released_replays").where("keeper", "=", keeper).execute();
}

/** The oldest matches whose replays a ladder keeps, except its newest `keep`. */
async function beyondHeld(
  database: Database,
  ladderId: LadderId,
  keep: number,
  most: number,
): Promise<Seat[]> {
  const after = await released(database, keeperOf(ladderId));
  const kept = rankedOf(database, ladderId).where(
    sql<boolean>`(ended, id) > (${after.ended}, ${after.matchId})`,
  );
  const newest = await kept
    .orderBy("ended", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .offset(keep)
    .executeTakeFirst();
  if (newest === undefined) return [];
  return kept
    .where(sql<boolean>`(ended, id) <= (${newest.ended}, ${newest.matchId})`)
    .orderBy("ended")
    .orderBy("id")
    .limit(most)
    .execute();
}

function rankedOf(database: Database, ladderId: LadderId) {
  return database
    .selectFrom("matches")
    .select(["id as matchId", "ended"])
    .where("ladder_id", "=", ladderId)
    .where(isRanked("matches"));
}

type Seat = { matchId: MatchId; ended: string };

/** Before all seats. */
const FIRST: Seat = { matchId: "", ended: "" };

/** The oldest matches whose replays the bot keeps, except its newest `keep`. */
async function beyondNewest(
  database: Database,
  botId: BotId,
  keep: number,
  most: number,
): Promise<Seat[]> {
  const oldest = await oldestOf(database, botId, keep + most);
  return oldest.slice(0, Math.max(0, oldest.length - keep));
}

/** The oldest matches whose replays the bot keeps, on all ladders together. */
async function oldestOf(database: Database, botId: BotId, most: number): Promise<Seat[]> {
  const newest = await released(database, botId);
  const kept: Seat[] = [];
  for (const ladderId of await rankedLadders(database, botId))
    kept.push(...(await oldestKept(database, botId, ladderId, newest, most)));
  return kept.toSorted(byAge).slice(0, most);
}

/** The newest replay that a keeper has released; if there is none, a seat before all others. */
async function released(database: Database, keeper: string): Promise<Seat> {
  const row = await database
    .selectFrom("released_replays")
    .select(["match_id as matchId", "ended"])
    .where("keeper", "=", keeper)
    .executeTakeFirst();
  return row ?? FIRST;
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
