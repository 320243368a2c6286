// Sends transactional email immediately and from memory (decision 18). Emails are never stored,
// because their links and codes sign people in. Failed emails are retried at growing intervals with
// the same Message-ID. The caller neither waits for the email nor learns of a failure.

import type { Clock } from "#base/clock/clock.ts";
import { openTokenBucket } from "#base/token-bucket/token-bucket.ts";
import { HOUR_US, SECOND_US, SECOND_MS } from "#base/util/time.ts";
import { isEmail } from "#core/accounts/email-address.ts";
import { isUrgentEmail, emailAtAge } from "#core/accounts/transactional-email.ts";
import type {
  TransactionalEmail,
  TransactionalEmailType,
  SenderInfo,
  SendTransactionalEmail,
  RenderTransactionalEmail,
} from "#core/accounts/transactional-email.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { EMPTY_TRANSACTIONAL_REPORT, retryDelayMs } from "#core/mail/transactional.ts";
import type { TransactionalReport } from "#core/mail/transactional.ts";

import { openEmailQueue } from "./email-queue.ts";
import type { EmailQueue, QueuedEmail } from "./email-queue.ts";
import { openEmailRetries } from "./email-retries.ts";
import type { EmailRetries } from "./email-retries.ts";
import { canRetry, toMailError, renderSafely } from "./mail-error.ts";
import type { MailError } from "./mail-error.ts";
import type { MailTransport } from "./mail-transport.ts";
import { openOutageTracker } from "./outage-tracker.ts";
import type { OutageListener, OutageTracker } from "./outage-tracker.ts";

export type MailerDeps = OutageListener & {
  write: RenderTransactionalEmail;
  sender: SenderInfo;
  transport: MailTransport;
  clock: Pick<Clock, "wall" | "now" | "after">;
  newId: () => string;
  /** Log entries never contain addresses, links or email text. */
  log: { warn: (facts: LoggedMailError, message: string) => void };
};

type LoggedMailError = Omit<MailError, "refused"> & {
  type: TransactionalEmailType;
  /** Seconds until the next attempt, or null if the email won't be retried. */
  retry_s: number | null;
};

export type Mailer = {
  send: SendTransactionalEmail;
  report: () => TransactionalReport;
  /**
   * Stops accepting emails. Resolves when the emails being sent have finished, or after
   * `mail_stop_s`.
   */
  stop: () => Promise<void>;
};

type MailerState = {
  readonly deps: MailerDeps;
  readonly queue: EmailQueue;
  readonly retries: EmailRetries;
  readonly sending: Map<Promise<void>, SendAttempt>;
  readonly outages: OutageTracker;
  readonly totals: MailerTotals;
  isOpen: boolean;
};

type SendAttempt = { email: QueuedEmail; controller: AbortController };
type MailerTotals = Omit<TransactionalReport, "waiting" | "retrying">;

export function openMailer(deps: MailerDeps): Mailer {
  const state: MailerState = {
    deps,
    queue: openEmailQueue(),
    retries: openEmailRetries(deps.clock, (email) => {
      enqueue(state, email);
      sendNext(state);
    }),
    sending: new Map(),
    outages: openOutageTracker(deps),
    totals: { ...EMPTY_TRANSACTIONAL_REPORT },
    isOpen: true,
  };
  const noticeThrottle = openTokenBucket(NOTICE_RATE);
  const isOverNoticeRate = (to: string, content: TransactionalEmail): boolean =>
    !isUrgentEmail(content) && noticeThrottle(noticeKey(to, content), deps.clock.now()) > 0;

  return {
    send: (to, content) => {
      if (!state.isOpen) return dropEmail(state, content, "STOPPED");
      if (!isEmail(to)) return dropEmail(state, content, "NO_ADDRESS");
      if (isOverNoticeRate(to, content)) return dropEmail(state, content, "TOO_OFTEN");
      const [id, at] = [deps.newId(), deps.clock.wall()];
      enqueue(state, { id, to, content, at, attempts: 0, sentBefore: null });
      return sendNext(state);
    },
    report: () => reportOf(state),
    stop: () => stop(state),
  };
}

function dropEmail(
  { deps, totals }: MailerState,
  { type }: TransactionalEmail,
  code: DropCode,
): void {
  totals[code === "TOO_OFTEN" ? "rate_limited" : "failed"] += 1;
  deps.log.warn({ type, outcome: "failed", code, response: null, retry_s: null }, NOT_SENT);
}

type DropCode = "STOPPED" | "NO_ADDRESS" | "TOO_OFTEN" | "TOO_MANY";
const NOT_SENT = "could not send email";

function enqueue(state: MailerState, email: QueuedEmail): void {
  const droppedEmail = state.queue.add(email);
  if (droppedEmail !== null) dropEmail(state, droppedEmail, "TOO_MANY");
}

function sendNext(state: MailerState): void {
  while (state.sending.size < FIXED_LIMITS.mails_at_once) {
    const nextEmail = state.queue.next();
    if (nextEmail === undefined) return;
    startSending(state, nextEmail);
  }
}

function startSending(state: MailerState, email: QueuedEmail): void {
  const { deps, sending } = state;
  const controller = new AbortController();
  const cancel = deps.clock.after(FIXED_LIMITS.mail_s * SECOND_MS, () => controller.abort());
  const sendDone = sendEmail(deps, email, controller.signal)
    .then(
      () => handleSent(state),
      (error: unknown) => handleFailure(state, email, toMailError(error)),
    )
    .finally(() => {
      cancel();
      sending.delete(sendDone);
      sendNext(state);
    });
  sending.set(sendDone, { email, controller });
}

async function sendEmail(
  { write, sender, transport, clock }: MailerDeps,
  { id, to, content, at }: QueuedEmail,
  signal: AbortSignal,
): Promise<void> {
  const currentContent = emailAtAge(content, clock.wall().getTime() - at.getTime());
  const rendered = renderSafely(() => write(currentContent, sender));
  await transport({ id, to, content: currentContent, at, rendered }, signal);
}

function handleSent(state: MailerState): void {
  const { deps, totals, outages, retries } = state;
  totals.sent += 1;
  totals.last_sent = deps.clock.wall().toISOString();
  const hasRecovered = outages.recordSent();
  if (hasRecovered) for (const email of retries.drain()) enqueue(state, email);
}

function handleFailure(state: MailerState, email: QueuedEmail, mailError: MailError): void {
  const { deps, totals, outages, retries } = state;
  const { refused, ...loggedFields } = mailError;
  const { code, response } = mailError;
  const canSucceed = canRetry(mailError);
  const delayMs = canSucceed ? retryAfterMs(state, email, response) : null;
  const willRetry = delayMs !== null && retries.add(email, delayMs);
  const retry_s = willRetry ? delayMs / SECOND_MS : null;
  deps.log.warn({ type: email.content.type, ...loggedFields, retry_s }, NOT_SENT);
  if (!willRetry) totals[canSucceed ? "given_up" : "failed"] += 1;
  totals.last_failure = { at: deps.clock.wall().toISOString(), code, response };
  if (canSucceed && state.isOpen) outages.recordFailure(email.to, refused);
}

/**
 * Returns the delay until the next attempt. Returns null if no attempts remain, or if the mail
 * server has permanently refused this email twice and accepted another email in between.
 */
function retryAfterMs(
  { totals, isOpen }: MailerState,
  email: QueuedEmail,
  response: number | null,
): number | null {
  const isPermanentlyRefused = response !== null && response >= PERMANENT_REPLY;
  const hasSentOthers = email.sentBefore !== null && email.sentBefore < totals.sent;
  email.attempts += 1;
  email.sentBefore = isPermanentlyRefused ? totals.sent : null;
  if (!isOpen || (isPermanentlyRefused && hasSentOthers)) return null;
  return retryDelayMs(email.attempts);
}

/** SMTP replies of 500 and above are permanent failures. */
const PERMANENT_REPLY = 500;

function reportOf({ queue, sending, retries, totals }: MailerState): TransactionalReport {
  const retryingCount = [...sending.values()].filter(({ email }) => email.attempts > 0).length;
  return {
    waiting: queue.size() + sending.size + retries.size(),
    retrying: queue.retrying() + retryingCount + retries.size(),
    ...totals,
  };
}

async function stop(state: MailerState): Promise<void> {
  const { deps, queue, sending, retries } = state;
  state.isOpen = false;
  let cancel = () => {};
  const timedOut = new Promise<void>((resolve) => {
    cancel = deps.clock.after(FIXED_LIMITS.mail_stop_s * SECOND_MS, resolve);
  });
  for (const { content } of retries.drain()) dropEmail(state, content, "STOPPED");
  const allSent = (async () => {
    while (sending.size > 0) await Promise.race(sending.keys());
  })();
  await Promise.race([allSent, timedOut]);
  cancel();
  for (const { content } of queue.drain()) dropEmail(state, content, "STOPPED");
  for (const { controller } of sending.values()) controller.abort();
}

const NOTICE_RATE = {
  perSecond: (FIXED_LIMITS.mail_news_per_hour * SECOND_US) / HOUR_US,
  burst: FIXED_LIMITS.mail_news_per_hour,
};

/**
 * Notices are limited per type, so that many new keys can't suppress the notice of a new password.
 */
const noticeKey = (to: string, { type }: TransactionalEmail): string =>
  `${type} ${to.toLowerCase()}`;
