// Turn statistics of versions, one row per seat. Rows are ordered so that the newest matches of a
// version are read together. Computing a version's health then doesn't need hundreds of documents.

import type { NotNull, Selectable } from "kysely";

import { assertDefined } from "#base/util/assert-defined.ts";
import type { MatchId, VersionId } from "#core/ids/ids.ts";
import { parseSeatStats } from "#core/ladder/seat-stats.ts";
import type { SeatStats } from "#core/ladder/seat-stats.ts";
import { sumTurnStats } from "#core/ladder/version-health.ts";
import type { ReplyStats, TurnStats } from "#core/ladder/version-health.ts";

import type { Backend } from "./database-backend.ts";
import { compiledInsert } from "./statement.ts";
import type { Database, OpenTransaction, VersionTurnTable } from "./tables.ts";

type PlayedMatchKey = { id: string; ended: string; seats: readonly { versionId: VersionId }[] };

export async function recordTurns(
  tx: OpenTransaction,
  { id, ended, seats }: PlayedMatchKey,
  figures: readonly SeatStats[],
): Promise<void> {
  if (figures.length === 0) return;
  const rows = figures.map(({ turns }, seat) => {
    const { versionId } = assertDefined(seats[seat], "seat");
    return { version_id: versionId, ended, match_id: id, figures: serializeTurns(turns) };
  });
  await insertTurns(tx, rows);
}

const insertTurns = compiledInsert((tx, rows: readonly Selectable<VersionTurnTable>[]) =>
  tx
    .insertInto("version_turns")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing()),
);

export async function versionTurnStats(
  database: Database,
  versionIds: readonly VersionId[],
  matchLimit: number,
): Promise<(TurnStats & { versionId: VersionId })[]> {
  const results: (TurnStats & { versionId: VersionId })[] = [];
  for (const versionId of versionIds) {
    const rows = await database
      .selectFrom("version_turns")
      .select("figures")
      .where("version_id", "=", versionId)
      .orderBy("ended", "desc")
      .orderBy("match_id", "desc")
      .limit(matchLimit)
      .execute();
    const sum = sumTurnStats(rows.map(({ figures }) => parseTurns(figures)));
    if (sum !== null) results.push({ versionId, ...sum });
  }
  return results;
}

export async function backfillTurns(
  backend: Backend,
  tx: OpenTransaction,
  limit: number,
): Promise<number> {
  const rows = await tx
    .selectFrom("uncounted_turns as u")
    .innerJoin("match_documents as d", "d.match_id", "u.match_id")
    .select(["u.match_id as id", "u.ended", "d.stats"])
    .orderBy("u.ended", "desc")
    .orderBy("u.match_id", "desc")
    .limit(limit)
    .execute();
  for (const { id, ended, stats } of rows) {
    const seats = await versionSeats(tx, id);
    await recordTurns(tx, { id, ended, seats }, await readSeatStats(backend, stats));
    await tx
      .deleteFrom("uncounted_turns")
      .where("ended", "=", ended)
      .where("match_id", "=", id)
      .execute();
  }
  return rows.length;
}

/** Treats a damaged document as empty, so that it doesn't block the backfill. */
async function readSeatStats(backend: Backend, stats: Uint8Array | null): Promise<SeatStats[]> {
  try {
    return parseSeatStats(stats && (await backend.unpack(stats)));
  } catch {
    return [];
  }
}

async function versionSeats(
  database: Database,
  matchId: MatchId,
): Promise<{ versionId: VersionId }[]> {
  return database
    .selectFrom("seats")
    .select("version_id as versionId")
    .where("match_id", "=", matchId)
    .orderBy("seat")
    .$narrowType<{ versionId: NotNull }>()
    .execute();
}

/** Returns whether no turn was rejected or idle. An unrecorded last turn counts as idle. */
export function hasCleanTurns(text: string): boolean {
  const { idles, refusedTurns, disqualifications } = parseTurns(text);
  const isIdle = Object.values(idles).some((count) => count > 0);
  return !isIdle && refusedTurns === 0 && disqualifications === 0;
}

/** An array takes half the space of an object, and half a million are stored. */
function serializeTurns({ turns, idles, refusedTurns, refused, ...otherStats }: TurnStats): string {
  const { disconnects, disqualifications, replies } = otherStats;
  const endCounts = [disconnects, disqualifications] as const;
  return JSON.stringify([
    turns,
    idles,
    refusedTurns,
    refused,
    ...endCounts,
    replies && toReplyList(replies),
  ]);
}

function toReplyList({ replies, total, max, nearLimit, budgetLeftMs, histograms }: ReplyStats) {
  const [tickMs, counts] = assertDefined(Object.entries(histograms)[0], "histogram");
  return [replies, total, max, nearLimit, budgetLeftMs, tickMs, counts] as const;
}

type CountByKey = Record<string, number>;
type TurnList = [
  number,
  CountByKey,
  number,
  CountByKey,
  number,
  number,
  ReturnType<typeof toReplyList> | null,
];

function parseTurns(text: string): TurnStats {
  const [turns, idles, refusedTurns, refused, disconnects, disqualifications, replies] = JSON.parse(
    text,
  ) as TurnList;
  return {
    matches: 1,
    turns,
    idles,
    refusedTurns,
    refused,
    disconnects,
    disqualifications,
    replies: replies && toReplyStats(replies),
  };
}

function toReplyStats(list: ReturnType<typeof toReplyList>): ReplyStats {
  const [replies, total, max, nearLimit, budgetLeftMs, tickMs, counts] = list;
  return { replies, total, max, nearLimit, budgetLeftMs, histograms: { [tickMs]: counts } };
}
