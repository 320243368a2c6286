// Limits of letters.

import { fixed } from "./limit-row.ts";

export const MAIL_LIMITS = {
  contact_max: fixed("mail", 200, "characters of the operator's contact"),
  mails_at_once: fixed("mail", 4, "letters on their way to the mail server at once"),
  mails_waiting: fixed(
    "mail",
    1000,
    "letters that wait; one more is lost, those that only tell first",
  ),
  mail_news_per_hour: fixed(
    "mail",
    10,
    "letters of one type that only tell, to one mailbox: at once, and in an hour on average",
  ),
  mail_connect_s: fixed("mail", 10, "seconds for the mail server to take a connection"),
  mail_greeting_s: fixed("mail", 10, "seconds for the mail server to greet"),
  mail_silence_s: fixed("mail", 30, "seconds for each of its answers"),
  mail_s: fixed("mail", 120, "seconds for a whole letter"),
  mail_stop_s: fixed("mail", 2, "seconds that a stop waits for letters on their way"),
  mail_retries: fixed("mail", 4, "retries of a transactional email that was not sent"),
  mail_retry_s: fixed("mail", 60, "seconds before the first retry"),
  mail_retry_factor: fixed("mail", 4, "factor by which the delay grows with each retry"),
  mail_outage_failures: fixed(
    "mail",
    3,
    "failures of transactional email in a row that open an incident; without refused addresses",
  ),
  optional_mail_every_ms: fixed(
    "mail",
    1000,
    "milliseconds between the starts of two letters that can be refused",
  ),
  mail_failures: fixed(
    "mail",
    10,
    "such letters in a row that do not arrive before all stop; without refused addresses",
  ),
  mail_refusals: fixed("mail", 3, "refusals of an address before it gets no more such letters"),
  mail_refused_row: fixed(
    "mail",
    5,
    "refused recipients in a row, of two or more accounts, that open an incident and count against no one",
  ),
  mail_suppressed_shown: fixed("mail", 100, "suppressed accounts that an operator sees"),
  mail_history: fixed("mail", 200, "newest deliveries that an operator sees"),
  mail_incidents: fixed("mail", 100, "newest incidents that an operator sees"),
  mail_details_days: fixed("mail", 30, "days after its end that the content of a letter is kept"),
  mail_rounds_s: fixed("mail", 60, "seconds between two looks for what mail tells of"),
  bot_health_every_s: fixed("mail", 1800, "seconds between two looks at the health of bots"),
  bot_health_matches: fixed("mail", 20, "latest matches of a version that its health is told by"),
  bot_health_disqualifications: fixed("mail", 3, "disqualifications in them that are told"),
  bot_health_failed_pct: fixed("mail", 20, "percent of turns that failed in them that are told"),
  bot_health_least: fixed("mail", 3, "matches before failed turns, or none, say anything"),
  first_match_days: fixed("mail", 3, "days until who has not played is told how"),
  reminder_h: fixed("mail", 24, "hours before an event opens or closes that people are told"),
  digest_h: fixed("mail", 48, "hours after Monday 09:00 UTC in which a digest is made"),
  warning_every_s: fixed("mail", 3600, "seconds between two warnings of a kind to admins"),
  mail_late_h: fixed("mail", 72, "hours that a letter may be late before it is skipped"),
  unsubscribe_days: fixed("mail", 90, "days that the link works that refuses a kind of mail"),
} as const;
