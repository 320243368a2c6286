// Limits of email.

import { fixedLimit } from "./limit-row.ts";

export const MAIL_LIMITS = {
  contact_max: fixedLimit("mail", 200, "characters in the operator's contact"),
  mails_at_once: fixedLimit("mail", 4, "concurrent deliveries to the mail server"),
  mails_waiting: fixedLimit(
    "mail",
    1000,
    "emails in the queue; more are dropped, confirmations of changes first",
  ),
  mail_news_per_hour: fixedLimit(
    "mail",
    10,
    "confirmations of changes of one type to one mailbox, in a burst and in an hour on average",
  ),
  mail_connect_s: fixedLimit("mail", 10, "seconds to connect to the mail server"),
  mail_greeting_s: fixedLimit("mail", 10, "seconds to wait for the mail server's greeting"),
  mail_silence_s: fixedLimit("mail", 30, "seconds to wait for each of its replies"),
  mail_s: fixedLimit("mail", 120, "seconds to deliver one email"),
  mail_stop_s: fixedLimit("mail", 2, "seconds that shutdown waits for deliveries"),
  mail_retries: fixedLimit("mail", 4, "retries of a transactional email that was not sent"),
  mail_retry_s: fixedLimit("mail", 60, "seconds before the first retry"),
  mail_retry_factor: fixedLimit("mail", 4, "factor by which the delay grows with each retry"),
  mail_outage_failures: fixedLimit(
    "mail",
    3,
    "failures of transactional email in a row that open an incident; without refused addresses",
  ),
  optional_mail_every_ms: fixedLimit("mail", 1000, "milliseconds between two optional emails"),
  mail_failures: fixedLimit(
    "mail",
    10,
    "consecutive undelivered emails before optional email stops; excludes refused addresses",
  ),
  mail_refusals: fixedLimit(
    "mail",
    3,
    "refusals of an address before it gets no more optional email",
  ),
  mail_refused_row: fixedLimit(
    "mail",
    5,
    "refused recipients in a row, of two or more accounts, that open an incident and count against no one",
  ),
  mail_suppressed_shown: fixedLimit("mail", 100, "suppressed accounts that an operator sees"),
  mail_history: fixedLimit("mail", 200, "newest deliveries that an operator sees"),
  mail_incidents: fixedLimit("mail", 100, "newest incidents that an operator sees"),
  mail_details_days: fixedLimit("mail", 30, "days that the content of a delivered email is kept"),
  mail_rounds_s: fixedLimit("mail", 60, "seconds between two checks for due emails"),
  bot_health_every_s: fixedLimit("mail", 1800, "seconds between two health checks of bots"),
  bot_health_matches: fixedLimit(
    "mail",
    20,
    "latest matches of a version used for its health email",
  ),
  bot_health_disqualifications: fixedLimit(
    "mail",
    3,
    "disqualifications among them that trigger a health email",
  ),
  bot_health_failed_pct: fixedLimit(
    "mail",
    20,
    "percent of failed turns among them that trigger a health email",
  ),
  bot_health_least: fixedLimit("mail", 3, "minimum matches before failed turns are evaluated"),
  first_match_days: fixedLimit(
    "mail",
    3,
    "days until an account that has not played gets instructions",
  ),
  reminder_h: fixedLimit(
    "mail",
    24,
    "hours before an event opens or closes that reminders are sent",
  ),
  digest_h: fixedLimit("mail", 48, "hours after Monday 09:00 UTC in which a digest is created"),
  warning_every_s: fixedLimit("mail", 3600, "seconds between two warnings of a kind to admins"),
  mail_late_h: fixedLimit("mail", 72, "hours of delay after which an email is skipped"),
  unsubscribe_days: fixedLimit("mail", 90, "days that an unsubscribe link is valid"),
} as const;
