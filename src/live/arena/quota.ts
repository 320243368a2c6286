// Recent match starts by bot and by owner. Uses the monotonic clock, so wall clock changes don't
// affect quotas.

import { DAY_US, HOUR_US } from "#base/util/time.ts";
import type { BotId, OwnerId } from "#core/ids/ids.ts";
import type { Limits } from "#core/limits/limits.ts";

/** Starts within this fraction of the window are grouped to bound memory. */
const GROUP_SHARE = 1 / 3600;

export type QuotaReason = "hourly_quota" | "owner_daily_quota" | "owner_concurrency";

/** Starts that are close together. The whole group expires with its last start. */
type StartGroup = { first: number; last: number; count: number };

type StartHistory = { groups: StartGroup[]; count: number };

/** Starts within the window `span`, by bot or by owner. */
type StartCounter = { readonly span: number; readonly historyByKey: Map<string, StartHistory> };

/**
 * Quotas need each bot's starts in the last hour and each owner's starts in the last day. Operator
 * statistics also need each bot's starts in the last day and each owner's in the last hour.
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

/** Records a start. Call in chronological order. */
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

export function evictStarts(starts: Starts, now: number): void {
  for (const counter of Object.values(starts))
    for (const key of counter.historyByKey.keys()) countRecent(counter, key, now);
}

/** Returns the quota that currently keeps a bot from starting a match, or null. */
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

/** Returns when the bot's quotas allow another match, in µs. Equals `now` if they already do. */
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

/** Returns when fewer than `max` starts count. For a quota of 0, returns when to check again. */
function counterFreeAt(counter: StartCounter, key: string, now: number, max: number): number {
  let usedStarts = countRecent(counter, key, now);
  if (usedStarts < max) return now;
  for (const { last, count } of counter.historyByKey.get(key)?.groups ?? []) {
    usedStarts -= count;
    if (usedStarts < max) return last + counter.span;
  }
  return now + counter.span;
}

export function startsInLastHour({ byBot }: Starts, botId: BotId, now: number): number {
  return countRecent(byBot, botId, now);
}

/**
 * Returns the bots and owners with a start in the last day, each with the number of starts in the
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

export function remainingStarts({ byOwner }: Starts, owner: OwnerId, now: number, limits: Limits) {
  return limits.owner_daily_quota - countRecent(byOwner, owner, now);
}
