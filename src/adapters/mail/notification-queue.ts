// Sends notifications (optional email) from the store one at a time. One transaction marks an email
// as being sent, and a second stores the outcome. An email that may have arrived is never sent
// again.

import { abortableDelay } from "#base/clock/abortable-delay.ts";
import type { Clock } from "#base/clock/clock.ts";
import { increment } from "#base/util/named-counts.ts";
import type { NamedCounts } from "#base/util/named-counts.ts";
import { SECOND_MS } from "#base/util/time.ts";
import type { SenderInfo } from "#core/accounts/transactional-email.ts";
import { SYSTEM_ACTOR } from "#core/ids/audit-kinds.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { DeliveryResult } from "#core/mail/delivery.ts";
import type { RenderNotification } from "#core/mail/email-notification.ts";
import type { UnsubscribeRequest } from "#core/mail/unsubscribe.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { StartedDelivery as Begun, DeliveryOutcome } from "#data/store/delivery.ts";
import type { Store } from "#data/store/store.ts";

import { toMailError, renderSafely } from "./mail-error.ts";
import type { MailTransport } from "./mail-transport.ts";

export type NotificationQueueDeps = {
  store: Pick<Store, "deliveries">;
  write: RenderNotification;
  sender: SenderInfo;
  transport: MailTransport;
  /** Domain of the Message-ID headers. */
  host: string;
  unsubscribeLinkOf: (unsubscribe: UnsubscribeRequest) => string;
  deliveryResults: NamedCounts<DeliveryResult | "skipped">;
  clock: Clock;
  newId: () => string;
  /** Log entries never contain addresses or email text. */
  log: {
    warn: (fields: object, message: string) => void;
    error: (fields: object, message: string) => void;
  };
};

export type NotificationQueue = {
  /** Stops after the current email, which gets up to `mail_stop_s` to finish. */
  stop: () => Promise<void>;
};

const IDLE_MS = 2000;
/** Delay before retrying a failed store call. */
const RETRY_MS = 5000;

type ToSend = Exclude<Begun, { skipped: unknown }>;

export function openNotificationQueue(deps: NotificationQueueDeps): NotificationQueue {
  const { clock, log } = deps;
  const shutdown = new AbortController();
  const { signal } = shutdown;

  /** Retries a store call until it succeeds. Resolves with null if the queue stops first. */
  async function retryUntilStored<T>(job: () => Promise<T>): Promise<T | null> {
    while (!signal.aborted)
      try {
        return await job();
      } catch (error) {
        log.error({ error }, "could not update email delivery; retrying");
        await abortableDelay(clock, signal, RETRY_MS);
      }
    return null;
  }

  const nowInstant = () => clock.wall().toISOString();
  const sendLoop = (async () => {
    await retryUntilStored(() => deps.store.deliveries.interrupt(nowInstant()));
    while (!signal.aborted) {
      const delivery = await retryUntilStored(() =>
        deps.store.deliveries.begin(nowInstant(), deps.host),
      );
      if (delivery === null) await abortableDelay(clock, signal, IDLE_MS);
      else if ("skipped" in delivery) increment(deps.deliveryResults, "skipped");
      else await send(delivery);
    }
  })();

  async function send(delivery: ToSend): Promise<void> {
    const startedAt = clock.now();
    const outcome = await outcomeOf(deps, delivery, signal);
    await recordOutcome(delivery.id, outcome);
    increment(deps.deliveryResults, outcome.state);
    const elapsedMs = (clock.now() - startedAt) / 1000;
    await abortableDelay(
      clock,
      signal,
      Math.max(0, FIXED_LIMITS.optional_mail_every_ms - elapsedMs),
    );
  }

  /**
   * Stores the outcome, with at least one attempt even while stopping. If the outcome can't be
   * stored, the next start marks the email as unknown.
   */
  async function recordOutcome(id: string, outcome: DeliveryOutcome): Promise<void> {
    const audit = entryOf(deps, outcome.at);
    const storeOutcome = () => deps.store.deliveries.end(id, outcome, audit);
    const incident = await storeOutcome().catch(() => retryUntilStored(storeOutcome));
    if (incident === null) return;
    // Logged as an error, because no email can reach the admins while the login is refused.
    const level = incident.cause === "login_refused" ? "error" : "warn";
    log[level]({ ...incident }, "optional email stopped");
  }

  return {
    stop: async () => {
      shutdown.abort();
      await sendLoop;
    },
  };
}

const entryOf = ({ newId }: NotificationQueueDeps, at: string): AuditEntry => ({
  id: newId(),
  at,
  kind: "mail.incident",
  actor: SYSTEM_ACTOR,
  subject: null,
  reason: null,
  detail: null,
});

const ACCEPTED = { state: "accepted", error: null, refused: null } as const;

/**
 * Sends an email and returns its outcome. Aborts after `mail_s`, or `mail_stop_s` after the queue
 * is stopped.
 */
async function outcomeOf(
  deps: NotificationQueueDeps,
  { id, to, accountId, category, notice }: ToSend,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const { clock, log } = deps;
  const sendController = new AbortController();
  const cancels = [clock.after(FIXED_LIMITS.mail_s * SECOND_MS, () => sendController.abort())];
  const startStopTimer = () =>
    void cancels.push(
      clock.after(FIXED_LIMITS.mail_stop_s * SECOND_MS, () => sendController.abort()),
    );
  signal.addEventListener("abort", startStopTimer, { once: true });
  const at = () => clock.wall().toISOString();
  try {
    const unsubscribe = deps.unsubscribeLinkOf({ accountId, category });
    const rendered = renderSafely(() => deps.write(notice, deps.sender, unsubscribe));
    const content = { type: notice.kind };
    const email = { id, to, content, rendered, at: clock.wall(), unsubscribe };
    const responseCode = await deps.transport(email, sendController.signal);
    return { ...ACCEPTED, responseCode, at: at() };
  } catch (error) {
    const { outcome: state, code, response, refused } = toMailError(error);
    log.warn({ type: notice.kind, outcome: state, code, response }, "could not send email");
    return { at: at(), state, responseCode: response, error: code, refused };
  } finally {
    for (const cancel of cancels) cancel();
    signal.removeEventListener("abort", startStopTimer);
  }
}
