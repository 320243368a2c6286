// Which letters a finished round of looks must have made, told from the people and events alone.

import { DAY_MS, dayOf, HOUR_MS } from "#base/units/time.ts";
import type { MailCategory } from "#core/mail/delivery.ts";
import type { DeliveryRecord } from "#data/store/delivery.ts";

import { isUnwell, mayGet } from "./person.ts";
import type { Somebody } from "./person.ts";
import type { MailWorld } from "./world.ts";

export type Expected = {
  /** A round of looks begins at this moment. */
  begins(): void;
  /** It has come to its end. */
  looked(): Promise<void>;
};

const HEALTH_MS = HOUR_MS / 2;
const dayAt = (ms: number): string => dayOf(new Date(ms).toISOString());

export function expectedOf(world: MailWorld): Expected {
  /**
   * By category and subject, who had to be told at each round up to now: one that broke off may
   * have told everybody of that moment. Null once a round has come to its end.
   */
  const due = new Map<string, ReadonlySet<string> | null>();
  /** What this round is about. After its time nothing is due any more. */
  const round = new Set<string>();
  let healthAt = 0;

  function note(category: "event_reminders" | "weekly_digest", subject: string, told: Somebody[]) {
    const name = `${category} ${subject}`;
    const now = new Set(told.filter((one) => mayGet(one, category)).map((one) => one.accountId));
    round.add(name);
    const before = due.get(name);
    if (before !== null) due.set(name, before?.intersection(now) ?? now);
  }

  function reminders(now: number): void {
    const people = [...world.people.values()];
    for (const { id, ladderId, opensAt, closesAt } of world.events)
      for (const [kind, at] of [
        ["event_opens", opensAt],
        ["event_closes", closesAt],
      ] as const) {
        const ms = Date.parse(at);
        const isShort = Date.parse(closesAt) - Date.parse(opensAt) <= DAY_MS;
        if (now < ms - DAY_MS || now >= ms || (isShort && kind === "event_closes")) continue;
        const there = people.filter((person) => isThere(person, ladderId));
        note("event_reminders", `${id} ${kind}`, there);
      }
  }

  function digests(now: number): void {
    const sinceMonday = (new Date(now).getUTCDay() + 6) % 7;
    const monday = Date.parse(dayAt(now - sinceMonday * DAY_MS));
    const sinceDue = now - monday - 9 * HOUR_MS;
    if (sinceDue < 0 || sinceDue > 48 * HOUR_MS) return;
    const isOfWeek = (ms: number) => ms >= monday - 7 * DAY_MS && ms < monday;
    const played = [...world.people.values()].filter((person) =>
      person.played.some(({ ended }) => isOfWeek(Date.parse(ended))),
    );
    note("weekly_digest", dayAt(monday - 7 * DAY_MS), played);
  }

  return {
    begins: () => {
      round.clear();
      reminders(world.now());
      digests(world.now());
    },
    looked: async () => {
      for (const name of round) {
        const [category, subject] = splitOnce(name);
        for (const accountId of due.get(name) ?? [])
          world.ledger.expect({ accountId, category: category as MailCategory, subject });
        due.set(name, null);
      }
      if (world.now() - healthAt < HEALTH_MS) return;
      healthAt = world.now();
      await expectHealth(world, healthAt);
    },
  };
}

/** What somebody was last told of their bot is read; what they must be told now is not. */
async function expectHealth(world: MailWorld, now: number): Promise<void> {
  const told = new Map<string, DeliveryRecord>();
  for (const row of (await world.store.deliveries.list(1_000_000)).toReversed())
    if (row.category === "bot_health") told.set(row.accountId, row);
  for (const person of world.people.values()) {
    const last = told.get(person.accountId);
    const isTold = last?.notice?.kind === "bot_unwell";
    const today = dayAt(now);
    const hasPlayed = person.played.some(({ ended }) => Date.parse(ended) >= now - DAY_MS);
    if (last !== undefined && dayAt(Date.parse(last.created)) >= today) continue;
    if (!hasPlayed || !mayGet(person, "bot_health") || isUnwell(person) !== true) continue;
    if (!isTold && last?.notice !== null)
      world.ledger.expect({
        accountId: person.accountId,
        category: "bot_health",
        subject: `${person.botId} ${today}`,
      });
  }
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf(" ");
  return [text.slice(0, at), text.slice(at + 1)];
}

const isThere = ({ isMember, played }: Somebody, ladderId: string): boolean =>
  ladderId === "cup" ? isMember : played.length > 0;
