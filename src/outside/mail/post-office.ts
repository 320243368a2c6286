// The first lane of mail: letters go out at once and from memory. None is stored, none is tried
// again, and the caller who hands one over never waits or hears of a failure: it can be asked for again.
// Letters that somebody waits for go before those that only tell, which are few for each mailbox.

import type { Clock } from "#base/clock/clock.ts";
import { openThrottle } from "#base/token-bucket/token-bucket.ts";
import { HOUR, SECOND, SECOND_MS } from "#base/units/time.ts";
import { isEmail } from "#core/accounts/email.ts";
import { isUrgent } from "#core/accounts/letter.ts";
import type {
  Letter,
  LetterType,
  Sender,
  SendLetter,
  WriteLetter,
  WrittenLetter,
} from "#core/accounts/letter.ts";
import type { RefusedPart } from "#core/mail/incident.ts";
import { FIXED } from "#core/words/limits.ts";

import type { Carrier } from "./carrier.ts";
import { openLetterQueue } from "./letter-queue.ts";
import type { WaitingLetter } from "./letter-queue.ts";

export type PostOfficeDeps = {
  write: WriteLetter;
  sender: Sender;
  carry: Carrier;
  clock: Pick<Clock, "wall" | "now" | "after">;
  /** Returns a UUID. */
  newId: () => string;
  /** Is told of failures, by codes alone: neither addresses, links nor words of a letter. */
  log: { warn: (facts: MailFault, message: string) => void };
};

/** Why a letter did not arrive. After `unknown` it may have, nevertheless. */
type MailFault = {
  type: LetterType;
  outcome: "failed" | "unknown";
  /** Ours, nodemailer's or the system's. */
  code: string;
  /** What the mail server answered, if it did. */
  response: number | null;
};

export type PostOffice = {
  send: SendLetter;
  /** Takes no more letters, and resolves when those on their way have arrived, or soon after. */
  stop: () => Promise<void>;
};

export function openPostOffice(deps: PostOfficeDeps): PostOffice {
  const { clock, log } = deps;
  const waiting = openLetterQueue();
  const newsThrottle = openThrottle(NEWS_RATE);
  const underWay = new Map<Promise<void>, AbortController>();
  let isOpen = true;

  const lose = ({ type }: Letter, code: string) =>
    log.warn({ type, outcome: "failed", code, response: null }, NOT_SENT);

  function begin({ to, letter, at }: WaitingLetter): void {
    const controller = new AbortController();
    const cancel = clock.after(FIXED.mail_s * SECOND_MS, () => controller.abort());
    const done = deliver(deps, { to, letter, at }, controller.signal)
      .catch((error: unknown) => {
        const { refused: _, ...fault } = faultOf(error);
        log.warn({ type: letter.type, ...fault }, NOT_SENT);
      })
      .finally(() => {
        cancel();
        underWay.delete(done);
        goOn();
      });
    underWay.set(done, controller);
  }

  function goOn(): void {
    while (underWay.size < FIXED.mails_at_once) {
      const next = waiting.next();
      if (next === undefined) return;
      begin(next);
    }
  }

  async function stop(): Promise<void> {
    isOpen = false;
    let cancel = () => {};
    const isLate = new Promise<void>((resolve) => {
      cancel = clock.after(FIXED.mail_stop_s * SECOND_MS, resolve);
    });
    const isEmpty = (async () => {
      while (underWay.size > 0) await Promise.race(underWay.keys());
    })();
    await Promise.race([isEmpty, isLate]);
    cancel();
    for (const { letter } of waiting.empty()) lose(letter, "STOPPED");
    for (const controller of underWay.values()) controller.abort();
  }

  return {
    send: (to, letter) => {
      if (!isOpen) return lose(letter, "STOPPED");
      if (!isEmail(to)) return lose(letter, "NO_ADDRESS");
      if (!isUrgent(letter) && newsThrottle(newsOf(to, letter), clock.now()) > 0)
        return lose(letter, "TOO_OFTEN");
      const lost = waiting.add({ to, letter, at: clock.wall() });
      if (lost !== null) lose(lost, "TOO_MANY");
      return goOn();
    },
    stop,
  };
}

const NEWS_RATE = {
  perSecond: (FIXED.mail_news_per_hour * SECOND) / HOUR,
  burst: FIXED.mail_news_per_hour,
};

/** By type, so that nobody hides a new password behind many new keys. */
const newsOf = (to: string, { type }: Letter): string => `${type} ${to.toLowerCase()}`;

const NOT_SENT = "a mail was not sent";

async function deliver(
  { write, sender, carry, newId }: PostOfficeDeps,
  { to, letter, at }: WaitingLetter,
  signal: AbortSignal,
): Promise<void> {
  const written = wordsOf(() => write(letter, sender));
  await carry({ id: newId(), to, letter, at, written }, signal);
}

/** What goes wrong with the words of a letter may quote them, so it becomes a code. */
export function wordsOf(write: () => WrittenLetter): WrittenLetter {
  try {
    return write();
  } catch {
    throw Object.assign(new Error("a letter could not be written"), { code: "NOT_WRITTEN" });
  }
}

const CODE = /^[A-Z][A-Z0-9_]{1,39}$/;
/** Faults of the letter itself, or of the file; of all others a network may be the cause. */
const NOTHING_SENT: ReadonlySet<string> = new Set([
  "NOT_WRITTEN",
  "EENVELOPE",
  "EMESSAGE",
  "EACCES",
  "EDQUOT",
  "ENOENT",
  "ENOSPC",
  "EROFS",
]);

/** An answer of the mail server says that it did not take the letter; without one nobody knows. */
export function faultOf(error: unknown): Omit<MailFault, "type"> & { refused: RefusedPart } {
  const given = (error ?? {}) as { code?: unknown; responseCode?: unknown; command?: unknown };
  const { code, responseCode } = given;
  const response = Number.isInteger(responseCode) ? (responseCode as number) : null;
  const known = typeof code === "string" && CODE.test(code) ? code : "UNKNOWN";
  const isSure = response !== null || NOTHING_SENT.has(known);
  const refused = refusedBy(known, given.command, response);
  return { outcome: isSure ? "failed" : "unknown", code: known, response, refused };
}

/** Answers from here on are for good. */
const REFUSED_FOR_GOOD = 500;

function refusedBy(code: string, command: unknown, response: number | null): RefusedPart {
  if (response === null || response < REFUSED_FOR_GOOD) return null;
  if (code === "EAUTH") return "login";
  if (code !== "EENVELOPE") return null;
  return command === "MAIL FROM" ? "sender" : command === "RCPT TO" ? "recipient" : null;
}
