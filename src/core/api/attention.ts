// Items that need an operator's attention. The console and the terminal show the same text.

import type { TransactionalReport } from "#core/mail/transactional.ts";

import type { Attention } from "./admin.ts";

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/**
 * Free disk space is low below this. A busy ladder writes about as much in a day, including
 * replays.
 */
export const LOW_DISK_BYTES = 2 * GIB;
/** Writes are about to fail below this. */
export const FULL_DISK_BYTES = 64 * MIB;

/** Ignores failures before `since`. */
export function transactionalAttention(
  report: TransactionalReport | null,
  since: string,
): Pick<Attention, "transactional_retrying" | "transactional_not_sent"> {
  if (report === null) return { transactional_retrying: 0, transactional_not_sent: 0 };
  const { retrying, failed, given_up, last_failure: lastFailure } = report;
  const isRecent = lastFailure !== null && lastFailure.at >= since;
  return {
    transactional_retrying: retrying,
    transactional_not_sent: isRecent ? failed + given_up : 0,
  };
}

export type AttentionItem = {
  text: string;
  /** Section of the console that shows the item, and the id of the entry in that section. */
  part: "mail" | "ladders" | "health";
  itemId: string | null;
  /** Whether something is failing or is about to fail. */
  isUrgent: boolean;
};

/** Returns the items, most urgent first. Empty if nothing needs attention. */
export function attentionItems(attention: Attention): AttentionItem[] {
  return [...diskItems(attention), ...mailItems(attention), ...approvalItems(attention)];
}

function diskItems({ disk_free_bytes: freeBytes }: Attention): AttentionItem[] {
  const base = { part: "health", itemId: null, isUrgent: true } as const;
  if (freeBytes === null) return [{ ...base, text: "The data folder can't be read." }];
  if (freeBytes < FULL_DISK_BYTES)
    return [
      { ...base, text: `The disk is full: ${formatByteSize(freeBytes)} free. No match can start.` },
    ];
  if (freeBytes < LOW_DISK_BYTES)
    return [{ ...base, text: `The disk is almost full: ${formatByteSize(freeBytes)} free.` }];
  return [];
}

function mailItems(attention: Attention): AttentionItem[] {
  const { mail_incidents, emails_not_sent, suppressed_accounts } = attention;
  const { transactional_retrying: retrying, transactional_not_sent: notSent } = attention;
  const base = { part: "mail", itemId: null, isUrgent: true } as const;
  const items: AttentionItem[] = [];
  if (mail_incidents > 0)
    items.push({ ...base, text: `${pluralize(mail_incidents, "open email incident")}.` });
  if (retrying > 0)
    items.push({
      ...base,
      text: `${pluralize(retrying, "email")} about accounts failed and will be retried: people may be unable to sign up.`,
    });
  if (notSent > 0)
    items.push({
      ...base,
      text: `${pluralize(notSent, "email")} about accounts not sent: confirmations, password resets or sign-in codes.`,
    });
  if (emails_not_sent > 0)
    items.push({
      ...base,
      text: `${pluralize(emails_not_sent, "optional email")} not sent in the last 24 hours.`,
    });
  if (suppressed_accounts > 0)
    items.push({
      ...base,
      isUrgent: false,
      text: `${pluralize(suppressed_accounts, "account")} without email: the mail server refused the address.`,
    });
  return items;
}

const approvalItems = ({ approvals }: Attention): AttentionItem[] =>
  approvals.map(({ ladder_id, name, pending }) => ({
    text: `${pluralize(pending, "membership")} waiting for approval on ${name}.`,
    part: "ladders",
    itemId: ladder_id,
    isUrgent: false,
  }));

const pluralize = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Shows one decimal from 1 GiB upwards. */
export const formatByteSize = (bytes: number): string =>
  bytes < GIB ? `${Math.floor(bytes / MIB)} MiB` : `${(bytes / GIB).toFixed(1)} GiB`;
