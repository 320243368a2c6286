// A simulated person, tracked independently of the store.

import { DEFAULT_EMAIL_SETTINGS } from "#core/accounts/account.ts";
import type { EmailSettings } from "#core/accounts/account.ts";
import { acceptsEmail } from "#core/mail/delivery.ts";
import type { MailCategory } from "#core/mail/delivery.ts";
import { sampleId } from "#testing/store-contract/store-samples.ts";

/** The parts of a match that affect the bot's health. */
type PlayedMatch = { ended: string; version: number; isDisqualified: boolean; failed: number };

export type MailPerson = {
  number: number;
  accountId: string;
  botId: string;
  email: string;
  isConfirmed: boolean;
  isBanned: boolean;
  hasLeft: boolean;
  handleAt: string | null;
  isMember: boolean;
  isAdmin: boolean;
  /** Whether the person only chooses a handle and never plays. */
  isIdle: boolean;
  /** Whether the mail server rejects every email to this person. */
  isRefused: boolean;
  mail: EmailSettings;
  version: number;
  playedMatches: PlayedMatch[];
};

const IDLE_EVERY = 6;

export const TURNS_PER_MATCH = 100;

export const createMailPerson = (number: number): MailPerson => ({
  number,
  accountId: sampleId("account", number),
  botId: sampleId("bot", number),
  email: `person-${number}@example.org`,
  isConfirmed: true,
  isBanned: false,
  hasLeft: false,
  handleAt: null,
  isMember: false,
  isAdmin: number === 0,
  isIdle: number % IDLE_EVERY === IDLE_EVERY - 1,
  isRefused: false,
  mail: DEFAULT_EMAIL_SETTINGS,
  version: 0,
  playedMatches: [],
});

export const canPlayMatches = ({ hasLeft, handleAt, isBanned, isIdle }: MailPerson): boolean =>
  !hasLeft && !isBanned && !isIdle && handleAt !== null;

export const canReceive = (person: MailPerson, category: MailCategory): boolean =>
  !person.hasLeft && !person.isBanned && person.isConfirmed && acceptsEmail(person.mail, category);

/** Applies the documented rule to the newest version's latest 20 matches. */
export function isBotUnwell({ playedMatches, version }: MailPerson): boolean | null {
  const latest = playedMatches
    .filter((match) => match.version === version)
    .toSorted((a, b) => (a.ended < b.ended ? -1 : 1))
    .slice(-20);
  if (latest.length === 0) return null;
  if (latest.filter(({ isDisqualified }) => isDisqualified).length >= 3) return true;
  const failed = latest.reduce((sum, match) => sum + match.failed, 0);
  return latest.length < 3 ? null : failed * 5 >= latest.length * TURNS_PER_MATCH;
}
