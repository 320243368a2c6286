// The house bot of a person's fight.

import type { Connection, Listener } from "#live/arena/connection.ts";
import type { SeatHolder } from "#live/arena/save-match.ts";

/** A session that a house bot is lent by for one fight. It ends with its connection. */
export type LentSession = { connection: Connection; flowTo(listener: Listener): void };

/** `left` is called when the person goes, `over` once the end is stored. */
export type BoutEnds = { left: () => void; over: () => void };

export type Rival = NonNullable<SeatHolder> & { session: LentSession };
