// How often people may ask the embedded provider, and how long what it gives out is good.

import { openThrottle } from "#base/token-bucket/token-bucket.ts";
import type { Rate, Throttle } from "#base/token-bucket/token-bucket.ts";
import { DAY_MS, MINUTE_MS, SECOND, SECOND_MS } from "#base/units/time.ts";

import type { EmbeddedDeps } from "./deps.ts";
import type { IdentityRefusal } from "./errors.ts";

const WINDOW_S = 300;

/** Requests of one address: GoTrue's numbers. */
const ADDRESS_RATES = {
  signup: { perSecond: 30 / WINDOW_S, burst: 30 },
  resend: { perSecond: 30 / WINDOW_S, burst: 30 },
  recover: { perSecond: 30 / WINDOW_S, burst: 30 },
  verify: { perSecond: 30 / WINDOW_S, burst: 30 },
  user: { perSecond: 30 / WINDOW_S, burst: 30 },
  token: { perSecond: 150 / WINDOW_S, burst: 150 },
  authorize: { perSecond: 150 / WINDOW_S, burst: 150 },
  register: { perSecond: 10 / WINDOW_S, burst: 30 },
} as const satisfies Record<string, Rate>;

type LimitedRoute = keyof typeof ADDRESS_RATES;

/** Mails of one kind to one mailbox. */
const MAIL_RATE: Rate = { perSecond: 1 / 60, burst: 1 };

/** Wrong passwords from one address for one account; always on. */
const WRONG_PASSWORDS = { most: 10, refillMs: 30 * SECOND_MS };

/** How long each is good, in milliseconds. */
export const LIFETIME_MS = {
  link: DAY_MS,
  /** The six digits. */
  digits: 10 * MINUTE_MS,
  /** The code that a browser exchanges, and a sign-in at a social provider. */
  flow: 5 * MINUTE_MS,
  social: 10 * MINUTE_MS,
  /** From the request of a client to the exchange of its code. */
  authorization: 10 * MINUTE_MS,
  /** How long what a client's document says is believed. */
  document: 5 * MINUTE_MS,
  /** How long refresh tokens older than the last two go on to answer. */
  reuse: 10 * SECOND_MS,
  session: 180 * DAY_MS,
  unconfirmed: 7 * DAY_MS,
  unusedClient: 30 * DAY_MS,
} as const;

/** Wrong codes after which the six digits are dead. */
export const WRONG_CODES = 5;

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
  const { most, refillMs } = WRONG_PASSWORDS;
  const step = refillMs * (SECOND / SECOND_MS);
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
