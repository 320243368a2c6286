// Limits of letters.

import { fixed } from "./limit-row.ts";

export const MAIL_LIMITS = {
  contact_max: fixed("mail", 200, "characters of the operator's contact"),
  mails_at_once: fixed("mail", 4, "letters on their way to the mail server at once"),
  mails_waiting: fixed("mail", 1000, "letters that wait; one more is lost"),
  mail_connect_s: fixed("mail", 10, "seconds for the mail server to take a connection"),
  mail_greeting_s: fixed("mail", 10, "seconds for the mail server to greet"),
  mail_silence_s: fixed("mail", 30, "seconds for each of its answers"),
  mail_s: fixed("mail", 120, "seconds for a whole letter"),
  mail_stop_s: fixed("mail", 5, "seconds that a stop waits for letters on their way"),
  optional_mail_every_ms: fixed(
    "mail",
    1000,
    "milliseconds between the starts of two letters that can be refused",
  ),
  mail_failures: fixed("mail", 10, "such letters in a row that do not arrive before all stop"),
  mail_refusals: fixed("mail", 3, "refusals of an address before it gets no more such letters"),
  mail_history: fixed("mail", 200, "newest deliveries that an operator sees"),
  mail_incidents: fixed("mail", 100, "newest incidents that an operator sees"),
  mail_details_days: fixed("mail", 30, "days after its end that the content of a letter is kept"),
  unsubscribe_days: fixed("mail", 90, "days that the link works that refuses a kind of mail"),
  mail_look_s: fixed("mail", 60, "seconds between two looks for letters that are due"),
  mail_late_days: fixed("mail", 7, "days after which what happened is no reason for a letter"),
  first_match_days: fixed("mail", 3, "days without a rated game before a new person is reminded"),
  unwell_matches: fixed("mail", 20, "latest matches of a bot's newest version that are looked at"),
  unwell_disqualifications: fixed("mail", 3, "disqualifications in them that its owner is told of"),
  unwell_failed_percent: fixed(
    "mail",
    20,
    "percent of failed turns in them that its owner is told",
  ),
  health_mail_every_h: fixed("mail", 24, "hours between two letters about a bot's health"),
  digest_hour: fixed("mail", 9, "hour of a Monday, in UTC, of the weekly digest"),
  digest_late_h: fixed("mail", 48, "hours after which it is left out"),
  warning_every_h: fixed(
    "mail",
    1,
    "hours between two letters to admins about one kind of trouble",
  ),
} as const;
