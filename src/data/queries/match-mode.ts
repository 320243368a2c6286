// Ranked matches are counted, listed and limited. Human and practice games, called casual here, are
// only stored.
import { sql } from "kysely";

import type { BotId, VersionId } from "#core/ids/ids.ts";
import type { MatchRecord, SeatRecord } from "#data/store/match.ts";

/** A literal, not a bound value, because partial indexes cover ranked matches. */
export const isRanked = (table: string) => sql<boolean>`${sql.ref(`${table}.mode`)} = 'ranked'`;
export const isCasual = (table: string) => sql<boolean>`${sql.ref(`${table}.mode`)} <> 'ranked'`;

export type BotSeat = SeatRecord & { botId: BotId; versionId: VersionId };

/** Returns the seats of a ranked match, all of them bots. Throws RangeError if one is a person. */
export function botSeats({ seats }: Pick<MatchRecord, "seats">): BotSeat[] {
  return seats.map((seat) => {
    const { botId, versionId } = seat;
    if (botId === null || versionId === null) throw new RangeError("ranked matches need two bots");
    return { ...seat, botId, versionId };
  });
}
