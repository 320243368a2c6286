// Which letters a finished round of looks must have made, told from the people and events alone.

import { DAY_MS, HOUR_MS } from "#base/units/time.ts";
import type { DeliveryRecord } from "#data/store/delivery.ts";

import { isUnwell, mayGet } from "./person.ts";
import type { Person } from "./person.ts";
import type { World } from "./world.ts";

export type Expected = {
  /** A round has come to its end at this moment. */
  looked(): Promise<void>;
};

const HEALTH_MS = HOUR_MS / 2;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, "2026-01-05".length);

export function expectedOf(world: World): Expected {
  const edges = new Set<string>();
  const weeks = new Set<string>();
  let healthAt = 0;

  function reminders(now: number): void {
    for (const { id, ladderId, opensAt, closesAt } of world.events)
      for (const [kind, at] of [
        ["event_opens", opensAt],
        ["event_closes", closesAt],
      ] as const) {
        const ms = Date.parse(at);
        const isShort = Date.parse(closesAt) - Date.parse(opensAt) <= DAY_MS;
        if (now < ms - DAY_MS || now >= ms || edges.has(`${id} ${kind}`)) continue;
        if (isShort && kind === "event_closes") continue;
        edges.add(`${id} ${kind}`);
        for (const person of world.people.values())
          if (isThere(person, ladderId) && mayGet(person, "event_reminders")) {
            const { accountId } = person;
            const subject = `${id} ${kind}`;
            world.ledger.expect({ accountId, category: "event_reminders", subject });
          }
      }
  }

  function digests(now: number): void {
    const today = new Date(now);
    const sinceMonday = (today.getUTCDay() + 6) % 7;
    const monday = Date.parse(dayOf(now - sinceMonday * DAY_MS));
    const sinceDue = now - monday - 9 * HOUR_MS;
    const from = dayOf(monday - 7 * DAY_MS);
    if (sinceDue < 0 || sinceDue > 48 * HOUR_MS || weeks.has(from)) return;
    weeks.add(from);
    for (const person of world.people.values()) {
      const week = person.played.filter(({ day }) => {
        const ms = Date.parse(day);
        return ms >= monday - 7 * DAY_MS && ms < monday;
      });
      if (week.length > 0 && mayGet(person, "weekly_digest"))
        world.ledger.expect({
          accountId: person.accountId,
          category: "weekly_digest",
          subject: from,
        });
    }
  }

  /** What a person was last told of their bot is read, and what they must be told now is not. */
  async function health(now: number): Promise<void> {
    if (now - healthAt < HEALTH_MS) return;
    healthAt = now;
    const told = new Map<string, DeliveryRecord>();
    for (const row of (await world.store.deliveries.list(1_000_000)).toReversed())
      if (row.category === "bot_health") told.set(row.accountId, row);
    for (const person of world.people.values()) {
      const last = told.get(person.accountId);
      const isTold = last?.notice?.kind === "bot_unwell";
      const today = dayOf(now);
      const hasPlayed = person.played.some(({ day }) => Date.parse(day) >= now - DAY_MS);
      if (last !== undefined && dayOf(Date.parse(last.created)) >= today) continue;
      if (!hasPlayed || !mayGet(person, "bot_health") || isUnwell(person) !== true) continue;
      if (!isTold && last?.notice !== null)
        world.ledger.expect({
          accountId: person.accountId,
          category: "bot_health",
          subject: `${person.botId} ${today}`,
        });
    }
  }

  return {
    looked: async () => {
      const now = world.now();
      reminders(now);
      digests(now);
      await health(now);
    },
  };
}

const isThere = ({ isMember, played }: Person, ladderId: string): boolean =>
  ladderId === "cup" ? isMember : played.length > 0;
