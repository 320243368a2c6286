import type { NotNull, Selectable } from "kysely";

// How versions played their turns, one row per seat, ordered so that a version's newest matches are
// read together: a version's health is known without reading hundreds of documents.
import { sure } from "#base/units/sure.ts";
import { seatFigures } from "#core/ladder/seat-figures.ts";
import type { SeatFigures } from "#core/ladder/seat-figures.ts";
import { sumOfTurns } from "#core/ladder/version-health.ts";
import type { ReplyFigures, TurnFigures } from "#core/ladder/version-health.ts";
import type { MatchId, VersionId } from "#core/words/ids.ts";

import type { Backend } from "./backend.ts";
import { insertion } from "./statement.ts";
import type { Database, OpenTransaction, TurnTable } from "./tables.ts";

/** The key of a row. */
type Played = { id: string; ended: string; seats: readonly { versionId: VersionId }[] };

/** Notes the turns of a match; does nothing without figures. */
export async function noteTurns(
  transaction: OpenTransaction,
  { id, ended, seats }: Played,
  figures: readonly SeatFigures[],
): Promise<void> {
  if (figures.length === 0) return;
  const rows = figures.map(({ turns }, seat) => {
    const { versionId } = sure(seats[seat], "seat");
    return { version_id: versionId, ended, match_id: id, figures: toText(turns) };
  });
  await insertTurns(transaction, rows);
}

const insertTurns = insertion((open, rows: readonly Selectable<TurnTable>[]) =>
  open
    .insertInto("version_turns")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing()),
);

/**
 * Summed over the newest `window` matches of each version, in the order given. Versions without
 * figures are left out.
 */
export async function turnFigures(
  database: Database,
  versionIds: readonly VersionId[],
  window: number,
): Promise<(TurnFigures & { versionId: VersionId })[]> {
  const found: (TurnFigures & { versionId: VersionId })[] = [];
  for (const versionId of versionIds) {
    const rows = await database
      .selectFrom("version_turns")
      .select("figures")
      .where("version_id", "=", versionId)
      .orderBy("ended", "desc")
      .orderBy("match_id", "desc")
      .limit(window)
      .execute();
    const sum = sumOfTurns(rows.map(({ figures }) => fromText(figures)));
    if (sum !== null) found.push({ versionId, ...sum });
  }
  return found;
}

/** Counts the turns of up to `most` older matches, newest first. Resolves with the number read. */
export async function carryTurns(
  backend: Backend,
  transaction: OpenTransaction,
  most: number,
): Promise<number> {
  const rows = await transaction
    .selectFrom("uncounted_turns as u")
    .innerJoin("match_documents as d", "d.match_id", "u.match_id")
    .select(["u.match_id as id", "u.ended", "d.stats"])
    .orderBy("u.ended", "desc")
    .orderBy("u.match_id", "desc")
    .limit(most)
    .execute();
  for (const { id, ended, stats } of rows) {
    const seats = await seatsOf(transaction, id);
    await noteTurns(transaction, { id, ended, seats }, await figuresOf(backend, stats));
    await transaction
      .deleteFrom("uncounted_turns")
      .where("ended", "=", ended)
      .where("match_id", "=", id)
      .execute();
  }
  return rows.length;
}

/** A damaged document counts as empty: it must not keep the others from being read. */
async function figuresOf(backend: Backend, stats: Uint8Array | null): Promise<SeatFigures[]> {
  try {
    return seatFigures(stats && (await backend.unpack(stats)));
  } catch {
    return [];
  }
}

async function seatsOf(database: Database, matchId: MatchId): Promise<{ versionId: VersionId }[]> {
  return database
    .selectFrom("seats")
    .select("version_id as versionId")
    .where("match_id", "=", matchId)
    .orderBy("seat")
    .$narrowType<{ versionId: NotNull }>()
    .execute();
}

/** Whether no turn was refused or idle. A lost last turn, which is not recorded, is idle. */
export function hasCleanTurns(text: string): boolean {
  const { idles, refusedTurns, disqualifications } = fromText(text);
  const isIdle = Object.values(idles).some((count) => count > 0);
  return !isIdle && refusedTurns === 0 && disqualifications === 0;
}

/** An array, since half a million of these are stored and it takes half the room of an object. */
function toText({ turns, idles, refusedTurns, refused, ...rest }: TurnFigures): string {
  const { disconnects, disqualifications, replies } = rest;
  const ends = [disconnects, disqualifications] as const;
  return JSON.stringify([turns, idles, refusedTurns, refused, ...ends, replies && listOf(replies)]);
}

function listOf({ replies, total, max, nearLimit, budgetLeftMs, histograms }: ReplyFigures) {
  const [tickMs, counts] = sure(Object.entries(histograms)[0], "histogram");
  return [replies, total, max, nearLimit, budgetLeftMs, tickMs, counts] as const;
}

type Counts = Record<string, number>;
type Listed = [number, Counts, number, Counts, number, number, ReturnType<typeof listOf> | null];

function fromText(text: string): TurnFigures {
  const [turns, idles, refusedTurns, refused, disconnects, disqualifications, replies] = JSON.parse(
    text,
  ) as Listed;
  return {
    matches: 1,
    turns,
    idles,
    refusedTurns,
    refused,
    disconnects,
    disqualifications,
    replies: replies && repliesOf(replies),
  };
}

function repliesOf(list: ReturnType<typeof listOf>): ReplyFigures {
  const [replies, total, max, nearLimit, budgetLeftMs, tickMs, counts] = list;
  return { replies, total, max, nearLimit, budgetLeftMs, histograms: { [tickMs]: counts } };
}
