// What the link in a letter says that refuses its category: whose it is, and until when. The server
// signs it; this is only the signed text.

import { DAY_MS } from "#base/units/time.ts";
import type { AccountId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";

import { MAIL_CATEGORIES } from "./delivery.ts";
import type { MailCategory } from "./delivery.ts";

/** On the ladder. */
export const UNSUBSCRIBE_PATH = "/api/email/unsubscribe";

export type Unsubscribing = { accountId: AccountId; category: MailCategory };

const PAYLOAD = /^(?<accountId>[0-9a-f-]{36}) (?<category>[a-z_]{1,20}) (?<untilMs>\d{1,15})$/;

/** `nowMs` in milliseconds since 1970. */
export function unsubscribePayload({ accountId, category }: Unsubscribing, nowMs: number): string {
  return `${accountId} ${category} ${nowMs + FIXED.unsubscribe_days * DAY_MS}`;
}

/** Null for any other text, and once it has run out. */
export function readUnsubscribePayload(text: string, nowMs: number): Unsubscribing | null {
  const { accountId = "", category = "", untilMs = "0" } = PAYLOAD.exec(text)?.groups ?? {};
  const known = MAIL_CATEGORIES.find((one) => one === category);
  return known === undefined || Number(untilMs) <= nowMs ? null : { accountId, category: known };
}
