// Items that need an operator's attention, worded alike in the console and the terminal.

import type { TransactionalReport } from "#core/mail/transactional.ts";
import type { Attention } from "#core/resources/admin.ts";

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/** Free bytes below which a disk counts as low: about a day of a busy ladder with its replays. */
export const LOW_DISK_BYTES = 2 * GIB;
/** Free bytes below which writes are about to fail. */
export const FULL_DISK_BYTES = 64 * MIB;

/** Failures of before `since` need no attention any more. */
export function transactionalAttention(
  report: TransactionalReport | null,
  since: string,
): Pick<Attention, "transactional_retrying" | "transactional_not_sent"> {
  if (report === null) return { transactional_retrying: 0, transactional_not_sent: 0 };
  const { retrying, failed, given_up, last_failure: last } = report;
  const isRecent = last !== null && last.at >= since;
  return {
    transactional_retrying: retrying,
    transactional_not_sent: isRecent ? failed + given_up : 0,
  };
}

/** Something to look at. */
export type AttentionItem = {
  text: string;
  /** The part of the console that shows it, and which of the things listed there. */
  part: "mail" | "ladders" | "health";
  of: string | null;
  /** Whether something fails, or soon will. */
  isUrgent: boolean;
};

/** Most urgent first; empty if nothing needs an operator. */
export function attentionItems(attention: Attention): AttentionItem[] {
  return [...diskItems(attention), ...mailItems(attention), ...approvalItems(attention)];
}

function diskItems({ disk_free_bytes: free }: Attention): AttentionItem[] {
  const place = { part: "health", of: null, isUrgent: true } as const;
  if (free === null) return [{ ...place, text: "The data folder can't be read." }];
  if (free < FULL_DISK_BYTES)
    return [{ ...place, text: `The disk is full: ${bytesText(free)} free. No match starts.` }];
  if (free < LOW_DISK_BYTES)
    return [{ ...place, text: `The disk is almost full: ${bytesText(free)} free.` }];
  return [];
}

function mailItems(attention: Attention): AttentionItem[] {
  const { mail_incidents, emails_not_sent, suppressed_accounts } = attention;
  const { transactional_retrying: retrying, transactional_not_sent: lost } = attention;
  const place = { part: "mail", of: null, isUrgent: true } as const;
  const items: AttentionItem[] = [];
  if (mail_incidents > 0)
    items.push({ ...place, text: `${counted(mail_incidents, "open email incident")}.` });
  if (retrying > 0)
    items.push({
      ...place,
      text: `${counted(retrying, "email")} about accounts failed and will be retried: people may be unable to sign up.`,
    });
  if (lost > 0)
    items.push({
      ...place,
      text: `${counted(lost, "email")} about accounts not sent: confirmations, password resets or sign-in codes.`,
    });
  if (emails_not_sent > 0)
    items.push({
      ...place,
      text: `${counted(emails_not_sent, "optional email")} not sent in the last 24 hours.`,
    });
  if (suppressed_accounts > 0)
    items.push({
      ...place,
      isUrgent: false,
      text: `${counted(suppressed_accounts, "account")} without email: the mail server refused the address.`,
    });
  return items;
}

const approvalItems = ({ approvals }: Attention): AttentionItem[] =>
  approvals.map(({ ladder_id, name, pending }) => ({
    text: `${counted(pending, "membership")} waiting for approval on ${name}.`,
    part: "ladders",
    of: ladder_id,
    isUrgent: false,
  }));

const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;

/** With one decimal from 1 GiB on. */
export const bytesText = (bytes: number): string =>
  bytes < GIB ? `${Math.floor(bytes / MIB)} MiB` : `${(bytes / GIB).toFixed(1)} GiB`;
