// A simulated mail server. It rejects some emails, loses responses, goes down and has outages.

import type { MailTransport, OutgoingEmail } from "#adapters/mail/mail-transport.ts";
import type { MailCategory } from "#core/mail/delivery.ts";
import type { EmailNotification } from "#core/mail/email-notification.ts";
import type { SeededDice } from "#testing/simulation/dice.ts";

import { neverSettles } from "./sender-process.ts";

export type ArrivedMail = {
  id: string;
  to: string;
  accountId: string;
  category: MailCategory;
  notice: EmailNotification;
  at: string;
};

export type MailServerDeps = {
  dice: SeededDice;
  isRefused: (to: string) => boolean;
  kill: () => void;
  recordAttempt: (email: ArrivedMail) => void;
  recordArrival: (email: ArrivedMail) => void;
};

export type MailServerOutage = "away" | "wrong_password" | "wrong_sender" | null;

const SMTP_ERRORS = {
  wrong_password: { code: "EAUTH", command: "AUTH PLAIN", responseCode: 535 },
  wrong_sender: { code: "EENVELOPE", command: "MAIL FROM", responseCode: 553 },
  no_such_mailbox: { code: "EENVELOPE", command: "RCPT TO", responseCode: 550 },
  too_large: { code: "EMESSAGE", command: "DATA", responseCode: 552 },
  gone: { code: "ECONNECTION", command: "CONN" },
} as const;

const rejectWith = (answer: keyof typeof SMTP_ERRORS) =>
  Promise.reject(Object.assign(new Error(answer), SMTP_ERRORS[answer]));

export function createMailServer({
  dice,
  isRefused,
  kill,
  recordAttempt,
  recordArrival,
}: MailServerDeps) {
  let outage: MailServerOutage = null;
  const transport: MailTransport = async (mail, signal) => {
    const email = parseEmail(mail);
    recordAttempt(email);
    if (outage === "away") return rejectWith("gone");
    if (outage !== null) return rejectWith(outage);
    if (isRefused(mail.to)) return rejectWith("no_such_mailbox");
    const chance = dice.draw();
    if (chance < 0.01) return rejectWith("too_large");
    if (chance < 0.02) return rejectWith("gone");
    if (chance < 0.03) return killSender(kill);
    recordArrival(email);
    if (chance < 0.06) return rejectWith("gone");
    if (chance < 0.08) return hangUntilAborted(signal);
    return chance < 0.1 ? killSender(kill) : 250;
  };
  return {
    carry: transport,
    setOutage: (nextOutage: MailServerOutage) => void (outage = nextOutage),
  };
}

const killSender = (kill: () => void) => {
  kill();
  return neverSettles<null>();
};

/** The server has accepted the email but doesn't respond until the sender times out. */
const hangUntilAborted = (signal: AbortSignal) =>
  new Promise<null>((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("cut short")), { once: true });
  });

/** Reads the notification from the email's text and the account from the unsubscribe link. */
function parseEmail({ id, to, rendered, unsubscribe = "", at }: OutgoingEmail): ArrivedMail {
  const notice = JSON.parse(rendered.text) as EmailNotification;
  const { accountId, category } = JSON.parse(unsubscribe) as Pick<
    ArrivedMail,
    "accountId" | "category"
  >;
  return { id, to, accountId, category, notice, at: at.toISOString() };
}
