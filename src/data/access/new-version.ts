// A new version of a bot, whether its first `queue` makes it or its owner does: within the limit of
// a day.

import { DAY_MS, SECOND_MS } from "#base/units/time.ts";
import type { BotId, VersionId } from "#core/words/ids.ts";
import type { Store } from "#data/store/store.ts";
import type { AddVersionOutcome } from "#data/store/version.ts";

type NewVersion = { id: VersionId; botId: BotId; label: string; notes: string };

/** `most` new versions of a bot in 24 hours; null does not limit them. */
export function addVersion(
  { versions }: Pick<Store, "versions">,
  version: NewVersion,
  now: Date,
  most: number | null,
): Promise<AddVersionOutcome> {
  const since = new Date(now.getTime() - DAY_MS).toISOString();
  const dayLimit = most === null ? null : { count: most, since };
  return versions.add({ ...version, created: now.toISOString(), retired: false }, dayLimit);
}

/** Seconds until a bot that has made `most` versions may make another. */
export async function untilNewVersionS(
  { versions }: Pick<Store, "versions">,
  botId: BotId,
  now: Date,
  most: number,
): Promise<number> {
  const counted = (await versions.list(botId, { limit: most })) ?? [];
  const oldest = counted.at(-1);
  const left = oldest === undefined ? DAY_MS : Date.parse(oldest.created) + DAY_MS - now.getTime();
  // A version still counts when it is exactly a day old.
  return Math.max(1, Math.floor(left / SECOND_MS) + 1);
}
