// How often people may ask the embedded provider, and how long what it gives out is good.

import { openThrottle } from "#base/token-bucket/token-bucket.ts";
import type { Rate, Throttle } from "#base/token-bucket/token-bucket.ts";
import { DAY_MS, SECOND, SECOND_MS } from "#base/units/time.ts";
import { FIXED } from "#core/words/limits.ts";

import type { EmbeddedDeps } from "./deps.ts";
import type { IdentityRefusal } from "./errors.ts";

const WINDOW_S = 300;

const inWindow = (most: number, burst = most): Rate => ({ perSecond: most / WINDOW_S, burst });

/** Requests of one address. */
const ADDRESS_RATES = {
  signup: inWindow(FIXED.identity_requests),
  resend: inWindow(FIXED.identity_requests),
  recover: inWindow(FIXED.identity_requests),
  verify: inWindow(FIXED.identity_requests),
  user: inWindow(FIXED.identity_requests),
  token: inWindow(FIXED.identity_tokens),
  authorize: inWindow(FIXED.identity_tokens),
  register: inWindow(FIXED.program_registrations, FIXED.program_registrations_burst),
} as const;

export type LimitedRoute = keyof typeof ADDRESS_RATES;

/** Mails of one kind to one mailbox. */
const MAIL_RATE: Rate = { perSecond: 1 / FIXED.mail_every_s, burst: 1 };

/** How long each is good, in milliseconds. */
export const LIFETIME_MS = {
  link: FIXED.mail_link_s * SECOND_MS,
  /** The six digits. */
  digits: FIXED.mail_code_s * SECOND_MS,
  /** The code that a browser exchanges. */
  flow: FIXED.browser_code_s * SECOND_MS,
  social: FIXED.social_sign_in_s * SECOND_MS,
  /** From the request of a program to the exchange of its code. */
  authorization: FIXED.authorization_s * SECOND_MS,
  document: FIXED.program_document_kept_s * SECOND_MS,
  /** How long refresh tokens older than the last two go on to answer. */
  reuse: FIXED.refresh_reuse_s * SECOND_MS,
  session: FIXED.session_days * DAY_MS,
  unconfirmed: FIXED.unconfirmed_days * DAY_MS,
  unusedClient: FIXED.unused_program_days * DAY_MS,
} as const;

/**
 * Whether something made then is still good. An instant as far in the future as it may lie in the
 * past is of a clock that was wrong, and does not count either.
 */
export function isGood(made: string, lifetimeMs: number, now: Date): boolean {
  return Math.abs(now.getTime() - Date.parse(made)) < lifetimeMs;
}

export type IdentityLimits = {
  /** Null if this caller may ask now. */
  address: (route: LimitedRoute, caller: string) => IdentityRefusal | null;
  mail: (to: string, purpose: string) => IdentityRefusal | null;
  passwords: Attempts;
};

export function openLimits({
  settings,
  clock,
}: Pick<EmbeddedDeps, "settings" | "clock">): IdentityLimits {
  const routes = new Map<string, Throttle>(
    Object.entries(ADDRESS_RATES).map(([route, rate]) => [route, openThrottle(rate)]),
  );
  const mails = openThrottle(MAIL_RATE);
  const waitOf = (throttle: Throttle | undefined, key: string) =>
    settings().limitsAddresses ? (throttle?.(key, clock.now()) ?? 0) : 0;
  return {
    address: (route, caller) => tooSoon(waitOf(routes.get(route), caller)),
    mail: (to, purpose) => tooSoon(waitOf(mails, `${purpose} ${to}`), "over_email_send_rate_limit"),
    passwords: openAttempts(clock),
  };
}

/** The refusal to wait that many microseconds. */
function tooSoon(
  wait: number,
  code: "over_request_rate_limit" | "over_email_send_rate_limit" = "over_request_rate_limit",
): IdentityRefusal | null {
  return wait <= 0 ? null : { refused: code, retryAfterS: Math.ceil(wait / SECOND) };
}

type Attempts = {
  /** Counts an attempt as wrong until it is known to be right; refuses if there were too many. */
  begin: (caller: string, account: string) => IdentityRefusal | null;
  /** Forgets the wrong ones of before. */
  succeed: (caller: string, account: string) => void;
};

const REMEMBERED = 100_000;

function openAttempts(clock: EmbeddedDeps["clock"]): Attempts {
  const most = FIXED.wrong_passwords;
  const step = FIXED.wrong_password_back_s * SECOND;
  /** When each has all of its attempts again, oldest first. */
  const fullAt = new Map<string, number>();
  const keyOf = (caller: string, account: string) => `${caller} ${account}`;
  return {
    begin: (caller, account) => {
      const [key, now] = [keyOf(caller, account), clock.now()];
      const full = Math.max(fullAt.get(key) ?? now, now) + step;
      const wait = full - step * most - now;
      if (wait > 0) return tooSoon(wait);
      fullAt.delete(key);
      fullAt.set(key, full);
      for (const oldest of fullAt.keys()) {
        if (fullAt.size <= REMEMBERED) break;
        fullAt.delete(oldest);
      }
      return null;
    },
    succeed: (caller, account) => void fullAt.delete(keyOf(caller, account)),
  };
}
