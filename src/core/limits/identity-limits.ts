// Limits for the embedded identity provider, and for requests to an external one.

import { DAY_S, fixedLimit, HOUR_S } from "./limit-row.ts";

const MINUTE_S = 60;
const KIB = 1024;

/** The request limits match GoTrue's. */
export const IDENTITY_LIMITS = {
  password_bytes_min: fixedLimit("identity", 8, "minimum bytes of a password"),
  password_bytes_max: fixedLimit("identity", 72, "maximum bytes of a password"),
  passwords_waiting: fixedLimit("identity", 32, "password checks waiting in the queue"),
  wrong_passwords: fixedLimit("identity", 10, "wrong passwords for an account from one address"),
  wrong_password_back_s: fixedLimit("identity", 30, "seconds until another attempt is allowed"),
  account_wrong_passwords: fixedLimit(
    "identity",
    100,
    "wrong passwords for an account from all addresses together",
  ),
  account_wrong_password_back_s: fixedLimit(
    "identity",
    10,
    "seconds until another attempt is allowed, except from addresses that have signed in before",
  ),
  wrong_codes: fixedLimit("identity", 5, "wrong attempts that invalidate a 6-digit code"),
  account_wrong_codes: fixedLimit(
    "identity",
    20,
    "wrong codes for an address in a day, after which only links work",
  ),
  mail_code_s: fixedLimit(
    "identity",
    10 * MINUTE_S,
    "seconds that an emailed 6-digit code is valid",
  ),
  mail_link_s: fixedLimit("identity", DAY_S, "seconds that an emailed link is valid"),
  choose_password_s: fixedLimit(
    "identity",
    10 * MINUTE_S,
    "seconds to choose a password after following a link",
  ),
  mailed_tokens: fixedLimit(
    "identity",
    3,
    "newest emails of a type, requested from one address, whose links are valid",
  ),
  mailed_codes: fixedLimit(
    "identity",
    3,
    "newest emails of a type to one mailbox, requested from any address, whose codes are valid",
  ),
  mail_every_s: fixedLimit(
    "identity",
    MINUTE_S,
    "seconds between two emails of a kind to one mailbox, requested from one address",
  ),
  requester_mails_per_day: fixedLimit(
    "identity",
    10,
    "emails of one purpose a day to one mailbox, requested from one address",
  ),
  mailbox_mails_per_day: fixedLimit(
    "identity",
    50,
    "emails of one purpose a day to one mailbox, requested from any address",
  ),
  redirect_chars: fixedLimit("identity", 2048, "characters in the return URL of a link"),
  browser_code_s: fixedLimit("identity", 5 * MINUTE_S, "seconds to exchange a code for a session"),
  social_sign_in_s: fixedLimit(
    "identity",
    10 * MINUTE_S,
    "seconds to complete a sign-in with a provider",
  ),
  authorization_s: fixedLimit("identity", 10 * MINUTE_S, "seconds to authorize an app"),
  access_token_s: fixedLimit("identity", HOUR_S, "seconds that an access token is valid"),
  refresh_reuse_s: fixedLimit(
    "identity",
    10,
    "seconds that the last used refresh token still returns its replacement",
  ),
  session_days: fixedLimit("identity", 180, "days until an unused session expires"),
  unconfirmed_days: fixedLimit("identity", 7, "days until an unconfirmed sign-up is deleted"),
  unused_program_days: fixedLimit("identity", 30, "days until an app without a grant is deleted"),
  identity_sweep_every_s: fixedLimit(
    "identity",
    HOUR_S,
    "seconds between two cleanups of expired records",
  ),
  identity_requests: fixedLimit(
    "identity",
    30,
    "requests from one address in five minutes, for each of sign-up, sending email, recovery, following a link, the account",
  ),
  identity_tokens: fixedLimit("identity", 150, "token requests from one address in five minutes"),
  program_registrations: fixedLimit(
    "identity",
    10,
    "app registrations from one address in five minutes, on average",
  ),
  program_registrations_burst: fixedLimit(
    "identity",
    30,
    "app registrations from one address in a burst",
  ),
  program_document_bytes: fixedLimit("identity", 5 * KIB, "bytes in an app's metadata document"),
  program_document_read_s: fixedLimit("identity", 5, "seconds to receive such a document"),
  program_document_kept_s: fixedLimit(
    "identity",
    5 * MINUTE_S,
    "seconds that such a document is cached",
  ),
  social_call_s: fixedLimit("identity", 5, "seconds for one response from a sign-in provider"),
  provider_call_ms: fixedLimit(
    "identity",
    800,
    "milliseconds for one response from the identity provider",
  ),
  provider_answer_bytes: fixedLimit("identity", 64 * KIB, "bytes of one response"),
  provider_failures: fixedLimit(
    "identity",
    3,
    "consecutive failures after which calls are suspended",
  ),
  provider_pause_s: fixedLimit("identity", 5, "seconds for which calls are suspended"),
} as const;
