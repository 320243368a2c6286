import type { Connection, Listener } from "#live/arena/connection.ts";
import type { SeatHolder } from "#live/arena/save-match.ts";

/** A house bot session for a single match. The session ends when its connection closes. */
export type AcquiredSession = { connection: Connection; attachListener(listener: Listener): void };

/** `onLeave` runs when the player leaves, `onSaved` when the result is stored. */
export type HumanMatchCallbacks = { onLeave: () => void; onSaved: () => void };

export type HouseOpponent = NonNullable<SeatHolder> & { session: AcquiredSession };
