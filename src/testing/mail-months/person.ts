// Somebody in the months of mail, as they are by themselves: nothing here is read from the store.

import { DEFAULT_MAIL } from "#core/accounts/account.ts";
import type { MailChoice } from "#core/accounts/account.ts";
import { wantsMail } from "#core/mail/delivery.ts";
import type { MailCategory } from "#core/mail/delivery.ts";
import { sampleId } from "#testing/store-cases/store-samples.ts";

/** A match as the bot's health sees it. */
type Played = { ended: string; version: number; isDisqualified: boolean; failed: number };

export type Somebody = {
  number: number;
  accountId: string;
  botId: string;
  email: string;
  isConfirmed: boolean;
  isBanned: boolean;
  hasLeft: boolean;
  /** When the handle was chosen; null before. */
  handleAt: string | null;
  isMember: boolean;
  isAdmin: boolean;
  /** They choose a handle and never play. */
  isIdle: boolean;
  /** The mail server refuses every letter to them. */
  isRefused: boolean;
  mail: MailChoice;
  version: number;
  played: Played[];
};

const IDLE_EVERY = 6;

/** Turns of each match. */
export const TURNS = 100;

export const newPerson = (number: number): Somebody => ({
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
  mail: DEFAULT_MAIL,
  version: 0,
  played: [],
});

export const mayPlay = ({ hasLeft, handleAt, isBanned, isIdle }: Somebody): boolean =>
  !hasLeft && !isBanned && !isIdle && handleAt !== null;

/** Whether a letter of a category may go to them now. */
export const mayGet = (person: Somebody, category: MailCategory): boolean =>
  !person.hasLeft && !person.isBanned && person.isConfirmed && wantsMail(person.mail, category);

/** By the rule as people read it: of the newest version, in its latest twenty matches. */
export function isUnwell({ played, version }: Somebody): boolean | null {
  const latest = played
    .filter((match) => match.version === version)
    .toSorted((a, b) => (a.ended < b.ended ? -1 : 1))
    .slice(-20);
  if (latest.length === 0) return null;
  if (latest.filter(({ isDisqualified }) => isDisqualified).length >= 3) return true;
  const failed = latest.reduce((sum, match) => sum + match.failed, 0);
  return latest.length < 3 ? null : failed * 5 >= latest.length * TURNS;
}
