// Checks invariants on all emails, independently of the code that creates and sends them.

import { HOUR_MS } from "#base/util/time.ts";
import type { DeliveryState, MailCategory } from "#core/mail/delivery.ts";
import type { EmailNotification } from "#core/mail/email-notification.ts";
import type { StartedDelivery, DeliveryRecord } from "#data/store/delivery.ts";

import type { ArrivedMail } from "./mail-server.ts";
import { canReceive } from "./person.ts";
import type { MailPerson } from "./person.ts";

type EmailKey = { accountId: string; category: MailCategory; subject: string };
const formatKey = ({ accountId, category, subject }: EmailKey): string =>
  `${category} ${accountId} ${subject}`;

export type MailLedger = {
  problems: Set<string>;
  expectEmail(emailKey: EmailKey): void;
  recordAttempt(email: ArrivedMail): void;
  recordArrival(email: ArrivedMail): void;
  skipped(
    begun: Extract<StartedDelivery, { skipped: unknown }>,
    row: DeliveryRecord | undefined,
  ): void;
  /** Checks all emails at the end of the run. Returns their number by final state. */
  close(rows: readonly DeliveryRecord[], end: string): Record<string, number>;
};

export function createMailLedger(people: ReadonlyMap<string, MailPerson>): MailLedger {
  const problems = new Set<string>();
  const expected = new Map<string, EmailKey>();
  const handed = new Map<string, number>();
  const arrivedEmails = new Map<string, ArrivedMail[]>();
  const firstEmailByContent = new Map<string, string>();
  const hasLeft = ({ accountId }: EmailKey) => people.get(accountId)?.hasLeft === true;

  function checkDuplicate(email: ArrivedMail): void {
    const contentKey = `${email.accountId} ${contentKeyOf(email.notice, email.at)}`;
    const firstEmailId = firstEmailByContent.get(contentKey);
    if (firstEmailId !== undefined) problems.add(`twice: ${contentKey}`);
    firstEmailByContent.set(contentKey, email.id);
  }

  return {
    problems,
    expectEmail: (emailKey) => void expected.set(formatKey(emailKey), emailKey),
    recordAttempt: (email) => {
      const { id, to, accountId, category, notice } = email;
      handed.set(id, (handed.get(id) ?? 0) + 1);
      const person = people.get(accountId);
      if (person === undefined || !canReceive(person, category))
        problems.add(`not wanted: ${notice.kind} to ${accountId}`);
      else if (person.email !== to) problems.add(`wrong address: ${notice.kind} to ${to}`);
    },
    recordArrival: (email) => {
      arrivedEmails.getOrInsertComputed(email.id, () => []).push(email);
      checkDuplicate(email);
    },
    skipped: ({ id, skipped }, row) => {
      const person = people.get(row?.accountId ?? "");
      if (row === undefined || person === undefined)
        problems.add(`skipped without an account: ${id}`);
      else if (!["banned", "no_address", "opted_out"].includes(skipped)) return;
      else if (canReceive(person, row.category)) problems.add(`skipped as ${skipped}: ${id}`);
    },
    close: (rows, end) => {
      const byName = new Map(rows.map((row) => [formatKey(row), row]));
      if (byName.size < rows.length) problems.add("two rows for one account and subject");
      for (const [name, emailKey] of expected)
        if (!byName.has(name) && !hasLeft(emailKey)) problems.add(`never created: ${name}`);
      const counts: Record<string, number> = {};
      for (const row of rows) {
        counts[row.state] = (counts[row.state] ?? 0) + 1;
        const arrivalCount = arrivedEmails.get(row.id)?.length ?? 0;
        const problem = checkFinalState(row, arrivalCount, handed.get(row.id) ?? 0, end);
        if (problem !== null) problems.add(`${problem}: ${formatKey(row)} is ${row.state}`);
      }
      for (const problem of checkPace(rows)) problems.add(problem);
      const knownIds = new Set(rows.map(({ id }) => id));
      for (const [id, [first]] of arrivedEmails)
        if (!knownIds.has(id) && first !== undefined && !hasLeft({ ...first, subject: "" }))
          problems.add(`arrived without a row: ${id}`);
      for (const { notice } of [...arrivedEmails.values()].flat())
        counts[notice.kind] = (counts[notice.kind] ?? 0) + 1;
      counts["arrived"] = [...arrivedEmails.values()].flat().length;
      counts["expected"] = expected.size;
      return counts;
    },
  };
}

/** Checks the limits: health emails per bot and day, and alerts of each kind per hour. */
function checkPace(rows: readonly DeliveryRecord[]): string[] {
  const problems: string[] = [];
  const healthKeys = new Set<string>();
  const lastWarningAt = new Map<string, number>();
  for (const { accountId, category, subject, created } of rows.toReversed()) {
    const [contentKey = ""] = subject.split(" ", 1);
    if (category === "bot_health") {
      const name = `${accountId} ${contentKey} ${created.slice(0, "2026-01-05".length)}`;
      if (healthKeys.has(name)) problems.push(`two emails about a bot: ${name}`);
      healthKeys.add(name);
    } else if (category === "admin_warnings") {
      const name = `${accountId} ${contentKey}`;
      if (Date.parse(created) - (lastWarningAt.get(name) ?? 0) < HOUR_MS)
        problems.push(`two alerts within an hour: ${name} ${created}`);
      lastWarningAt.set(name, Date.parse(created));
    }
  }
  return problems;
}

const EXPECTED_ARRIVALS: Readonly<Record<DeliveryState, readonly number[]>> = {
  accepted: [1],
  failed: [0],
  skipped: [0],
  pending: [0],
  unknown: [0, 1],
  sending: [],
};

function checkFinalState(
  { state, due, attempt }: DeliveryRecord,
  arrivalCount: number,
  attempts: number,
  end: string,
): string | null {
  if (!EXPECTED_ARRIVALS[state].includes(arrivalCount)) return `arrived ${arrivalCount} times`;
  if (attempts > attempt) return `handed over ${attempts} times in ${attempt} attempts`;
  return state === "pending" && due <= end ? "still queued" : null;
}

function contentKeyOf(notice: EmailNotification, at: string): string {
  switch (notice.kind) {
    case "announcement":
      return `announcement ${notice.data.title}`;
    case "achievement":
      return `achievement ${notice.data.eventId} ${notice.data.achievement}`;
    case "event_opens":
    case "event_closes":
      return `${notice.kind} ${notice.data.eventId}`;
    case "weekly_digest":
      return `digest ${notice.data.from}`;
    case "bot_unwell":
    case "bot_well":
      return `${notice.data.bot} ${notice.kind} ${at}`;
    case "admin_warning":
      return `${notice.data.warning} ${notice.data.at} ${notice.data.about}`;
    case "welcome":
    case "first_match":
      return notice.kind;
  }
}
