// Text and HTML are rendered from the same content, so they can't differ.

import type {
  TransactionalEmail,
  TransactionalEmailOf,
  TransactionalEmailType,
  OperatorEmail,
  SenderInfo,
} from "#core/accounts/transactional-email.ts";
import { formatUtcTime } from "#site/ui/time-format.ts";

export type EmailPart =
  | { kind: "words"; text: string }
  | { kind: "step"; label: string; href: string }
  /** A six-digit code. */
  | { kind: "digits"; text: string }
  | { kind: "facts"; rows: readonly EmailFact[] };

export type EmailFact = readonly [name: string, value: string];

export type EmailContent = {
  /**
   * Also the title of the HTML version. User-supplied parts are bot names, which are ASCII, and the
   * titles of announcements, events and achievements, which have a single line.
   */
  subject: string;
  parts: readonly EmailPart[];
  footer: readonly string[];
  /** Only for email that people can unsubscribe from. */
  unsubscribeLink?: { label: string; href: string };
};

type LinkEmail = TransactionalEmailOf<"signup" | "recovery" | "email_change">;
type EmailWriters = {
  [T in TransactionalEmailType]: (
    email: TransactionalEmailOf<T>,
    sender: SenderInfo,
  ) => Omit<EmailContent, "footer">;
};

const EMAIL_WRITERS: EmailWriters = {
  signup: (email, sender) => ({
    subject: "Confirm your email address",
    parts: linkParts(email, {
      lead: `Someone signed up at ${senderHost(sender)} with this email address. If that was you, confirm it. Where you signed up, the link signs you in. In any other browser, you choose a password.`,
      label: "Confirm email address",
      end: "If it wasn't you, ignore this email. Nobody can use an account with your address unless you confirm it.",
    }),
  }),
  recovery: (email, sender) => ({
    subject: "Reset your password",
    parts: linkParts(email, {
      lead: `Someone asked to reset the password of your account at ${senderHost(sender)}. If that was you, choose a new one. The link works in any browser.`,
      label: "Choose a new password",
      end: "If it wasn't you, ignore this email. Your password stays the same.",
    }),
  }),
  email_change: (email, sender) => ({
    subject: "Confirm your new email address",
    parts: linkParts(email, {
      lead: `${capitalizeSentence(describeOwner(email))} at ${senderHost(sender)} asked to change its email address to this one. If that account is yours, open the link in the browser where you asked.`,
      label: "Confirm new email address",
      end: "If you confirm, that account signs in with your address and keeps its password. You don't get an account of your own. If the account isn't yours, ignore this email and nothing changes.",
    }),
  }),
  email_in_use: (email, sender) =>
    email.attempt === "signup"
      ? signUpWithUsedAddress(email, sender)
      : rejectedAddressChange(email, sender),
  email_changed: ({ at }, sender) => ({
    subject: "Your email address was changed",
    parts: [
      paragraphPart(
        `Your account at ${senderHost(sender)} now has a different email address. You won't get any more emails at this one.`,
      ),
      factsPart(timeFact(at)),
      paragraphPart(
        `If you didn't do this, your account may be compromised: ${contactSentence(sender)}`,
      ),
    ],
  }),
  password_changed: ({ at }, sender) => ({
    subject: "Your password was changed",
    parts: [
      paragraphPart(
        `The password of your account at ${senderHost(sender)} was changed, and all other sessions were signed out.`,
      ),
      factsPart(timeFact(at)),
      paragraphPart(
        `If you didn't do this, reset your password immediately and ${contactSentence(sender)}`,
      ),
      linkPart("Go to your account", accountUrl(sender)),
    ],
  }),
  session_ended: ({ at, app }, sender) => ({
    subject: "We ended one of your sessions",
    parts: [
      paragraphPart(
        app === null
          ? `An old sign-in token of your account at ${senderHost(sender)} was used again. This can mean that someone copied it, so we ended that session. Sign in again to continue.`
          : `An old token that an app holds for your account at ${senderHost(sender)} was used again. This can mean that someone copied it, so we ended the app's session. Connect the app again to continue.`,
      ),
      factsPart(
        ...(app === null ? [] : ([["App", withoutLinks(toSingleLine(app))]] as const)),
        timeFact(at),
      ),
      paragraphPart(
        "If you don't recognize this, change your password and check your connected apps.",
      ),
      linkPart("Go to your account", accountUrl(sender)),
    ],
  }),
  new_key: ({ at, label }, sender) => ({
    subject: "New agent key for your account",
    parts: [
      paragraphPart(
        `An agent key was created for your account at ${senderHost(sender)}. Anyone who has it can register and delete your bots.`,
      ),
      factsPart(["Label", toSingleLine(label)], timeFact(at)),
      paragraphPart("If you didn't do this, revoke the key and choose a new password."),
      linkPart("View agent keys", accountUrl(sender)),
    ],
  }),
  new_program: ({ at, app }, sender) => ({
    subject: "An app can now access your account",
    parts: [
      paragraphPart(
        `An app was given access to your account at ${senderHost(sender)}. It can manage your bots.`,
      ),
      factsPart(["Name it gave", withoutLinks(toSingleLine(app))], timeFact(at)),
      paragraphPart("If you didn't do this, revoke its access and choose a new password."),
      linkPart("View connected apps", accountUrl(sender)),
    ],
  }),
  bot_suspended: (email, sender) =>
    botStatusContent(email, sender, {
      subject: "is suspended",
      lead: "An operator suspended your bot. It's off the leaderboard and can't play until an operator activates it.",
    }),
  bot_activated: (email, sender) =>
    botStatusContent(email, sender, {
      subject: "can play again",
      lead: "An operator lifted the suspension of your bot. Connect it to play again.",
    }),
  bot_banned: (email, sender) =>
    botStatusContent(email, sender, {
      subject: "is banned",
      lead: "An operator permanently banned your bot. It's off the leaderboard; its page and matches stay.",
    }),
  account_banned: (email, sender) =>
    accountStatusContent(email, sender, {
      subject: "Your account is banned",
      lead: `An operator banned your account at ${senderHost(sender)}. Your bots are off the leaderboard and can't play, and your keys no longer work.`,
    }),
  account_unbanned: (email, sender) =>
    accountStatusContent(email, sender, {
      subject: "Your account is no longer banned",
      lead: `An operator unbanned your account at ${senderHost(sender)}. Your bots keep their records; connect them to play again.`,
    }),
  account_removed: (email, sender) =>
    accountStatusContent(email, sender, {
      subject: "Your account was deleted",
      lead: `An operator permanently deleted your account at ${senderHost(sender)}, with its keys and connected apps. Bots that have never played are deleted, and the others are banned.`,
    }),
  disk_full: (email, sender) =>
    operatorAlarm(email, sender, {
      subject: "Disk full",
      lead: "The server's disk is full, so it can't store anything. Unsaved results are held in memory, and no new match starts. Stopping the server would lose those results. Free disk space, and the server recovers by itself.",
    }),
  store_away: (email, sender) =>
    operatorAlarm(email, sender, {
      subject: "Database unavailable",
      lead: "The server hasn't reached its database for a minute. Unsaved results are held in memory, and no new match starts. Stopping the server would lose those results. Once the database is back, the server recovers by itself.",
    }),
  mail_stopped: (email, sender) =>
    operatorAlarm(email, sender, {
      subject: "Email sending has stopped",
      lead: "The mail server refused emails, or they weren't delivered, so optional email is on hold, including warnings to admins. See the console for the cause, fix it, and resume sending there.",
    }),
};

type AddressInUseEmail = TransactionalEmailOf<"email_in_use">;

const describeOwner = ({ handle }: { handle: string | null }): string =>
  handle === null ? "an account without a handle" : `the account ${withoutLinks(handle)}`;

const capitalizeSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function signUpWithUsedAddress(
  email: AddressInUseEmail,
  sender: SenderInfo,
): Omit<EmailContent, "footer"> {
  const lead = `Someone tried to sign up at ${senderHost(sender)} with this email address, but it already belongs to ${describeOwner(email)}. Nothing changed.`;
  const advice =
    "If that was you, sign in instead. If you've forgotten your password, reset it there. If it wasn't you, ignore this email.";
  const parts = [paragraphPart(lead), factsPart(timeFact(email.at)), paragraphPart(advice)];
  return {
    subject: "You already have an account",
    parts: [...parts, linkPart("Sign in", accountUrl(sender))],
  };
}

function rejectedAddressChange(
  email: AddressInUseEmail,
  sender: SenderInfo,
): Omit<EmailContent, "footer"> {
  const lead = `${capitalizeSentence(describeOwner(email))} at ${senderHost(sender)} asked to change its email address to this one. We refused, because the address belongs to another account or is reserved. Nothing changed.`;
  const parts = [
    paragraphPart(lead),
    factsPart(timeFact(email.at)),
    paragraphPart("You don't need to do anything."),
  ];
  return { subject: "Someone tried to use your email address", parts };
}

function operatorAlarm(
  { at }: TransactionalEmailOf<OperatorEmail["type"]>,
  sender: SenderInfo,
  { subject, lead }: AlarmText,
) {
  const told =
    "See the server log for details. You get up to one email an hour about each kind of problem.";
  const parts = [
    paragraphPart(lead),
    factsPart(["Ladder", senderHost(sender)], timeFact(at)),
    paragraphPart(told),
  ];
  return { subject, parts };
}

export function transactionalContent(letter: TransactionalEmail, sender: SenderInfo): EmailContent {
  // TypeScript can't match an email's type with its template.
  const write = EMAIL_WRITERS[letter.type] as (
    email: TransactionalEmail,
    sender: SenderInfo,
  ) => Omit<EmailContent, "footer">;
  return { ...write(letter, sender), footer: transactionalFooter(letter, sender) };
}

export const paragraphPart = (text: string): EmailPart => ({ kind: "words", text });
export const factsPart = (...rows: EmailFact[]): EmailPart => ({ kind: "facts", rows });
export const linkPart = (label: string, href: string): EmailPart => ({ kind: "step", label, href });
const timeFact = (at: string): EmailFact => ["When", formatUtcTime(at, "minute")];

export const senderHost = ({ baseUrl }: SenderInfo): string => new URL(baseUrl).host;
export const accountUrl = ({ baseUrl }: SenderInfo): string => `${baseUrl}/account`;

function linkParts(
  { link, code, linkHours, codeMinutes }: LinkEmail,
  { lead, label, end }: { lead: string; label: string; end: string },
): EmailPart[] {
  const codeValidityText = code === null ? "" : ` The code works within ${codeMinutes} minutes.`;
  return [
    paragraphPart(lead),
    linkPart(label, link),
    ...(code === null ? [] : codeSection(code)),
    paragraphPart(`The link works once, within ${linkHours} hours.${codeValidityText}`),
    paragraphPart(end),
  ];
}

const codeSection = (code: string): EmailPart[] => [
  paragraphPart("If a page asks for the 6-digit code:"),
  { kind: "digits", text: code },
];

type AlarmText = { subject: string; lead: string };

function botStatusContent(
  email: TransactionalEmailOf<"bot_suspended" | "bot_activated" | "bot_banned">,
  sender: SenderInfo,
  { subject, lead }: AlarmText,
): Omit<EmailContent, "footer"> {
  const { bot, at, reason } = email;
  return {
    subject: `Your bot ${bot} ${subject}`,
    parts: [
      paragraphPart(lead),
      factsPart(["Bot", bot], ["Ladder", senderHost(sender)], ...reasonFacts(reason), timeFact(at)),
      ...(email.type === "bot_activated" ? [] : [paragraphPart(appealSentence(sender))]),
      linkPart(`View ${bot}`, `${sender.baseUrl}/bot/${encodeURIComponent(bot)}`),
    ],
  };
}

function accountStatusContent(
  email: TransactionalEmailOf<"account_banned" | "account_unbanned" | "account_removed">,
  sender: SenderInfo,
  { subject, lead }: AlarmText,
): Omit<EmailContent, "footer"> {
  const isOpen = email.type === "account_unbanned";
  return {
    subject,
    parts: [
      paragraphPart(lead),
      factsPart(...reasonFacts(email.reason), timeFact(email.at)),
      isOpen
        ? linkPart("Go to your account", accountUrl(sender))
        : paragraphPart(appealSentence(sender)),
    ],
  };
}

const reasonFacts = (reason: string | null): EmailFact[] =>
  reason === null ? [] : [["Reason", reason]];

const appealSentence = (sender: SenderInfo): string =>
  `If you think this is a mistake, ${contactSentence(sender)}`;

const contactSentence = ({ contact }: SenderInfo): string =>
  contact === null ? "contact the operator." : `contact the operator: ${contact}`;

const statusSubject = (type: TransactionalEmailType): string =>
  type.startsWith("bot_")
    ? "your bot"
    : type.startsWith("account_")
      ? "your account"
      : "the security of your account";

function transactionalFooter({ type }: TransactionalEmail, sender: SenderInfo): string[] {
  const isLinkEmail = type === "signup" || type === "recovery" || type === "email_change";
  const isOperatorAlarm = type === "disk_full" || type === "store_away" || type === "mail_stopped";
  const reasonText = isLinkEmail
    ? "You got this email because someone entered your address there."
    : isOperatorAlarm
      ? "You get it regardless of your email preferences because you're an admin."
      : `You get emails about ${statusSubject(type)} regardless of your email preferences.`;
  const { baseUrl, contact } = sender;
  const operator = contact === null ? [] : [`Operator: ${contact}`];
  return [`Sent by ${baseUrl}. ${reasonText}`, ...operator];
}

/** Maximum length of a name in an email, in characters. */
const NAME_CHARS = 100;
const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Bidi control characters would reorder the text that follows. */
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Matches the dot in a host name, which is followed by two or more letters in any script. */
const HOST_DOT = /[.\u3002\uff0e\uff61\u2024](?=[\p{L}\p{M}]{2}|xn--)/giu;

/**
 * Writes `example.com` as `example[.]com`, because email clients turn host names into links, even
 * within names that other people chose. Handles may contain dots, so such names can't be rejected.
 */
const withoutLinks = (name: string): string =>
  name
    .replaceAll(HOST_DOT, "[.]")
    .replaceAll("://", "[://]")
    .replaceAll(/\bwww\./gi, "www[.]");

/** Returns a user-supplied name as a single line. */
export function toSingleLine(name: string): string {
  const characters = Array.from(
    name.replaceAll(CONTROL_CHARACTERS, " ").replaceAll(BIDI_CONTROLS, ""),
  );
  return characters.length > NAME_CHARS
    ? `${characters.slice(0, NAME_CHARS).join("")}…`
    : characters.join("");
}
