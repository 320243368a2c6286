// Connects and signs in to the mail server without sending anything.

import { mailHost } from "#adapters/mail/mail-addresses.ts";
import { toMailError } from "#adapters/mail/mail-error.ts";
import { isLocal } from "#server/composition/server-address.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";

import { failDiagnosis, okDiagnosis, warnDiagnosis } from "./diagnosis.ts";
import type { Diagnosis } from "./diagnosis.ts";

type MailFlags = Pick<ServeOptions, "smtp" | "host" | "base-url" | "accounts">;

/** Advice by error code. */
const ADVICE: Readonly<Record<string, string>> = {
  EAUTH: "Check the name and password in BOUT_SMTP. Characters such as @ must be percent-encoded.",
  ETLS: "Check the mail server's certificate, or use smtps:// with its port.",
  EDNS: "Check the mail server's host name in BOUT_SMTP.",
};
const UNREACHABLE_ADVICE =
  "Check the host and port in BOUT_SMTP, and firewalls: many networks block port 25.";

/** Loads the SMTP client only if a mail server is configured, because loading it is slow. */
export async function checkMailServer(options: MailFlags, baseUrl: string): Promise<Diagnosis[]> {
  const { smtp, accounts } = options;
  if (accounts === "none") return [okDiagnosis("mail", "no email is sent without accounts")];
  if (smtp === null) return [noServerFinding(options)];
  const { checkSmtpServer } = await import("#adapters/mail/smtp.ts");
  const serverAddress = `${smtp.host}:${smtp.port}`;
  try {
    await checkSmtpServer(smtp, mailHost(baseUrl));
    const login = smtp.login === null ? "no sign-in configured" : "sign-in works";
    return [okDiagnosis("mail", `${serverAddress} responds; ${login}; no email was sent`)];
  } catch (error) {
    const { code, response } = toMailError(error);
    const reply = response === null ? code : `${code}, ${response}`;
    return [
      failDiagnosis(
        "mail",
        `${serverAddress} doesn't accept email from this server (${reply})`,
        ADVICE[code] ?? UNREACHABLE_ADVICE,
      ),
    ];
  }
}

function noServerFinding(options: MailFlags): Diagnosis {
  if (isLocal(options))
    return okDiagnosis("mail", "no mail server configured: links are printed on stdout");
  return warnDiagnosis(
    "mail",
    "no mail server configured: emails are written to outbox.jsonl in the data folder",
    "Set BOUT_SMTP, or pass links and codes on yourself.",
  );
}
