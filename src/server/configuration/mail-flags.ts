import { parseMailbox, parseSmtpUrl } from "#adapters/mail/mail-addresses.ts";
import type { Mailbox, SmtpServer } from "#adapters/mail/mail-addresses.ts";
import { isPrintable } from "#core/ladder/version-label.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import { rejectValue } from "./flag-values.ts";
import type { FlagParser } from "./flag-values.ts";

export const parseSmtpServer: FlagParser<SmtpServer> = (value) =>
  parseSmtpUrl(value) ?? rejectValue("a URL such as smtps://user:password@mail.example");

export const parseMailboxFlag: FlagParser<Mailbox> = (value) =>
  parseMailbox(value) ??
  rejectValue("an email address such as bout@example.org, or Name <bout@example.org>");

export const parseContact: FlagParser<string> = (value) =>
  isPrintable(value, FIXED_LIMITS.contact_max)
    ? value
    : rejectValue(`one line of 1 to ${FIXED_LIMITS.contact_max} printable characters`);
