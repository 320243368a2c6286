// Limits of letters about accounts.

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
} as const;
