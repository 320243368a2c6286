import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { defaultMailbox, mailHost } from "#adapters/mail/mail-addresses.ts";
import type { Mailbox } from "#adapters/mail/mail-addresses.ts";
import { toMailError } from "#adapters/mail/mail-error.ts";
import type { MailTransport } from "#adapters/mail/mail-transport.ts";
import { openMailer } from "#adapters/mail/mailer.ts";
import type { Mailer } from "#adapters/mail/mailer.ts";
import { openNotificationQueue } from "#adapters/mail/notification-queue.ts";
import { openOutageRecorder } from "#adapters/mail/outage-recorder.ts";
import { outboxTransport } from "#adapters/mail/outbox.ts";
import { readUnsubscribeToken, unsubscribeToken } from "#adapters/mail/unsubscribe-link.ts";
import type { Clock } from "#base/clock/clock.ts";
import type { RenderTransactionalEmail } from "#core/accounts/transactional-email.ts";
import type { RenderNotification } from "#core/mail/email-notification.ts";
import type { MailService } from "#core/mail/mail-service.ts";
import { UNSUBSCRIBE_PATH } from "#core/mail/unsubscribe.ts";
import type { UnsubscribeRequest } from "#core/mail/unsubscribe.ts";
import type { Store } from "#data/store/store.ts";
import type { Log } from "#live/arena/arena-deps.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";
import { openOptionalEmailRounds } from "#server/jobs/optional-emails.ts";
import type { OptionalEmailDeps, OptionalEmailRounds } from "#server/jobs/optional-emails.ts";
import type { Build } from "#web/docs/build-manifest.ts";
import type { AccountServices, ApiSettings } from "#web/http/deps.ts";

import { isLocal, sendsMail } from "./server-address.ts";

export type MailDeps = {
  options: Pick<ServeOptions, "data" | "host" | "base-url" | "smtp" | "mail-from" | "contact">;
  apiSettings: Pick<ApiSettings, "baseUrl">;
  build: Pick<Build, "folder" | "emails">;
  store: Pick<Store, "deliveries" | "incidents">;
  key: Buffer;
  clock: Clock;
  newId: () => string;
  log: Log;
  printLine: (line: string) => void;
};

export type MailParts = Mailer & { side: MailService };

export async function openMail(deps: MailDeps): Promise<MailParts> {
  const { options, apiSettings, build, clock, newId, log, store, key } = deps;
  void checkMailServer(deps);
  const { renderTransactionalEmail, renderNotificationEmail } = await loadEmailWriters(build);
  const sender = { baseUrl: apiSettings.baseUrl, contact: options.contact };
  const transport = await transportOf(deps);
  const outages = openOutageRecorder({ store, clock, newId, log });
  const { onOutage, onRecovery } = outages;
  const mailerDeps = {
    write: renderTransactionalEmail,
    sender,
    transport,
    clock,
    newId,
    onOutage,
    onRecovery,
    log,
  };
  const mailer = openMailer(mailerDeps);
  const nowMs = () => clock.wall().getTime();
  const side: MailService = {
    transport: options.smtp === null ? "outbox" : "smtp",
    from: options.smtp === null ? null : fromAddressOf(deps).address,
    isEnabled: sendsMail(options),
    transactional: mailer.report,
    optionalResults: new Map(),
    render: (notice) => renderNotificationEmail(notice, sender, null),
    parseUnsubscribeToken: (token) => readUnsubscribeToken(key, token, nowMs()),
  };
  const unsubscribeLinkOf = (unsubscribe: UnsubscribeRequest) =>
    `${apiSettings.baseUrl}${UNSUBSCRIBE_PATH}?token=${unsubscribeToken(key, unsubscribe, nowMs())}`;
  const host = mailHost(apiSettings.baseUrl);
  const deliveryResults = side.optionalResults;
  const queueDeps = {
    store,
    write: renderNotificationEmail,
    sender,
    transport,
    host,
    unsubscribeLinkOf,
    deliveryResults,
    clock,
    newId,
    log,
  };
  const notificationQueue = side.isEnabled ? openNotificationQueue(queueDeps) : null;
  if (notificationQueue === null) void markInterrupted(deps);
  const stop = async () => {
    await Promise.all([mailer.stop(), notificationQueue?.stop()]);
    await outages.stop();
  };
  return { ...mailer, stop, side };
}

/**
 * If no mail server is configured now, deliveries that an earlier process was sending have an
 * unknown outcome.
 */
async function markInterrupted({ store, clock, log }: MailDeps): Promise<void> {
  try {
    await store.deliveries.interrupt(clock.wall().toISOString());
  } catch (error) {
    log.warn({ error }, "could not mark interrupted deliveries");
  }
}

/** Returns optional emails, or null if the server doesn't send any. */
export const openOptionalEmails = (
  deps: Omit<OptionalEmailDeps, "adminEmails" | "sendEmail">,
  side: AccountServices | null,
): OptionalEmailRounds | null =>
  side?.mail.isEnabled === true
    ? openOptionalEmailRounds({ ...deps, adminEmails: side.adminEmails, sendEmail: side.sendEmail })
    : null;

const fromAddressOf = ({ options, apiSettings }: MailDeps): Mailbox =>
  options["mail-from"] ?? defaultMailbox(apiSettings.baseUrl);

/** Imported on demand because the SMTP client loads slowly. */
async function transportOf(deps: MailDeps): Promise<MailTransport> {
  const { options, apiSettings, log, printLine } = deps;
  const { data, smtp } = options;
  if (smtp !== null) {
    const { smtpTransport } = await import("#adapters/mail/smtp.ts");
    return smtpTransport(smtp, fromAddressOf(deps), mailHost(apiSettings.baseUrl));
  }
  if (isLocal(options)) return outboxTransport(data, printLine);
  log.warn({}, "no mail server configured: emails wait in the outbox");
  return outboxTransport(data, null);
}

/** Reports a wrong password at startup instead of with the first undelivered email. */
async function checkMailServer({ options: { smtp }, apiSettings, log }: MailDeps): Promise<void> {
  if (smtp === null) return;
  try {
    const { checkSmtpServer } = await import("#adapters/mail/smtp.ts");
    await checkSmtpServer(smtp, mailHost(apiSettings.baseUrl));
  } catch (error) {
    const { code, response } = toMailError(error);
    log.warn({ code, response }, "mail server check failed: it does not accept our email");
  }
}

type EmailWriters = {
  renderTransactionalEmail: RenderTransactionalEmail;
  renderNotificationEmail: RenderNotification;
};

async function loadEmailWriters({ folder, emails }: MailDeps["build"]): Promise<EmailWriters> {
  if (emails === null) throw new Error("email templates are not built: run `npm run build`");
  return (await import(pathToFileURL(join(folder, emails)).href)) as EmailWriters;
}
