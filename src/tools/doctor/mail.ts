// The mail server: it is greeted and logged in to, and nothing is sent.

import { faultOf } from "#outside/mail/fault.ts";
import { mailHost } from "#outside/mail/sender.ts";
import { isLocal } from "#server/composition/address.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";

import { failure, fine, warning } from "./diagnosis.ts";
import type { Diagnosis } from "./diagnosis.ts";

type MailFlags = Pick<ServeOptions, "smtp" | "host" | "base-url" | "accounts">;

/** What to do about codes of a mail server. */
const ADVICE: Readonly<Record<string, string>> = {
  EAUTH: "See to the name and password in BOUT_SMTP; characters such as @ are percent-encoded.",
  ETLS: "See to the certificate of the mail server, or take smtps:// and its port.",
  EDNS: "See to the name of the mail server in BOUT_SMTP.",
};
const UNREACHED =
  "See to host and port in BOUT_SMTP, and to firewalls: many networks close port 25.";

/** What speaks SMTP takes a while to load, so it is loaded where there is a server. */
export async function lookAtMail(options: MailFlags, baseUrl: string): Promise<Diagnosis[]> {
  const { smtp, accounts } = options;
  if (accounts === "none") return [fine("mail", "without accounts none is sent")];
  if (smtp === null) return [withoutServer(options)];
  const { tryServer } = await import("#outside/mail/smtp.ts");
  const place = `${smtp.host}:${smtp.port}`;
  try {
    await tryServer(smtp, mailHost(baseUrl));
    const login = smtp.login === null ? "without a log-in" : "and the log-in fits";
    return [fine("mail", `${place} answers, ${login}; nothing was sent`)];
  } catch (error) {
    const { code, response } = faultOf(error);
    const answer = response === null ? code : `${code}, ${response}`;
    return [
      failure("mail", `${place} does not take our letters (${answer})`, ADVICE[code] ?? UNREACHED),
    ];
  }
}

function withoutServer(options: MailFlags): Diagnosis {
  if (isLocal(options)) return fine("mail", "there is no mail server: links are printed on stdout");
  return warning(
    "mail",
    "there is no mail server: letters wait in outbox.jsonl of the data folder",
    "Set BOUT_SMTP, or pass links and codes on yourself.",
  );
}
