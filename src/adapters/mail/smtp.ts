// SMTP transport with one connection per email. It never retries, because a retry could deliver an
// email twice.

import { createTransport } from "nodemailer";

import { isLoopbackHost } from "#base/util/loopback.ts";
import { SECOND_MS } from "#base/util/time.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import type { Mailbox, SmtpServer } from "./mail-addresses.ts";
import type { MailTransport } from "./mail-transport.ts";

type SmtpTimeouts = { connectMs: number; greetingMs: number; silenceMs: number };

const DEFAULT_TIMEOUTS: SmtpTimeouts = {
  connectMs: FIXED_LIMITS.mail_connect_s * SECOND_MS,
  greetingMs: FIXED_LIMITS.mail_greeting_s * SECOND_MS,
  silenceMs: FIXED_LIMITS.mail_silence_s * SECOND_MS,
};

/** Creates the transport. `host` is the EHLO name and the domain of Message-IDs. */
export function smtpTransport(
  server: SmtpServer,
  from: Mailbox,
  host: string,
  timeouts = DEFAULT_TIMEOUTS,
): MailTransport {
  const smtpClient = createTransport({ ...connectionOptions(server, timeouts), name: host });
  return async ({ id, to, rendered, at, unsubscribe }, signal) => {
    // Passed as an object, because nodemailer would parse several recipients from a string.
    const recipient = { name: "", address: to };
    const result: unknown = await smtpClient.sendMail({
      subject: rendered.subject,
      text: rendered.text,
      html: rendered.html,
      from,
      to: recipient,
      envelope: { from, to: [recipient] },
      messageId: `<${id}@${host}>`,
      date: at,
      headers: headersOf(unsubscribe),
      disableFileAccess: true,
      disableUrlAccess: true,
      signal,
    });
    return replyCode((result as { response: string }).response);
  };
}

/** Parses the reply code (RFC 5321, section 4.2). */
const replyCode = (reply: string): number | null =>
  /^[2-5]\d\d\b/.test(reply) ? Number(reply.slice(0, 3)) : null;

/** Suppresses vacation replies (RFC 3834) and enables one-click unsubscribe (RFC 8058). */
function headersOf(unsubscribe: string | undefined): Record<string, string> {
  const automatic = { "Auto-Submitted": "auto-generated" };
  if (unsubscribe === undefined) return automatic;
  return {
    ...automatic,
    "List-Unsubscribe": `<${unsubscribe}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

/** Connects and logs in without sending an email. Rejects with the same errors as sending. */
export async function checkSmtpServer(
  server: SmtpServer,
  host: string,
  timeouts = DEFAULT_TIMEOUTS,
) {
  await createTransport({ ...connectionOptions(server, timeouts), name: host }).verify();
}

function connectionOptions({ host, port, isSecure, login }: SmtpServer, timeouts: SmtpTimeouts) {
  return {
    host,
    port,
    secure: isSecure,
    // Requires TLS for logins over a network, so that passwords are never sent unencrypted.
    requireTLS: login !== null && !isSecure && !isLoopbackHost(host),
    ...(login !== null && { auth: { user: login.user, pass: login.password } }),
    connectionTimeout: timeouts.connectMs,
    dnsTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
