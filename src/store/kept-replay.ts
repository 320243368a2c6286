// Whose replays are kept. Each bot keeps those of its newest matches, and a replay is there as long
// as one of its two bots keeps it. A bot that has let go never takes it back, for matches that come
// later are newer: so each seat is let go of once, and no trim looks at what former ones did.
import { sql } from "kysely";

import type { Database, OpenTransaction } from "./tables.ts";

/** Spelled out, because an index over some rows is not chosen for a value that comes later. */
const KEPT = sql<boolean>`keeps_replay = 1`;

/** Whether a stored match still has its replay. */
export async function hasReplay(database: Database, matchId: string): Promise<boolean> {
  const kept = database.selectFrom("seats").select("seat").where("match_id", "=", matchId);
  return (await kept.where(KEPT).limit(1).executeTakeFirst()) !== undefined;
}

/** Ids of the matches that have their replays. */
export async function replayIds(database: Database): Promise<string[]> {
  const rows = await database.selectFrom("seats").select("match_id").where(KEPT).execute();
  return [...new Set(rows.map((row) => row.match_id))];
}

/**
 * Bots let go of what is not of their newest `keep` matches, up to `most` each. `gone` are the
 * matches whose replays nobody keeps any more.
 */
export async function releaseReplays(
  transaction: OpenTransaction,
  botIds: readonly string[],
  keep: number,
  most: number,
): Promise<{ gone: string[]; isDone: boolean }> {
  const gone: string[] = [];
  let isDone = true;
  for (const botId of botIds) {
    const beyond = await beyondNewest(transaction, botId, keep, most);
    isDone &&= beyond.length < most;
    if (beyond.length > 0) gone.push(...(await release(transaction, beyond)));
  }
  return { gone, isDone };
}

type Seat = { matchId: string; seat: number };

/** The seats of a bot that still keep a replay and are older than its newest ones. */
async function beyondNewest(
  database: Database,
  botId: string,
  keep: number,
  most: number,
): Promise<Seat[]> {
  return database
    .selectFrom("seats")
    .select(["match_id as matchId", "seat"])
    .where("bot_id", "=", botId)
    .where(KEPT)
    .orderBy("ended", "desc")
    .orderBy("match_id", "desc")
    .offset(keep)
    .limit(most)
    .execute();
}

/** Ids of the matches of which no other seat keeps the replay. */
async function release(transaction: OpenTransaction, seats: readonly Seat[]): Promise<string[]> {
  // Rows are named by their key: an index by bot would lead through all that the bot has played.
  for (const [seat, group] of Map.groupBy(seats, (one) => one.seat))
    await transaction
      .updateTable("seats")
      .set({ keeps_replay: 0 })
      .where("match_id", "in", idsOf(group))
      .where("seat", "=", seat)
      .execute();
  const rows = await transaction
    .selectFrom("seats")
    .select("match_id")
    .where("match_id", "in", idsOf(seats))
    .where(KEPT)
    .execute();
  const kept = new Set(rows.map((row) => row.match_id));
  return idsOf(seats).filter((id) => !kept.has(id));
}

const idsOf = (seats: readonly Seat[]): string[] => seats.map(({ matchId }) => matchId);
