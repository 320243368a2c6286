// How many matches bots and owners started lately. They are counted on the monotonic clock: a wall clock that is set right or wrong neither spends a quota nor gives one back.

import { DAY, HOUR } from "#base/units/time.ts";
import type { BotId, OwnerId } from "#core/words/ids.ts";
import type { Limits } from "#core/words/limits.ts";

/** Starts this close together, as a share of the time they count, are remembered as one sum. */
const GRAIN = 1 / 3600;

export type QuotaReason = "hourly_quota" | "owner_daily_quota" | "owner_concurrency";

/** Starts close together; all of them count as long as the last one does. */
type Sum = { first: number; last: number; count: number };

/** Sums, oldest first, and the number of starts in all of them. */
type Recent = { sums: Sum[]; count: number };

/** Starts that still count, by bot or owner, and for how long each counts. */
type Counter = { readonly span: number; readonly recent: Map<string, Recent> };

/**
 * Each bot's starts in the last hour and each owner's in the last day, which quotas bound, and the
 * other way round, which operators are shown.
 */
export type Starts = {
  readonly byBot: Counter;
  readonly byOwner: Counter;
  readonly dayByBot: Counter;
  readonly hourByOwner: Counter;
};

export const noStarts = (): Starts => ({
  byBot: { span: HOUR, recent: new Map() },
  byOwner: { span: DAY, recent: new Map() },
  dayByBot: { span: DAY, recent: new Map() },
  hourByOwner: { span: HOUR, recent: new Map() },
});

/** Notes a start that is no older than those noted before. */
export function noteStart(starts: Starts, botId: BotId, owner: OwnerId, at: number): void {
  note(starts.byBot, botId, at);
  note(starts.byOwner, owner, at);
  note(starts.dayByBot, botId, at);
  note(starts.hourByOwner, owner, at);
}

function note({ span, recent }: Counter, key: string, at: number): void {
  const known = recent.get(key) ?? { sums: [], count: 0 };
  recent.set(key, known);
  known.count += 1;
  const last = known.sums.at(-1);
  if (last === undefined || at - last.first >= span * GRAIN)
    known.sums.push({ first: at, last: at, count: 1 });
  else {
    last.last = at;
    last.count += 1;
  }
}

/** Starts that still count; the others are forgotten. */
function countRecent({ span, recent }: Counter, key: string, now: number): number {
  const known = recent.get(key);
  if (known === undefined) return 0;
  const kept = known.sums.findIndex(({ last }) => last > now - span);
  if (kept === 0) return known.count;
  for (const { count } of known.sums.splice(0, kept === -1 ? known.sums.length : kept))
    known.count -= count;
  if (known.count === 0) recent.delete(key);
  return known.count;
}

/** Forgets all whose starts no longer count. */
export function forgetStarts(starts: Starts, now: number): void {
  for (const counter of Object.values(starts))
    for (const key of counter.recent.keys()) countRecent(counter, key, now);
}

/** The quota that keeps a bot from starting a match now, or null. */
export function spentQuota(
  starts: Starts,
  botId: BotId,
  owner: OwnerId,
  now: number,
  limits: Limits,
): QuotaReason | null {
  if (recentStarts(starts, botId, now) >= limits.hourly_quota) return "hourly_quota";
  if (startsLeft(starts, owner, now, limits) <= 0) return "owner_daily_quota";
  return null;
}

/** When the bot's quotas let it start a match again: now, or once enough starts no longer count. */
export function heldUntil(
  { byBot, byOwner }: Starts,
  botId: BotId,
  owner: OwnerId,
  now: number,
  limits: Limits,
): number {
  const { hourly_quota: hourly, owner_daily_quota: daily } = limits;
  return Math.max(roomAt(byBot, botId, now, hourly), roomAt(byOwner, owner, now, daily));
}

/**
 * When fewer than `most` starts count. A quota of 0 never has room; the result is when to look
 * again.
 */
function roomAt(counter: Counter, key: string, now: number, most: number): number {
  let spent = countRecent(counter, key, now);
  if (spent < most) return now;
  for (const { last, count } of counter.recent.get(key)?.sums ?? []) {
    spent -= count;
    if (spent < most) return last + counter.span;
  }
  return now + counter.span;
}

/** Matches the bot started within the last hour. */
export function recentStarts({ byBot }: Starts, botId: BotId, now: number): number {
  return countRecent(byBot, botId, now);
}

/** Who has started a match within the last day, with the starts of the last hour and day. */
export function startsInADay(starts: Starts, now: number) {
  const { byBot, byOwner, dayByBot, hourByOwner } = starts;
  return {
    bots: countsOf(byBot, dayByBot, now),
    owners: countsOf(hourByOwner, byOwner, now),
  };
}

type StartCount = { id: string; hour: number; day: number };

function countsOf(hourly: Counter, daily: Counter, now: number): StartCount[] {
  const ids = [...daily.recent.keys()];
  const counts = ids.map((id) => {
    return { id, hour: countRecent(hourly, id, now), day: countRecent(daily, id, now) };
  });
  return counts.filter(({ day }) => day > 0);
}

/** Matches that an owner's daily quota still allows. */
export function startsLeft({ byOwner }: Starts, owner: OwnerId, now: number, limits: Limits) {
  return limits.owner_daily_quota - countRecent(byOwner, owner, now);
}
