// Recent match starts of bots and owners. Uses the monotonic clock, so that wall clock changes
// don't affect quotas.

import { DAY_US, HOUR_US } from "#base/util/time.ts";
import type { BotId, OwnerId } from "#core/ids/ids.ts";
import type { Limits } from "#core/limits/limits.ts";

/** Starts closer together than this share of the window are stored as one group. */
const GROUP_SHARE = 1 / 3600;

export type QuotaReason = "hourly_quota" | "owner_daily_quota" | "owner_concurrency";

/** Starts close together. All of them count until the last one expires. */
type StartGroup = { first: number; last: number; count: number };

/** Groups, oldest first, and the total number of starts. */
type StartHistory = { groups: StartGroup[]; count: number };

/** Current starts by bot or owner, and the window for which each counts. */
type StartCounter = { readonly span: number; readonly historyByKey: Map<string, StartHistory> };

/**
 * Starts of each bot in the last hour and of each owner in the last day, for quotas; and the
 * reverse, for operators.
 */
export type Starts = {
  readonly byBot: StartCounter;
  readonly byOwner: StartCounter;
  readonly dayByBot: StartCounter;
  readonly hourByOwner: StartCounter;
};

export const emptyStarts = (): Starts => ({
  byBot: { span: HOUR_US, historyByKey: new Map() },
  byOwner: { span: DAY_US, historyByKey: new Map() },
  dayByBot: { span: DAY_US, historyByKey: new Map() },
  hourByOwner: { span: HOUR_US, historyByKey: new Map() },
});

/** Records a start. Starts must be recorded in order of time. */
export function recordStart(starts: Starts, botId: BotId, owner: OwnerId, at: number): void {
  addStart(starts.byBot, botId, at);
  addStart(starts.byOwner, owner, at);
  addStart(starts.dayByBot, botId, at);
  addStart(starts.hourByOwner, owner, at);
}

function addStart({ span, historyByKey }: StartCounter, key: string, at: number): void {
  const history = historyByKey.get(key) ?? { groups: [], count: 0 };
  historyByKey.set(key, history);
  history.count += 1;
  const last = history.groups.at(-1);
  if (last === undefined || at - last.first >= span * GROUP_SHARE)
    history.groups.push({ first: at, last: at, count: 1 });
  else {
    last.last = at;
    last.count += 1;
  }
}

/** Returns the number of current starts and evicts expired ones. */
function countRecent({ span, historyByKey }: StartCounter, key: string, now: number): number {
  const history = historyByKey.get(key);
  if (history === undefined) return 0;
  const firstCurrent = history.groups.findIndex(({ last }) => last > now - span);
  if (firstCurrent === 0) return history.count;
  for (const { count } of history.groups.splice(
    0,
    firstCurrent === -1 ? history.groups.length : firstCurrent,
  ))
    history.count -= count;
  if (history.count === 0) historyByKey.delete(key);
  return history.count;
}

/** Evicts all expired starts. */
export function evictStarts(starts: Starts, now: number): void {
  for (const counter of Object.values(starts))
    for (const key of counter.historyByKey.keys()) countRecent(counter, key, now);
}

/** Returns the quota that keeps a bot from starting a match now, or null. */
export function exhaustedQuota(
  starts: Starts,
  botId: BotId,
  owner: OwnerId,
  now: number,
  limits: Limits,
): QuotaReason | null {
  if (startsInLastHour(starts, botId, now) >= limits.hourly_quota) return "hourly_quota";
  if (remainingStarts(starts, owner, now, limits) <= 0) return "owner_daily_quota";
  return null;
}

/** Returns when the bot's quotas allow another match: now, or once enough starts have expired. */
export function quotaFreeAt(
  { byBot, byOwner }: Starts,
  botId: BotId,
  owner: OwnerId,
  now: number,
  limits: Limits,
): number {
  const { hourly_quota: hourly, owner_daily_quota: daily } = limits;
  return Math.max(
    counterFreeAt(byBot, botId, now, hourly),
    counterFreeAt(byOwner, owner, now, daily),
  );
}

/** Returns when fewer than `max` starts count. With a quota of 0, returns when to check again. */
function counterFreeAt(counter: StartCounter, key: string, now: number, max: number): number {
  let usedStarts = countRecent(counter, key, now);
  if (usedStarts < max) return now;
  for (const { last, count } of counter.historyByKey.get(key)?.groups ?? []) {
    usedStarts -= count;
    if (usedStarts < max) return last + counter.span;
  }
  return now + counter.span;
}

/** Returns how many matches the bot started within the last hour. */
export function startsInLastHour({ byBot }: Starts, botId: BotId, now: number): number {
  return countRecent(byBot, botId, now);
}

/**
 * Returns the bots and owners that started a match within the last day, with their starts in the
 * last hour and day.
 */
export function dailyStartCounts(starts: Starts, now: number) {
  const { byBot, byOwner, dayByBot, hourByOwner } = starts;
  return {
    bots: startCountsOf(byBot, dayByBot, now),
    owners: startCountsOf(hourByOwner, byOwner, now),
  };
}

type StartCount = { id: string; hour: number; day: number };

function startCountsOf(hourly: StartCounter, daily: StartCounter, now: number): StartCount[] {
  const ids = [...daily.historyByKey.keys()];
  const startCounts = ids.map((id) => {
    return { id, hour: countRecent(hourly, id, now), day: countRecent(daily, id, now) };
  });
  return startCounts.filter(({ day }) => day > 0);
}

/** Returns how many more matches an owner's daily quota allows. */
export function remainingStarts({ byOwner }: Starts, owner: OwnerId, now: number, limits: Limits) {
  return limits.owner_daily_quota - countRecent(byOwner, owner, now);
}
