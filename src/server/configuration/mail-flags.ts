// Readers of the flags about mail.

import { isPrintable } from "#core/ladder/label.ts";
import { FIXED } from "#core/words/limits.ts";
import { readMailbox, readSmtpUrl } from "#outside/mail/sender.ts";
import type { Mailbox, SmtpServer } from "#outside/mail/sender.ts";

import { refuse } from "./flag-values.ts";
import type { Reader } from "./flag-values.ts";

export const smtpServer: Reader<SmtpServer> = (value) =>
  readSmtpUrl(value) ?? refuse("an address such as smtps://user:password@mail.example");

export const mailbox: Reader<Mailbox> = (value) =>
  readMailbox(value) ?? refuse("an address such as bout@example.org, or Name <bout@example.org>");

export const contactText: Reader<string> = (value) =>
  isPrintable(value, FIXED.contact_max)
    ? value
    : refuse(`one line of 1 to ${FIXED.contact_max} printable characters`);
