// The house bot of a person's fight.

import type { BotRecord } from "#data/store/bot.ts";
import type { VersionRecord } from "#data/store/version.ts";
import type { Connection, Listener } from "#live/arena/connection.ts";

/** A session that a house bot is lent by for one fight. It ends with its connection. */
export type LentSession = { connection: Connection; flowTo(listener: Listener): void };

export type Rival = { bot: BotRecord; version: VersionRecord; session: LentSession };
