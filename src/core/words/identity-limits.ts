// Limits of who people are: the embedded identity provider, and calls to a project elsewhere.

import { DAY_S, fixed, HOUR_S } from "./limit-row.ts";

const MINUTE_S = 60;
const KIB = 1024;

/** The numbers of requests are those of GoTrue. */
export const IDENTITY_LIMITS = {
  password_bytes_min: fixed("identity", 8, "bytes of a password, at least"),
  password_bytes_max: fixed("identity", 72, "bytes of a password, at most"),
  passwords_waiting: fixed("identity", 32, "passwords that wait to be checked"),
  wrong_passwords: fixed("identity", 10, "wrong passwords for an account from one address"),
  wrong_password_back_s: fixed("identity", 30, "seconds until one more may be tried"),
  account_wrong_passwords: fixed(
    "identity",
    100,
    "wrong passwords for an account from all addresses together",
  ),
  account_wrong_password_back_s: fixed(
    "identity",
    10,
    "seconds until one more may be tried, except where the right one was given before",
  ),
  wrong_codes: fixed("identity", 5, "wrong tries that end the six digits of a mail"),
  account_wrong_codes: fixed(
    "identity",
    20,
    "wrong codes for an address in a day, after which only links work",
  ),
  mail_code_s: fixed("identity", 10 * MINUTE_S, "seconds that the six digits of a mail are good"),
  mail_link_s: fixed("identity", DAY_S, "seconds that the link of a mail is good"),
  choose_password_s: fixed(
    "identity",
    10 * MINUTE_S,
    "seconds to choose a password after following a link",
  ),
  mailed_tokens: fixed(
    "identity",
    3,
    "newest emails of a kind, requested from one address, whose links are good",
  ),
  mailed_codes: fixed(
    "identity",
    3,
    "newest emails of a kind to one mailbox, requested from any address, whose codes are good",
  ),
  mail_every_s: fixed(
    "identity",
    MINUTE_S,
    "seconds between two emails of a kind to one mailbox, requested from one address",
  ),
  requester_mails_per_day: fixed(
    "identity",
    10,
    "emails of one purpose a day to one mailbox, requested from one address",
  ),
  mailbox_mails_per_day: fixed(
    "identity",
    50,
    "emails of one purpose a day to one mailbox, requested from any address",
  ),
  redirect_chars: fixed("identity", 2048, "characters of the page that a link leads back to"),
  browser_code_s: fixed("identity", 5 * MINUTE_S, "seconds to exchange a code for a session"),
  social_sign_in_s: fixed("identity", 10 * MINUTE_S, "seconds for a sign-in elsewhere"),
  authorization_s: fixed("identity", 10 * MINUTE_S, "seconds to let a program in"),
  access_token_s: fixed("identity", HOUR_S, "seconds that an access token is good"),
  refresh_reuse_s: fixed(
    "identity",
    10,
    "seconds that the last used refresh token still returns its replacement",
  ),
  session_days: fixed("identity", 180, "days after which an unused session ends"),
  unconfirmed_days: fixed("identity", 7, "days that a sign-up waits to be confirmed"),
  unused_program_days: fixed("identity", 30, "days that a program without a grant is known"),
  identity_sweep_every_s: fixed("identity", HOUR_S, "seconds between two sweeps of what has ended"),
  identity_requests: fixed(
    "identity",
    30,
    "requests of one address in five minutes: each of signing up, asking for a mail, recovering, using a link, the account",
  ),
  identity_tokens: fixed("identity", 150, "requests of one address in five minutes for tokens"),
  program_registrations: fixed(
    "identity",
    10,
    "programs that one address registers in five minutes, on average",
  ),
  program_registrations_burst: fixed("identity", 30, "programs that it registers at once"),
  program_document_bytes: fixed("identity", 5 * KIB, "bytes of a program's document about itself"),
  program_document_read_s: fixed("identity", 5, "seconds for such a document to arrive"),
  program_document_kept_s: fixed("identity", 5 * MINUTE_S, "seconds that it is believed"),
  social_call_s: fixed("identity", 5, "seconds for one answer of a place to sign in"),
  provider_call_ms: fixed("identity", 800, "milliseconds for one answer of the identity provider"),
  provider_answer_bytes: fixed("identity", 64 * KIB, "bytes of one answer, at most"),
  provider_failures: fixed("identity", 3, "failures in a row after which it is left alone"),
  provider_pause_s: fixed("identity", 5, "seconds for which it is left alone"),
} as const;
