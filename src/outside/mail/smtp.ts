// Letters over SMTP: one connection each, and never a second try, which could arrive twice.

import { createTransport } from "nodemailer";

import { isLoopback } from "#base/units/loopback.ts";
import { SECOND_MS } from "#base/units/time.ts";
import { FIXED } from "#core/words/limits.ts";

import type { Carrier } from "./carrier.ts";
import type { Mailbox, SmtpServer } from "./sender.ts";

type Patience = { connectMs: number; greetingMs: number; silenceMs: number };

const PATIENCE: Patience = {
  connectMs: FIXED.mail_connect_s * SECOND_MS,
  greetingMs: FIXED.mail_greeting_s * SECOND_MS,
  silenceMs: FIXED.mail_silence_s * SECOND_MS,
};

/** `host` names this ladder to the server, and ends the ids of its letters. */
export function smtpCarrier(
  server: SmtpServer,
  from: Mailbox,
  host: string,
  patience = PATIENCE,
): Carrier {
  const transport = createTransport({ ...connection(server, patience), name: host });
  return async ({ id, to, written, at, unsubscribe }, signal) => {
    // Not as text, in which nodemailer finds as many readers as it likes.
    const reader = { name: "", address: to };
    const sent: unknown = await transport.sendMail({
      subject: written.subject,
      text: written.text,
      html: written.html,
      from,
      to: reader,
      envelope: { from, to: [reader] },
      messageId: `<${id}@${host}>`,
      date: at,
      headers: headersOf(unsubscribe),
      disableFileAccess: true,
      disableUrlAccess: true,
      signal,
    });
    return replyCode((sent as { response: string }).response);
  };
}

/** Of a reply as RFC 5321, section 4.2, defines it. */
const replyCode = (reply: string): number | null =>
  /^[2-5]\d\d\b/.test(reply) ? Number(reply.slice(0, 3)) : null;

/** Keeps holiday replies away (RFC 3834), and lets mail readers refuse by one click (RFC 8058). */
function headersOf(unsubscribe: string | undefined): Record<string, string> {
  const automatic = { "Auto-Submitted": "auto-generated" };
  if (unsubscribe === undefined) return automatic;
  return {
    ...automatic,
    "List-Unsubscribe": `<${unsubscribe}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

/** Connects and logs in, and sends nothing. Rejects as a letter would. */
export async function tryServer(server: SmtpServer, host: string, patience = PATIENCE) {
  await createTransport({ ...connection(server, patience), name: host }).verify();
}

function connection({ host, port, isSecure, login }: SmtpServer, patience: Patience) {
  return {
    host,
    port,
    secure: isSecure,
    // A password never goes over a network in the clear.
    requireTLS: login !== null && !isSecure && !isLoopback(host),
    ...(login !== null && { auth: { user: login.user, pass: login.password } }),
    connectionTimeout: patience.connectMs,
    dnsTimeout: patience.connectMs,
    greetingTimeout: patience.greetingMs,
    socketTimeout: patience.silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
