// Ranked matches are counted, listed and limited. Human and practice games, called casual in this
// directory, are only stored.
import { sql } from "kysely";

import type { BotId, VersionId } from "#core/ids/ids.ts";
import type { MatchRecord, SeatRecord } from "#data/store/match.ts";

/** Uses a literal instead of a bound value, so that partial indexes on ranked matches apply. */
export const isRanked = (table: string) => sql<boolean>`${sql.ref(`${table}.mode`)} = 'ranked'`;
export const isCasual = (table: string) => sql<boolean>`${sql.ref(`${table}.mode`)} <> 'ranked'`;

export type BotSeat = SeatRecord & { botId: BotId; versionId: VersionId };

/** Returns the seats of a ranked match. Throws RangeError if a seat belongs to a person. */
export function botSeats({ seats }: Pick<MatchRecord, "seats">): BotSeat[] {
  return seats.map((seat) => {
    const { botId, versionId } = seat;
    if (botId === null || versionId === null) throw new RangeError("ranked matches need two bots");
    return { ...seat, botId, versionId };
  });
}
