// Ranked matches are counted, listed and limited; human and practice games, here called casual, are
// only kept.
import { sql } from "kysely";

import type { BotId, VersionId } from "#core/words/ids.ts";
import type { MatchRecord, SeatRecord } from "#data/store/match.ts";

/** A condition in words of its own, not a bound value: there are indexes of ranked matches alone. */
export const isRanked = (table: string) => sql<boolean>`${sql.ref(`${table}.mode`)} = 'ranked'`;
export const isCasual = (table: string) => sql<boolean>`${sql.ref(`${table}.mode`)} <> 'ranked'`;

export type BotSeat = SeatRecord & { botId: BotId; versionId: VersionId };

/** The seats of a ranked match, which are bots'. Throws RangeError where one is a person's. */
export function botSeats({ seats }: Pick<MatchRecord, "seats">): BotSeat[] {
  return seats.map((seat) => {
    const { botId, versionId } = seat;
    if (botId === null || versionId === null) throw new RangeError("only bots play ranked matches");
    return { ...seat, botId, versionId };
  });
}
