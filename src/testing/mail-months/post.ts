// The mail server of the months: it takes letters, refuses them, loses its answers, goes away, and
// has spells in which nothing works.

import type { MailCategory } from "#core/mail/delivery.ts";
import type { MailNotice } from "#core/mail/notice.ts";
import type { Carrier, Mail } from "#outside/mail/carrier.ts";
import type { SeededDice } from "#testing/simulation/dice.ts";

import { never } from "./life.ts";

/** A letter as its reader has it. */
export type ArrivedMail = {
  id: string;
  to: string;
  accountId: string;
  category: MailCategory;
  notice: MailNotice;
  at: string;
};

export type PostDeps = {
  dice: SeededDice;
  /** Whether the mailbox refuses everything. */
  isRefused: (to: string) => boolean;
  /** Kills the process that sends. */
  kill: () => void;
  handed: (letter: ArrivedMail) => void;
  arrived: (letter: ArrivedMail) => void;
};

export type Spell = "away" | "wrong_password" | "wrong_sender" | null;

const ANSWERS = {
  wrong_password: { code: "EAUTH", command: "AUTH PLAIN", responseCode: 535 },
  wrong_sender: { code: "EENVELOPE", command: "MAIL FROM", responseCode: 553 },
  no_such_mailbox: { code: "EENVELOPE", command: "RCPT TO", responseCode: 550 },
  too_large: { code: "EMESSAGE", command: "DATA", responseCode: 552 },
  gone: { code: "ECONNECTION", command: "CONN" },
} as const;

const fail = (answer: keyof typeof ANSWERS) =>
  Promise.reject(Object.assign(new Error(answer), ANSWERS[answer]));

export function openPost({ dice, isRefused, kill, handed, arrived }: PostDeps) {
  let spell: Spell = null;
  const carry: Carrier = async (mail, signal) => {
    const letter = arrivalOf(mail);
    handed(letter);
    if (spell === "away") return fail("gone");
    if (spell !== null) return fail(spell);
    if (isRefused(mail.to)) return fail("no_such_mailbox");
    const chance = dice.draw();
    if (chance < 0.01) return fail("too_large");
    if (chance < 0.02) return fail("gone");
    if (chance < 0.03) return killed(kill);
    arrived(letter);
    if (chance < 0.06) return fail("gone");
    if (chance < 0.08) return silent(signal);
    return chance < 0.1 ? killed(kill) : 250;
  };
  return { carry, change: (to: Spell) => void (spell = to) };
}

const killed = (kill: () => void) => {
  kill();
  return never<null>();
};

/** It took the letter and says nothing until the sender gives up. */
const silent = (signal: AbortSignal) =>
  new Promise<null>((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("cut short")), { once: true });
  });

/** The words of a letter are its notice, and its link says whose it is. */
function arrivalOf({ id, to, written, unsubscribe = "", at }: Mail): ArrivedMail {
  const notice = JSON.parse(written.text) as MailNotice;
  const { accountId, category } = JSON.parse(unsubscribe) as Pick<
    ArrivedMail,
    "accountId" | "category"
  >;
  return { id, to, accountId, category, notice, at: at.toISOString() };
}
