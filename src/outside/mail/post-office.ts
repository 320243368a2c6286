// Transactional email: sent at once, from memory (decision 18). None is stored, because its links and
// codes sign people in. An email that was not sent is retried with growing delays, under the same
// Message-ID, and its sender neither waits nor learns of a failure. Urgent emails are sent first.

import type { Clock } from "#base/clock/clock.ts";
import { openThrottle } from "#base/token-bucket/token-bucket.ts";
import { HOUR, SECOND, SECOND_MS } from "#base/units/time.ts";
import { isEmail } from "#core/accounts/email.ts";
import { isUrgent, letterAfter } from "#core/accounts/letter.ts";
import type { Letter, LetterType, Sender, SendLetter, WriteLetter } from "#core/accounts/letter.ts";
import { NO_EMAILS, retryDelayMs } from "#core/mail/transactional.ts";
import type { TransactionalReport } from "#core/mail/transactional.ts";
import { FIXED } from "#core/words/limits.ts";

import type { Carrier } from "./carrier.ts";
import { canRetry, faultOf, wordsOf } from "./fault.ts";
import type { MailFault } from "./fault.ts";
import { openLetterQueue } from "./letter-queue.ts";
import type { LetterQueue, WaitingLetter } from "./letter-queue.ts";
import { openOutageTracker } from "./outage-tracker.ts";
import type { OutageListener, OutageTracker } from "./outage-tracker.ts";
import { openRetries } from "./retries.ts";
import type { Retries } from "./retries.ts";

export type PostOfficeDeps = OutageListener & {
  write: WriteLetter;
  sender: Sender;
  carry: Carrier;
  clock: Pick<Clock, "wall" | "now" | "after">;
  /** Returns a UUID. */
  newId: () => string;
  /** Gets codes alone: neither addresses, links nor text of an email. */
  log: { warn: (facts: LoggedFault, message: string) => void };
};

type LoggedFault = Omit<MailFault, "refused"> & {
  type: LetterType;
  /** Seconds until the next attempt; null if there is none. */
  retry_s: number | null;
};

export type PostOffice = {
  send: SendLetter;
  report: () => TransactionalReport;
  /** Takes no more emails, and resolves when those being sent have arrived, or soon after. */
  stop: () => Promise<void>;
};

type State = {
  readonly deps: PostOfficeDeps;
  readonly waiting: LetterQueue;
  readonly retries: Retries;
  readonly sending: Map<Promise<void>, Attempt>;
  readonly outages: OutageTracker;
  readonly totals: Totals;
  isOpen: boolean;
};

type Attempt = { email: WaitingLetter; controller: AbortController };
type Totals = Omit<TransactionalReport, "waiting" | "retrying">;

export function openPostOffice(deps: PostOfficeDeps): PostOffice {
  const state: State = {
    deps,
    waiting: openLetterQueue(),
    retries: openRetries(deps.clock, (email) => {
      enqueue(state, email);
      sendNext(state);
    }),
    sending: new Map(),
    outages: openOutageTracker(deps),
    totals: { ...NO_EMAILS },
    isOpen: true,
  };
  const newsThrottle = openThrottle(NEWS_RATE);
  const isTooMuchNews = (to: string, letter: Letter): boolean =>
    !isUrgent(letter) && newsThrottle(newsOf(to, letter), deps.clock.now()) > 0;

  return {
    send: (to, letter) => {
      if (!state.isOpen) return lose(state, letter, "STOPPED");
      if (!isEmail(to)) return lose(state, letter, "NO_ADDRESS");
      if (isTooMuchNews(to, letter)) return lose(state, letter, "TOO_OFTEN");
      const [id, at] = [deps.newId(), deps.clock.wall()];
      enqueue(state, { id, to, letter, at, attempts: 0, sentBefore: null });
      return sendNext(state);
    },
    report: () => reportOf(state),
    stop: () => stop(state),
  };
}

function lose({ deps, totals }: State, { type }: Letter, code: LossCode): void {
  totals[code === "TOO_OFTEN" ? "rate_limited" : "failed"] += 1;
  deps.log.warn({ type, outcome: "failed", code, response: null, retry_s: null }, NOT_SENT);
}

type LossCode = "STOPPED" | "NO_ADDRESS" | "TOO_OFTEN" | "TOO_MANY";
const NOT_SENT = "a mail was not sent";

function enqueue(state: State, email: WaitingLetter): void {
  const lost = state.waiting.add(email);
  if (lost !== null) lose(state, lost, "TOO_MANY");
}

function sendNext(state: State): void {
  while (state.sending.size < FIXED.mails_at_once) {
    const next = state.waiting.next();
    if (next === undefined) return;
    begin(state, next);
  }
}

function begin(state: State, email: WaitingLetter): void {
  const { deps, sending } = state;
  const controller = new AbortController();
  const cancel = deps.clock.after(FIXED.mail_s * SECOND_MS, () => controller.abort());
  const done = deliver(deps, email, controller.signal)
    .then(
      () => accepted(state),
      (error: unknown) => failed(state, email, faultOf(error)),
    )
    .finally(() => {
      cancel();
      sending.delete(done);
      sendNext(state);
    });
  sending.set(done, { email, controller });
}

async function deliver(
  { write, sender, carry, clock }: PostOfficeDeps,
  { id, to, letter, at }: WaitingLetter,
  signal: AbortSignal,
): Promise<void> {
  const current = letterAfter(letter, clock.wall().getTime() - at.getTime());
  const written = wordsOf(() => write(current, sender));
  await carry({ id, to, letter: current, at, written }, signal);
}

function accepted(state: State): void {
  const { deps, totals, outages, retries } = state;
  totals.sent += 1;
  totals.last_sent = deps.clock.wall().toISOString();
  const isRecovered = outages.accepted();
  if (isRecovered) for (const email of retries.empty()) enqueue(state, email);
}

function failed(state: State, email: WaitingLetter, fault: MailFault): void {
  const { deps, totals, outages, retries } = state;
  const { refused, ...logged } = fault;
  const { code, response } = fault;
  const canSucceed = canRetry(fault);
  const delayMs = canSucceed ? retryAfterMs(state, email, response) : null;
  const isRetried = delayMs !== null && retries.add(email, delayMs);
  const retry_s = isRetried ? delayMs / SECOND_MS : null;
  deps.log.warn({ type: email.letter.type, ...logged, retry_s }, NOT_SENT);
  if (!isRetried) totals[canSucceed ? "given_up" : "failed"] += 1;
  totals.last_failure = { at: deps.clock.wall().toISOString(), code, response };
  if (canSucceed && state.isOpen) outages.failed(email.to, refused);
}

/**
 * Returns null when no attempt is left, or when the mail server refused this email for good twice
 * and accepted another one in between.
 */
function retryAfterMs(
  { totals, isOpen }: State,
  email: WaitingLetter,
  response: number | null,
): number | null {
  const isRefused = response !== null && response >= REFUSED_FOR_GOOD;
  const wereOthersSent = email.sentBefore !== null && email.sentBefore < totals.sent;
  email.attempts += 1;
  email.sentBefore = isRefused ? totals.sent : null;
  if (!isOpen || (isRefused && wereOthersSent)) return null;
  return retryDelayMs(email.attempts);
}

/** Replies from here on are permanent. */
const REFUSED_FOR_GOOD = 500;

function reportOf({ waiting, sending, retries, totals }: State): TransactionalReport {
  const again = [...sending.values()].filter(({ email }) => email.attempts > 0).length;
  return {
    waiting: waiting.size() + sending.size + retries.size(),
    retrying: waiting.retrying() + again + retries.size(),
    ...totals,
  };
}

async function stop(state: State): Promise<void> {
  const { deps, waiting, sending, retries } = state;
  state.isOpen = false;
  let cancel = () => {};
  const isLate = new Promise<void>((resolve) => {
    cancel = deps.clock.after(FIXED.mail_stop_s * SECOND_MS, resolve);
  });
  for (const { letter } of retries.empty()) lose(state, letter, "STOPPED");
  const isEmpty = (async () => {
    while (sending.size > 0) await Promise.race(sending.keys());
  })();
  await Promise.race([isEmpty, isLate]);
  cancel();
  for (const { letter } of waiting.empty()) lose(state, letter, "STOPPED");
  for (const { controller } of sending.values()) controller.abort();
}

const NEWS_RATE = {
  perSecond: (FIXED.mail_news_per_hour * SECOND) / HOUR,
  burst: FIXED.mail_news_per_hour,
};

/** By type, so that nobody hides a new password behind many new keys. */
const newsOf = (to: string, { type }: Letter): string => `${type} ${to.toLowerCase()}`;
