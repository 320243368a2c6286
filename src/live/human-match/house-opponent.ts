// The house bot in a human match.

import type { Connection, Listener } from "#live/arena/connection.ts";
import type { SeatHolder } from "#live/arena/save-match.ts";

/** A house bot session acquired for one match. It ends with its connection. */
export type AcquiredSession = { connection: Connection; attachListener(listener: Listener): void };

/** `onLeave` is called when the player leaves, `onSaved` once the result is stored. */
export type HumanMatchCallbacks = { onLeave: () => void; onSaved: () => void };

export type HouseOpponent = NonNullable<SeatHolder> & { session: AcquiredSession };
