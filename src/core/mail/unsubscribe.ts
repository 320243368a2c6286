// Payload of an unsubscribe link: account, category and expiry. The server signs this text.

import { DAY_MS } from "#base/util/time.ts";
import type { AccountId } from "#core/ids/ids.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import { MAIL_CATEGORIES } from "./delivery.ts";
import type { MailCategory } from "./delivery.ts";

export const UNSUBSCRIBE_PATH = "/api/email/unsubscribe";

export type UnsubscribeRequest = { accountId: AccountId; category: MailCategory };

const PAYLOAD = /^(?<accountId>[0-9a-f-]{36}) (?<category>[a-z_]{1,20}) (?<untilMs>\d{1,15})$/;

/** Returns the payload. `nowMs` is in milliseconds since 1970. */
export function unsubscribePayload(
  { accountId, category }: UnsubscribeRequest,
  nowMs: number,
): string {
  return `${accountId} ${category} ${nowMs + FIXED_LIMITS.unsubscribe_days * DAY_MS}`;
}

/** Returns null if the text is invalid or expired. */
export function parseUnsubscribePayload(text: string, nowMs: number): UnsubscribeRequest | null {
  const { accountId = "", category = "", untilMs = "0" } = PAYLOAD.exec(text)?.groups ?? {};
  const knownCategory = MAIL_CATEGORIES.find((candidate) => candidate === category);
  return knownCategory === undefined || Number(untilMs) <= nowMs
    ? null
    : { accountId, category: knownCategory };
}
