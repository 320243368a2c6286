// How many matches bots and owners started lately. Times are UTC milliseconds.

import { ownerKey } from "#pairing/rules.ts";
import type { Limits } from "#protocol/limits.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export type QuotaReason = "hourly_quota" | "owner_daily_quota" | "owner_concurrency";

/** Start times, oldest first, of each bot's last hour and each owner's last day. */
export type Starts = { byBot: Map<string, number[]>; byOwner: Map<string, number[]> };

export const noStarts = (): Starts => ({ byBot: new Map(), byOwner: new Map() });

export function noteStart(starts: Starts, botId: string, owner: string, at: number): void {
  push(starts.byBot, botId, at);
  push(starts.byOwner, ownerKey(owner), at);
}

function push(lists: Map<string, number[]>, key: string, at: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [at]);
  else list.push(at);
}

/** Starts within the window before `now`; older ones are forgotten. */
function countRecent(lists: Map<string, number[]>, key: string, since: number): number {
  const list = lists.get(key);
  if (list === undefined) return 0;
  const first = list.findIndex((at) => at > since);
  list.splice(0, first === -1 ? list.length : first);
  if (list.length === 0) lists.delete(key);
  return list.length;
}

/** The quota that keeps a bot from starting a match now, or null. */
export function spentQuota(
  starts: Starts,
  botId: string,
  owner: string,
  now: number,
  limits: Limits,
): QuotaReason | null {
  if (countRecent(starts.byBot, botId, now - HOUR_MS) >= limits.hourly_quota) return "hourly_quota";
  if (countRecent(starts.byOwner, ownerKey(owner), now - DAY_MS) >= limits.owner_daily_quota)
    return "owner_daily_quota";
  return null;
}

/** Matches the bot started within the last hour. */
export function recentStarts(starts: Starts, botId: string, now: number): number {
  return countRecent(starts.byBot, botId, now - HOUR_MS);
}
