// Registers versions within the daily limit, whether a bot's first `queue` or its owner creates
// them.

import { DAY_MS, SECOND_MS } from "#base/util/time.ts";
import type { BotId, VersionId } from "#core/ids/ids.ts";
import type { Store } from "#data/store/store.ts";
import type { AddVersionOutcome } from "#data/store/version.ts";

type NewVersion = { id: VersionId; botId: BotId; label: string; notes: string };

/**
 * Registers a version, unless the bot has already registered `limit` versions in 24 hours. A null
 * `limit` means no limit.
 */
export function registerVersion(
  { versions }: Pick<Store, "versions">,
  version: NewVersion,
  now: Date,
  limit: number | null,
): Promise<AddVersionOutcome> {
  const since = new Date(now.getTime() - DAY_MS).toISOString();
  const dailyLimit = limit === null ? null : { count: limit, since };
  return versions.add({ ...version, created: now.toISOString(), retired: false }, dailyLimit);
}

/** Returns the seconds until a bot that has reached the limit can create another version. */
export async function secondsUntilNextVersion(
  { versions }: Pick<Store, "versions">,
  botId: BotId,
  now: Date,
  limit: number,
): Promise<number> {
  const recentVersions = (await versions.list(botId, { limit: limit })) ?? [];
  const oldest = recentVersions.at(-1);
  const remainingMs =
    oldest === undefined ? DAY_MS : Date.parse(oldest.created) + DAY_MS - now.getTime();
  // A version that is exactly 24 hours old still counts.
  return Math.max(1, Math.floor(remainingMs / SECOND_MS) + 1);
}
