// Computes which emails each round must create, based only on people and events.

import { DAY_MS, utcDayOf, HOUR_MS } from "#base/util/time.ts";
import type { MailCategory } from "#core/mail/delivery.ts";
import type { DeliveryRecord } from "#data/store/delivery.ts";

import type { MailWorld } from "./mail-world.ts";
import { isBotUnwell, canReceive } from "./person.ts";
import type { MailPerson } from "./person.ts";

export type ExpectedEmails = {
  startRound(): void;
  finishRound(): Promise<void>;
};

const HEALTH_MS = HOUR_MS / 2;
const dayAt = (ms: number): string => utcDayOf(new Date(ms).toISOString());

export function createExpectedEmails(world: MailWorld): ExpectedEmails {
  /**
   * By category and subject: recipients who were due in every round so far. An interrupted round
   * may have queued any of its emails, so only these are certain. Null once a round has completed.
   */
  const due = new Map<string, ReadonlySet<string> | null>();
  const currentRound = new Set<string>();
  let healthAt = 0;

  function addExpected(
    category: "event_reminders" | "weekly_digest",
    subject: string,
    told: MailPerson[],
  ) {
    const name = `${category} ${subject}`;
    const now = new Set(
      told.filter((person) => canReceive(person, category)).map((person) => person.accountId),
    );
    currentRound.add(name);
    const before = due.get(name);
    if (before !== null) due.set(name, before?.intersection(now) ?? now);
  }

  function reminders(now: number): void {
    const allPeople = [...world.people.values()];
    for (const { id, ladderId, opensAt, closesAt } of world.events)
      for (const [kind, at] of [
        ["event_opens", opensAt],
        ["event_closes", closesAt],
      ] as const) {
        const ms = Date.parse(at);
        const isShort = Date.parse(closesAt) - Date.parse(opensAt) <= DAY_MS;
        if (now < ms - DAY_MS || now >= ms || (isShort && kind === "event_closes")) continue;
        const eligiblePeople = allPeople.filter((person) => isOnLadder(person, ladderId));
        addExpected("event_reminders", `${id} ${kind}`, eligiblePeople);
      }
  }

  function digests(now: number): void {
    const sinceMonday = (new Date(now).getUTCDay() + 6) % 7;
    const monday = Date.parse(dayAt(now - sinceMonday * DAY_MS));
    const sinceDue = now - monday - 9 * HOUR_MS;
    if (sinceDue < 0 || sinceDue > 48 * HOUR_MS) return;
    const isInWeek = (ms: number) => ms >= monday - 7 * DAY_MS && ms < monday;
    const activePlayers = [...world.people.values()].filter((person) =>
      person.playedMatches.some(({ ended }) => isInWeek(Date.parse(ended))),
    );
    addExpected("weekly_digest", dayAt(monday - 7 * DAY_MS), activePlayers);
  }

  return {
    startRound: () => {
      currentRound.clear();
      reminders(world.now());
      digests(world.now());
    },
    finishRound: async () => {
      for (const name of currentRound) {
        const [category, subject] = splitOnce(name);
        for (const accountId of due.get(name) ?? [])
          world.ledger.expectEmail({ accountId, category: category as MailCategory, subject });
        due.set(name, null);
      }
      if (world.now() - healthAt < HEALTH_MS) return;
      healthAt = world.now();
      await expectHealth(world, healthAt);
    },
  };
}

/**
 * Reads only the time of the bot's last health email from the server. Computes independently
 * whether another is due.
 */
async function expectHealth(world: MailWorld, now: number): Promise<void> {
  const lastHealthEmail = new Map<string, DeliveryRecord>();
  for (const row of (await world.store.deliveries.list(1_000_000)).toReversed())
    if (row.category === "bot_health") lastHealthEmail.set(row.accountId, row);
  for (const person of world.people.values()) {
    const lastEmail = lastHealthEmail.get(person.accountId);
    const hasUnwellEmail = lastEmail?.notice?.kind === "bot_unwell";
    const today = dayAt(now);
    const hasPlayed = person.playedMatches.some(({ ended }) => Date.parse(ended) >= now - DAY_MS);
    if (lastEmail !== undefined && dayAt(Date.parse(lastEmail.created)) >= today) continue;
    if (!hasPlayed || !canReceive(person, "bot_health") || isBotUnwell(person) !== true) continue;
    if (!hasUnwellEmail && lastEmail?.notice !== null)
      world.ledger.expectEmail({
        accountId: person.accountId,
        category: "bot_health",
        subject: `${person.botId} ${today}`,
      });
  }
}

function splitOnce(text: string): [string, string] {
  const separator = text.indexOf(" ");
  return [text.slice(0, separator), text.slice(separator + 1)];
}

const isOnLadder = ({ isMember, playedMatches }: MailPerson, ladderId: string): boolean =>
  ladderId === "cup" ? isMember : playedMatches.length > 0;
