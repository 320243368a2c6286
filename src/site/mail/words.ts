// What letters say. Text and HTML are made from the same content, so they cannot differ.

import type {
  Letter,
  LetterOf,
  LetterType,
  OperatorLetter,
  Sender,
} from "#core/accounts/letter.ts";
import { utcWords } from "#site/look/when-words.ts";

export type LetterPart =
  | { kind: "words"; text: string }
  | { kind: "step"; label: string; href: string }
  /** Six digits, below the words that lead to them. */
  | { kind: "digits"; text: string }
  | { kind: "facts"; rows: readonly Fact[] };

export type Fact = readonly [name: string, value: string];

export type Content = {
  /**
   * Also the title. Of texts from people only names of bots are in it, which are plain ASCII,
   * and on one line titles of announcements and names of events and achievements.
   */
  subject: string;
  parts: readonly LetterPart[];
  /** What stands below the letter. */
  foot: readonly string[];
  /** Where the reader refuses letters like this one; none in letters that nobody can refuse. */
  refusal?: { label: string; href: string };
};

type Steps = LetterOf<"signup" | "recovery" | "email_change">;
type Writers = {
  [T in LetterType]: (letter: LetterOf<T>, sender: Sender) => Omit<Content, "foot">;
};

const WRITERS: Writers = {
  signup: (letter, sender) => ({
    subject: "Confirm your email address",
    parts: stepParts(letter, {
      lead: `Someone signed up at ${hostOf(sender)} with this email address. If that was you, confirm it. Where you signed up, the link signs you in. In any other browser, you choose a password.`,
      label: "Confirm email address",
      end: "If it wasn't you, ignore this email. Nobody can use an account with your address unless you confirm it.",
    }),
  }),
  recovery: (letter, sender) => ({
    subject: "Reset your password",
    parts: stepParts(letter, {
      lead: `Someone asked to reset the password of your account at ${hostOf(sender)}. If that was you, choose a new one. The link works in any browser.`,
      label: "Choose a new password",
      end: "If it wasn't you, ignore this email. Your password stays the same.",
    }),
  }),
  email_change: (letter, sender) => ({
    subject: "Confirm your new email address",
    parts: stepParts(letter, {
      lead: `${sentence(ownerWords(letter))} at ${hostOf(sender)} asked to change its email address to this one. If that account is yours, open the link in the browser where you asked.`,
      label: "Confirm new email address",
      end: "Confirming gives your address to that account: it then signs in with this address, and keeps its password. You don't get an account of your own by it. If the account isn't yours, ignore this email and nothing changes.",
    }),
  }),
  email_in_use: (letter, sender) =>
    letter.attempt === "signup" ? signedUpAgain(letter, sender) : refusedChange(letter, sender),
  email_changed: ({ at }, sender) => ({
    subject: "Your address was changed",
    parts: [
      words(
        `Your account at ${hostOf(sender)} has another address now. No more mail comes to this one.`,
      ),
      facts(when(at)),
      words(`If it was not you, somebody may have taken your account: ${tell(sender)}`),
    ],
  }),
  password_changed: ({ at }, sender) => ({
    subject: "Your password was changed",
    parts: [
      words(
        `The password of your account at ${hostOf(sender)} was changed, and all other sessions have ended.`,
      ),
      facts(when(at)),
      words(`If it was not you, ask for a new password at once, and ${tell(sender)}`),
      step("Go to your account", accountOf(sender)),
    ],
  }),
  session_ended: ({ at, app }, sender) => ({
    subject: "We ended one of your sessions",
    parts: [
      words(
        app === null
          ? `An old sign-in token of your account at ${hostOf(sender)} was used again. This can mean that someone copied it, so we ended that session. Sign in again to continue.`
          : `An old token that an app holds for your account at ${hostOf(sender)} was used again. This can mean that someone copied it, so we ended the app's session. Connect the app again to continue.`,
      ),
      facts(...(app === null ? [] : ([["App", withoutLinks(oneLine(app))]] as const)), when(at)),
      words("If you don't recognize this, change your password and check your connected apps."),
      step("Go to your account", accountOf(sender)),
    ],
  }),
  new_key: ({ at, label }, sender) => ({
    subject: "A new agent key for your account",
    parts: [
      words(
        `An agent key was made for your account at ${hostOf(sender)}. Whoever has it may register and delete your bots.`,
      ),
      facts(["Label", oneLine(label)], when(at)),
      words("If it was not you, revoke the key and choose a new password."),
      step("See your keys", accountOf(sender)),
    ],
  }),
  new_program: ({ at, program }, sender) => ({
    subject: "A program may use your account",
    parts: [
      words(`A program was let in to your account at ${hostOf(sender)}. It may act on your bots.`),
      facts(["It calls itself", withoutLinks(oneLine(program))], when(at)),
      words("If it was not you, take this back and choose a new password."),
      step("See your programs", accountOf(sender)),
    ],
  }),
  bot_suspended: (letter, sender) =>
    aboutBot(letter, sender, {
      subject: "is suspended",
      lead: "An operator has suspended your bot. It is off the leaderboard and plays no match until an operator lets it play again.",
    }),
  bot_activated: (letter, sender) =>
    aboutBot(letter, sender, {
      subject: "may play again",
      lead: "An operator has lifted the suspension of your bot. Connect it, and it plays again.",
    }),
  bot_banned: (letter, sender) =>
    aboutBot(letter, sender, {
      subject: "is banned",
      lead: "An operator has banned your bot for good. It is off the leaderboard; its page and its matches stay.",
    }),
  account_banned: (letter, sender) =>
    aboutAccount(letter, sender, {
      subject: "Your account is banned",
      lead: `An operator has banned your account at ${hostOf(sender)}. Your bots are off the leaderboard and play no match, and your keys open nothing.`,
    }),
  account_unbanned: (letter, sender) =>
    aboutAccount(letter, sender, {
      subject: "Your account is open again",
      lead: `An operator has lifted the ban of your account at ${hostOf(sender)}. Your bots are back as they were; connect them, and they play again.`,
    }),
  account_removed: (letter, sender) =>
    aboutAccount(letter, sender, {
      subject: "Your account was removed",
      lead: `An operator has removed your account at ${hostOf(sender)} for good, with its keys and programs. Bots that never played are deleted, and the others are banned.`,
    }),
  disk_full: (letter, sender) =>
    alarm(letter, sender, {
      subject: "The disk of the ladder is full",
      lead: "The ladder cannot store anything: its disk is full. Results wait in memory, no new match starts, and a stop would lose what waits. Make room, and it goes on by itself.",
    }),
  store_away: (letter, sender) =>
    alarm(letter, sender, {
      subject: "The database of the ladder does not answer",
      lead: "The ladder has not reached its database for a minute. Results wait in memory, no new match starts, and a stop would lose what waits. Once the database answers, it goes on by itself.",
    }),
  mail_stopped: (letter, sender) =>
    alarm(letter, sender, {
      subject: "Mail of the ladder is stopped",
      lead: "The mail server has refused letters, or they did not arrive, and mail that people may refuse waits. Warnings to admins are among it. The console shows the cause; mend it, and let mail go on there.",
    }),
};

type InUse = LetterOf<"email_in_use">;

const ownerWords = ({ handle }: { handle: string | null }): string =>
  handle === null ? "an account without a handle" : `the account ${withoutLinks(handle)}`;

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function signedUpAgain(letter: InUse, sender: Sender): Omit<Content, "foot"> {
  const lead = `Someone tried to sign up at ${hostOf(sender)} with this email address, but it already belongs to ${ownerWords(letter)}. Nothing changed.`;
  const advice =
    "If that was you, sign in instead. If you've forgotten your password, reset it there. If it wasn't you, ignore this email.";
  const parts = [words(lead), facts(when(letter.at)), words(advice)];
  return {
    subject: "You already have an account",
    parts: [...parts, step("Sign in", accountOf(sender))],
  };
}

function refusedChange(letter: InUse, sender: Sender): Omit<Content, "foot"> {
  const lead = `${sentence(ownerWords(letter))} at ${hostOf(sender)} asked to change its email address to this one. We refused, because the address belongs to another account or is reserved. Nothing changed.`;
  const parts = [words(lead), facts(when(letter.at)), words("You don't need to do anything.")];
  return { subject: "Someone tried to use your email address", parts };
}

/** What admins are told at once. */
function alarm({ at }: LetterOf<OperatorLetter["type"]>, sender: Sender, { subject, lead }: Told) {
  const told = "The log of the server says more. Of one kind there is one such letter an hour.";
  const parts = [words(lead), facts(["Ladder", hostOf(sender)], when(at)), words(told)];
  return { subject, parts };
}

export function contentOf(letter: Letter, sender: Sender): Content {
  // The type of a letter finds its own writer, which TypeScript cannot follow.
  const write = WRITERS[letter.type] as (letter: Letter, sender: Sender) => Omit<Content, "foot">;
  return { ...write(letter, sender), foot: footOf(letter, sender) };
}

export const words = (text: string): LetterPart => ({ kind: "words", text });
export const facts = (...rows: Fact[]): LetterPart => ({ kind: "facts", rows });
export const step = (label: string, href: string): LetterPart => ({ kind: "step", label, href });
const when = (at: string): Fact => ["When", utcWords(at, "minute")];

export const hostOf = ({ baseUrl }: Sender): string => new URL(baseUrl).host;
export const accountOf = ({ baseUrl }: Sender): string => `${baseUrl}/account`;

function stepParts(
  { link, code, linkHours, codeMinutes }: Steps,
  { lead, label, end }: { lead: string; label: string; end: string },
): LetterPart[] {
  const codeWords = code === null ? "" : ` The code works within ${codeMinutes} minutes.`;
  return [
    words(lead),
    step(label, link),
    ...(code === null ? [] : codeParts(code)),
    words(`The link works once, within ${linkHours} hours.${codeWords}`),
    words(end),
  ];
}

const codeParts = (code: string): LetterPart[] => [
  words("If a page asks for the 6-digit code:"),
  { kind: "digits", text: code },
];

type Told = { subject: string; lead: string };

function aboutBot(
  letter: LetterOf<"bot_suspended" | "bot_activated" | "bot_banned">,
  sender: Sender,
  { subject, lead }: Told,
): Omit<Content, "foot"> {
  const { bot, at, reason } = letter;
  return {
    subject: `Your bot ${bot} ${subject}`,
    parts: [
      words(lead),
      facts(["Bot", bot], ["Ladder", hostOf(sender)], ...reasonRows(reason), when(at)),
      ...(letter.type === "bot_activated" ? [] : [words(objection(sender))]),
      step(`See the page of ${bot}`, `${sender.baseUrl}/bot/${encodeURIComponent(bot)}`),
    ],
  };
}

function aboutAccount(
  letter: LetterOf<"account_banned" | "account_unbanned" | "account_removed">,
  sender: Sender,
  { subject, lead }: Told,
): Omit<Content, "foot"> {
  const isOpen = letter.type === "account_unbanned";
  return {
    subject,
    parts: [
      words(lead),
      facts(...reasonRows(letter.reason), when(letter.at)),
      isOpen ? step("Go to your account", accountOf(sender)) : words(objection(sender)),
    ],
  };
}

const reasonRows = (reason: string | null): Fact[] => (reason === null ? [] : [["Reason", reason]]);

const objection = (sender: Sender): string => `If you think that this is wrong, ${tell(sender)}`;

const tell = ({ contact }: Sender): string =>
  contact === null ? "tell the operator of the ladder." : `tell the operator: ${contact}`;

const subjectOf = (type: LetterType): string =>
  type.startsWith("bot_")
    ? "your bot"
    : type.startsWith("account_")
      ? "your account"
      : "the safety of your account";

function footOf({ type }: Letter, sender: Sender): string[] {
  const isStep = type === "signup" || type === "recovery" || type === "email_change";
  const isAlarm = type === "disk_full" || type === "store_away" || type === "mail_stopped";
  const why = isStep
    ? "It came because this address was typed in there."
    : isAlarm
      ? "You are an admin of it, so it comes whatever mail you chose."
      : `It is about ${subjectOf(type)}, so it comes whatever mail you chose.`;
  const { baseUrl, contact } = sender;
  const operator = contact === null ? [] : [`The operator: ${contact}`];
  return [`A letter from ${baseUrl}. ${why}`, ...operator];
}

/** Characters of a name in a letter. */
const NAME_CHARS = 100;
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** They turn the direction of what follows, also of our own words. */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The dot of a host name: two letters or more follow, in any script. */
const HOST_DOT = /[.\u3002\uff0e\uff61\u2024](?=[\p{L}\p{M}]{2}|xn--)/giu;

/**
 * Writes `example.com` as `example[.]com`, since mail clients turn host names in names that others
 * chose into links. Handles can hold dots, so such names can't be refused.
 */
const withoutLinks = (name: string): string =>
  name
    .replaceAll(HOST_DOT, "[.]")
    .replaceAll("://", "[://]")
    .replaceAll(/\bwww\./gi, "www[.]");

/** A name that somebody else chose, on one line. */
export function oneLine(name: string): string {
  const chars = Array.from(name.replaceAll(CONTROLS, " ").replaceAll(TURNS, ""));
  return chars.length > NAME_CHARS ? `${chars.slice(0, NAME_CHARS).join("")}…` : chars.join("");
}
