// What must hold of all letters, kept apart from what makes and sends them.

import { HOUR_MS } from "#base/units/time.ts";
import type { DeliveryState, MailCategory } from "#core/mail/delivery.ts";
import type { MailNotice } from "#core/mail/notice.ts";
import type { Begun, DeliveryRecord } from "#data/store/delivery.ts";

import { mayGet } from "./person.ts";
import type { Somebody } from "./person.ts";
import type { ArrivedMail } from "./post.ts";

type Key = { accountId: string; category: MailCategory; subject: string };
const nameOf = ({ accountId, category, subject }: Key): string =>
  `${category} ${accountId} ${subject}`;

export type Ledger = {
  /** What is wrong, in words; each once. */
  faults: Set<string>;
  /** A letter must have been made by now. */
  expect(key: Key): void;
  handed(letter: ArrivedMail): void;
  arrived(letter: ArrivedMail): void;
  skipped(begun: Extract<Begun, { skipped: unknown }>, row: DeliveryRecord | undefined): void;
  /** Compares everything at the end; resolves with how many letters came to which end. */
  close(rows: readonly DeliveryRecord[], end: string): Record<string, number>;
};

export function openLedger(people: ReadonlyMap<string, Somebody>): Ledger {
  const faults = new Set<string>();
  const expected = new Map<string, Key>();
  const handed = new Map<string, number>();
  const arrivals = new Map<string, ArrivedMail[]>();
  const abouts = new Map<string, string>();
  const gone = ({ accountId }: Key) => people.get(accountId)?.hasLeft === true;

  /** Says that two letters tell one person the same. */
  function checkOnce(letter: ArrivedMail): void {
    const about = `${letter.accountId} ${aboutOf(letter.notice, letter.at)}`;
    const other = abouts.get(about);
    if (other !== undefined) faults.add(`twice: ${about}`);
    abouts.set(about, letter.id);
  }

  return {
    faults,
    expect: (key) => void expected.set(nameOf(key), key),
    handed: (letter) => {
      const { id, to, accountId, category, notice } = letter;
      handed.set(id, (handed.get(id) ?? 0) + 1);
      const person = people.get(accountId);
      if (person === undefined || !mayGet(person, category))
        faults.add(`not wanted: ${notice.kind} to ${accountId}`);
      else if (person.email !== to) faults.add(`to another address: ${notice.kind} to ${to}`);
    },
    arrived: (letter) => {
      arrivals.getOrInsertComputed(letter.id, () => []).push(letter);
      checkOnce(letter);
    },
    skipped: ({ id, skipped }, row) => {
      const person = people.get(row?.accountId ?? "");
      if (row === undefined || person === undefined) faults.add(`skipped nobody's: ${id}`);
      else if (!["banned", "no_address", "opted_out"].includes(skipped)) return;
      else if (mayGet(person, row.category)) faults.add(`skipped as ${skipped}: ${id}`);
    },
    close: (rows, end) => {
      const byName = new Map(rows.map((row) => [nameOf(row), row]));
      if (byName.size < rows.length) faults.add("two rows of one account and subject");
      for (const [name, key] of expected)
        if (!byName.has(name) && !gone(key)) faults.add(`never made: ${name}`);
      const counts: Record<string, number> = {};
      for (const row of rows) {
        counts[row.state] = (counts[row.state] ?? 0) + 1;
        const times = arrivals.get(row.id)?.length ?? 0;
        const problem = endProblem(row, times, handed.get(row.id) ?? 0, end);
        if (problem !== null) faults.add(`${problem}: ${nameOf(row)} is ${row.state}`);
      }
      for (const problem of paceProblems(rows)) faults.add(problem);
      const known = new Set(rows.map(({ id }) => id));
      for (const [id, [first]] of arrivals)
        if (!known.has(id) && first !== undefined && !gone({ ...first, subject: "" }))
          faults.add(`arrived without a row: ${id}`);
      for (const { notice } of [...arrivals.values()].flat())
        counts[notice.kind] = (counts[notice.kind] ?? 0) + 1;
      counts["arrived"] = [...arrivals.values()].flat().length;
      counts["expected"] = expected.size;
      return counts;
    },
  };
}

/** Letters about one bot on one day, and warnings of a kind within an hour. */
function paceProblems(rows: readonly DeliveryRecord[]): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  const warned = new Map<string, number>();
  for (const { accountId, category, subject, created } of rows.toReversed()) {
    const [about = ""] = subject.split(" ", 1);
    if (category === "bot_health") {
      const name = `${accountId} ${about} ${created.slice(0, "2026-01-05".length)}`;
      if (seen.has(name)) problems.push(`two letters about a bot: ${name}`);
      seen.add(name);
    } else if (category === "admin_warnings") {
      const name = `${accountId} ${about}`;
      if (Date.parse(created) - (warned.get(name) ?? 0) < HOUR_MS)
        problems.push(`two warnings within an hour: ${name} ${created}`);
      warned.set(name, Date.parse(created));
    }
  }
  return problems;
}

/** What each end says of how often a letter arrived. */
const ARRIVALS: Readonly<Record<DeliveryState, readonly number[]>> = {
  accepted: [1],
  failed: [0],
  skipped: [0],
  pending: [0],
  unknown: [0, 1],
  sending: [],
};

function endProblem(
  { state, due, attempt }: DeliveryRecord,
  times: number,
  handed: number,
  end: string,
): string | null {
  if (!ARRIVALS[state].includes(times)) return `arrived ${times} times`;
  if (handed > attempt) return `handed over ${handed} times in ${attempt} attempts`;
  return state === "pending" && due <= end ? "still waits" : null;
}

/** What a letter tells, so that two of them are one too many. */
function aboutOf(notice: MailNotice, at: string): string {
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
