import { openTokenBucket } from "#base/token-bucket/token-bucket.ts";
import type { Rate, TokenBucket } from "#base/token-bucket/token-bucket.ts";
import { DAY_MS, HOUR_US, SECOND_US, SECOND_MS } from "#base/util/time.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import type { EmbeddedDeps } from "./identity-deps.ts";
import type { IdentityError } from "./identity-errors.ts";

const WINDOW_S = 300;
const DAY_S = DAY_MS / SECOND_MS;

const windowRate = (max: number, burst = max): Rate => ({ perSecond: max / WINDOW_S, burst });

const ADDRESS_RATES = {
  signup: windowRate(FIXED_LIMITS.identity_requests),
  resend: windowRate(FIXED_LIMITS.identity_requests),
  recover: windowRate(FIXED_LIMITS.identity_requests),
  verify: windowRate(FIXED_LIMITS.identity_requests),
  user: windowRate(FIXED_LIMITS.identity_requests),
  token: windowRate(FIXED_LIMITS.identity_tokens),
  authorize: windowRate(FIXED_LIMITS.identity_tokens),
  register: windowRate(
    FIXED_LIMITS.program_registrations,
    FIXED_LIMITS.program_registrations_burst,
  ),
} as const;

export type LimitedRoute = keyof typeof ADDRESS_RATES;

/**
 * Limits on emails to one mailbox: a minimum interval and a daily limit per requester, and a daily
 * limit for all requesters together. Each purpose is counted separately. A stranger can exhaust a
 * mailbox's recovery limit only by having recovery emails sent, and the owner can sign in with any
 * of them.
 */
const MAIL_RATES = {
  interval: { perSecond: 1 / FIXED_LIMITS.mail_every_s, burst: 1 },
  requester: dailyRate(FIXED_LIMITS.requester_mails_per_day),
  mailbox: dailyRate(FIXED_LIMITS.mailbox_mails_per_day),
} as const;

function dailyRate(max: number): Rate {
  return { perSecond: max / DAY_S, burst: max };
}

export const LIFETIME_MS = {
  link: FIXED_LIMITS.mail_link_s * SECOND_MS,
  digits: FIXED_LIMITS.mail_code_s * SECOND_MS,
  flow: FIXED_LIMITS.browser_code_s * SECOND_MS,
  choice: FIXED_LIMITS.choose_password_s * SECOND_MS,
  social: FIXED_LIMITS.social_sign_in_s * SECOND_MS,
  /** From the app's authorization request to the exchange of its code. */
  authorization: FIXED_LIMITS.authorization_s * SECOND_MS,
  document: FIXED_LIMITS.program_document_kept_s * SECOND_MS,
  /** How long the previous refresh token still returns the current one. */
  reuse: FIXED_LIMITS.refresh_reuse_s * SECOND_MS,
  session: FIXED_LIMITS.session_days * DAY_MS,
  unconfirmed: FIXED_LIMITS.unconfirmed_days * DAY_MS,
  unusedClient: FIXED_LIMITS.unused_program_days * DAY_MS,
} as const;

/**
 * Returns whether something created at `createdAt` is still valid. Timestamps more than
 * `lifetimeMs` in the future come from a wrong clock and are invalid too.
 */
export function isFresh(createdAt: string, lifetimeMs: number, now: Date): boolean {
  return Math.abs(now.getTime() - Date.parse(createdAt)) < lifetimeMs;
}

export type IdentityLimits = {
  /**
   * Counts a request. Returns a rate limit error if the caller exceeds the route's limit, otherwise
   * null.
   */
  address: (route: LimitedRoute, caller: string) => IdentityError | null;
  /**
   * Counts an email to a mailbox. Returns a rate limit error if a limit is exceeded, otherwise
   * null.
   */
  mail: (to: string, purpose: string, caller: string) => IdentityError | null;
  /**
   * Records an emailed token and returns the hashes of older tokens that it invalidates: all but
   * the newest few from the same requester. Kept in memory, because client addresses are never
   * stored.
   */
  trackToken: (
    token: { userId: string; purpose: string; hash: string },
    caller: string,
  ) => string[];
  passwords: PasswordAttempts;
};

export function openIdentityLimits({
  settings,
  clock,
  scaleOf = () => 1,
}: Pick<EmbeddedDeps, "settings" | "clock" | "scaleOf">): IdentityLimits {
  const routes = new Map<string, TokenBucket>(
    Object.entries(ADDRESS_RATES).map(([route, rate]) => [route, openTokenBucket(rate)]),
  );
  const mailThrottles = [
    [openTokenBucket(MAIL_RATES.interval), (to, purpose, caller) => `${purpose} ${caller} ${to}`],
    [openTokenBucket(MAIL_RATES.requester), (to, purpose, caller) => `${purpose} ${caller} ${to}`],
    [openTokenBucket(MAIL_RATES.mailbox), (to, purpose) => `${purpose} ${to}`],
  ] satisfies [TokenBucket, (to: string, purpose: string, caller: string) => string][];
  const throttleWait = (throttle: TokenBucket | undefined, key: string, scale = 1) =>
    settings().limitsAddresses ? (throttle?.(key, clock.now(), scale) ?? 0) : 0;
  return {
    address: (route, caller) =>
      rateLimitError(throttleWait(routes.get(route), caller, scaleOf(caller))),
    mail: (to, purpose, caller) => {
      for (const [throttle, keyOf] of mailThrottles) {
        const wait = throttleWait(throttle, keyOf(to, purpose, caller));
        if (wait > 0) return rateLimitError(wait, "over_email_send_rate_limit");
      }
      return null;
    },
    trackToken: openTokenTracker(),
    passwords: openPasswordAttempts(clock),
  };
}

function rateLimitError(
  wait: number,
  code: "over_request_rate_limit" | "over_email_send_rate_limit" = "over_request_rate_limit",
): IdentityError | null {
  return wait <= 0 ? null : { refused: code, retryAfterS: Math.ceil(wait / SECOND_US) };
}

function openTokenTracker(): IdentityLimits["trackToken"] {
  const newestHashes = new Map<string, string[]>();
  return ({ userId, purpose, hash }, caller) => {
    const key = `${purpose} ${caller} ${userId}`;
    const allHashes = [...(newestHashes.get(key) ?? []), hash];
    const excess = Math.max(0, allHashes.length - FIXED_LIMITS.mailed_tokens);
    remember(newestHashes, key, allHashes.slice(excess));
    return allHashes.slice(0, excess);
  };
}

type PasswordAttempts = {
  /**
   * Counts an attempt as failed until `succeed` or `undo` is called. Returns a rate limit error
   * after too many attempts. `userId` is null for an unknown account.
   */
  begin: (caller: string, account: string, userId: string | null) => IdentityError | null;
  /**
   * Returns true, at most once an hour, if the failed attempts from all addresses reach the
   * account's limit.
   */
  isBurst: (account: string) => boolean;
  undo: (caller: string, account: string) => void;
  /** Clears the failed attempts from this address. */
  succeed: (caller: string, account: string) => void;
  rememberCaller: (caller: string, userId: string) => void;
  forgetUser: (userId: string) => void;
};

const MAX_REMEMBERED = 100_000;
const KNOWN_ADDRESSES = 20;

/**
 * Counts wrong passwords per account and client address, and per account in total. The total limits
 * guessing from many addresses but must not lock the owner out. It therefore doesn't apply to
 * addresses from which the user signed in with the current password since the server started. From
 * a new address, the owner can sign in by email.
 */
function openPasswordAttempts(clock: EmbeddedDeps["clock"]): PasswordAttempts {
  const addressAttempts = openAttemptCounter(
    FIXED_LIMITS.wrong_passwords,
    FIXED_LIMITS.wrong_password_back_s,
  );
  const accountAttempts = openAttemptCounter(
    FIXED_LIMITS.account_wrong_passwords,
    FIXED_LIMITS.account_wrong_password_back_s,
  );
  const knownCallers = new Map<string, readonly string[]>();
  const burstTimes = new Map<string, number>();
  const keyOf = (caller: string, account: string) => `${caller} ${account}`;
  return {
    begin: (caller, account, userId) => {
      const [key, now] = [keyOf(caller, account), clock.now()];
      const isKnownCaller = knownCallers.get(userId ?? "")?.includes(caller) === true;
      const accountWait = isKnownCaller ? 0 : accountAttempts.wait(account, now);
      const wait = Math.max(addressAttempts.wait(key, now), accountWait);
      if (wait > 0) return rateLimitError(wait);
      addressAttempts.add(key, now);
      accountAttempts.add(account, now);
      return null;
    },
    isBurst: (account) => {
      const now = clock.now();
      const wasReported = now - (burstTimes.get(account) ?? -Infinity) < HOUR_US;
      if (wasReported || accountAttempts.wait(account, now) <= 0) return false;
      remember(burstTimes, account, now);
      return true;
    },
    undo: (caller, account) => {
      addressAttempts.release(keyOf(caller, account));
      accountAttempts.release(account);
    },
    succeed: (caller, account) => {
      addressAttempts.forget(keyOf(caller, account));
      accountAttempts.release(account);
    },
    rememberCaller: (caller, userId) => {
      const otherCallers = (knownCallers.get(userId) ?? []).filter(
        (knownCaller) => knownCaller !== caller,
      );
      remember(knownCallers, userId, [...otherCallers, caller].slice(-KNOWN_ADDRESSES));
    },
    forgetUser: (userId) => void knownCallers.delete(userId),
  };
}

type AttemptCounter = {
  /** Returns the time in µs until the next attempt is allowed. */
  wait: (key: string, now: number) => number;
  add: (key: string, now: number) => void;
  release: (key: string) => void;
  forget: (key: string) => void;
};

/** Counts attempts per key. One attempt becomes available again every `recoverySeconds`. */
function openAttemptCounter(max: number, recoverySeconds: number): AttemptCounter {
  const step = recoverySeconds * SECOND_US;
  /** Time in µs at which all of a key's attempts are available again. */
  const fullAt = new Map<string, number>();
  const nextFullAt = (key: string, now: number) => Math.max(fullAt.get(key) ?? now, now) + step;
  return {
    // Capped, so that attempts from known addresses don't extend the wait beyond its maximum.
    wait: (key, now) => Math.max(0, nextFullAt(key, now) - step * max - now),
    add: (key, now) => remember(fullAt, key, Math.min(nextFullAt(key, now), now + step * max)),
    release: (key) => {
      const fullTime = fullAt.get(key);
      if (fullTime !== undefined) fullAt.set(key, fullTime - step);
    },
    forget: (key) => void fullAt.delete(key),
  };
}

/** Adds or refreshes an entry and evicts the oldest beyond `MAX_REMEMBERED`. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= MAX_REMEMBERED) break;
    map.delete(oldest);
  }
}
