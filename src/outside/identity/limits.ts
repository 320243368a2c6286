// How often people may ask the embedded provider, and how long what it gives out is good.

import { openThrottle } from "#base/token-bucket/token-bucket.ts";
import type { Rate, Throttle } from "#base/token-bucket/token-bucket.ts";
import { DAY_MS, HOUR, SECOND, SECOND_MS } from "#base/units/time.ts";
import { FIXED } from "#core/words/limits.ts";

import type { EmbeddedDeps } from "./deps.ts";
import type { IdentityRefusal } from "./errors.ts";

const WINDOW_S = 300;
const DAY_S = DAY_MS / SECOND_MS;

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

/**
 * Emails of one purpose to one mailbox: at once and per day by one requester, and per day by all
 * requesters together. Each purpose is counted by itself: a stranger can only use up a mailbox's
 * recovery emails by having them sent, and each of those lets its owner in.
 */
const MAIL_RATES = {
  interval: { perSecond: 1 / FIXED.mail_every_s, burst: 1 },
  requester: daily(FIXED.requester_mails_per_day),
  mailbox: daily(FIXED.mailbox_mails_per_day),
} as const;

function daily(most: number): Rate {
  return { perSecond: most / DAY_S, burst: most };
}

/** How long each is good, in milliseconds. */
export const LIFETIME_MS = {
  link: FIXED.mail_link_s * SECOND_MS,
  /** The six digits. */
  digits: FIXED.mail_code_s * SECOND_MS,
  /** The code that a browser exchanges. */
  flow: FIXED.browser_code_s * SECOND_MS,
  /** Lifetime of the invite that a followed link gives, to choose a password. */
  choice: FIXED.choose_password_s * SECOND_MS,
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
  /** Null if this caller may have an email of the kind sent to a mailbox now. */
  mail: (to: string, purpose: string, caller: string) => IdentityRefusal | null;
  /**
   * Notes the token of an email, and returns the hashes of earlier ones that it ends: those beyond
   * the newest of the same requester. In memory, since client addresses are never stored.
   */
  issue: (token: { userId: string; purpose: string; hash: string }, caller: string) => string[];
  passwords: Attempts;
};

export function openLimits({
  settings,
  clock,
  scaleOf = () => 1,
}: Pick<EmbeddedDeps, "settings" | "clock" | "scaleOf">): IdentityLimits {
  const routes = new Map<string, Throttle>(
    Object.entries(ADDRESS_RATES).map(([route, rate]) => [route, openThrottle(rate)]),
  );
  const mails = [
    [openThrottle(MAIL_RATES.interval), (to, purpose, caller) => `${purpose} ${caller} ${to}`],
    [openThrottle(MAIL_RATES.requester), (to, purpose, caller) => `${purpose} ${caller} ${to}`],
    [openThrottle(MAIL_RATES.mailbox), (to, purpose) => `${purpose} ${to}`],
  ] satisfies [Throttle, (to: string, purpose: string, caller: string) => string][];
  const waitOf = (throttle: Throttle | undefined, key: string, scale = 1) =>
    settings().limitsAddresses ? (throttle?.(key, clock.now(), scale) ?? 0) : 0;
  return {
    address: (route, caller) => tooSoon(waitOf(routes.get(route), caller, scaleOf(caller))),
    mail: (to, purpose, caller) => {
      for (const [throttle, keyOf] of mails) {
        const wait = waitOf(throttle, keyOf(to, purpose, caller));
        if (wait > 0) return tooSoon(wait, "over_email_send_rate_limit");
      }
      return null;
    },
    issue: openIssued(),
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

function openIssued(): IdentityLimits["issue"] {
  const newest = new Map<string, string[]>();
  return ({ userId, purpose, hash }, caller) => {
    const key = `${purpose} ${caller} ${userId}`;
    const all = [...(newest.get(key) ?? []), hash];
    const beyond = Math.max(0, all.length - FIXED.mailed_tokens);
    remember(newest, key, all.slice(beyond));
    return all.slice(0, beyond);
  };
}

type Attempts = {
  /**
   * Counts an attempt as wrong until it is known to be right; refuses if there were too many.
   * `userId` is null for an unknown account.
   */
  begin: (caller: string, account: string, userId: string | null) => IdentityRefusal | null;
  /** Whether an account is being guessed at, from whatever addresses; told once an hour. */
  isBurst: (account: string) => boolean;
  /** Takes back an attempt whose password was not checked. */
  takeBack: (caller: string, account: string) => void;
  /** Forgets the wrong ones of before. */
  succeed: (caller: string, account: string) => void;
  /** Remembers that a user was given a session at an address. */
  remember: (caller: string, userId: string) => void;
  /** Forgets the addresses of a user. */
  forget: (userId: string) => void;
};

const REMEMBERED = 100_000;
/** Addresses of one user. */
const KNOWN_ADDRESSES = 20;

/**
 * Counts wrong passwords for an account by client address, and over all addresses. The second
 * count slows down guessing from many addresses, but must not lock the owner out. So it leaves out
 * addresses where this user signed in with the current password since the process started. From
 * any other address, the owner can sign in by email in the meantime.
 */
function openAttempts(clock: EmbeddedDeps["clock"]): Attempts {
  const ofAddress = openCount(FIXED.wrong_passwords, FIXED.wrong_password_back_s);
  const ofAccount = openCount(FIXED.account_wrong_passwords, FIXED.account_wrong_password_back_s);
  const known = new Map<string, readonly string[]>();
  const bursts = new Map<string, number>();
  const keyOf = (caller: string, account: string) => `${caller} ${account}`;
  return {
    begin: (caller, account, userId) => {
      const [key, now] = [keyOf(caller, account), clock.now()];
      const isKnown = known.get(userId ?? "")?.includes(caller) === true;
      const elsewhere = isKnown ? 0 : ofAccount.wait(account, now);
      const wait = Math.max(ofAddress.wait(key, now), elsewhere);
      if (wait > 0) return tooSoon(wait);
      ofAddress.add(key, now);
      ofAccount.add(account, now);
      return null;
    },
    isBurst: (account) => {
      const now = clock.now();
      const isTold = now - (bursts.get(account) ?? -Infinity) < HOUR;
      if (isTold || ofAccount.wait(account, now) <= 0) return false;
      remember(bursts, account, now);
      return true;
    },
    takeBack: (caller, account) => {
      ofAddress.giveBack(keyOf(caller, account));
      ofAccount.giveBack(account);
    },
    succeed: (caller, account) => {
      ofAddress.forget(keyOf(caller, account));
      ofAccount.giveBack(account);
    },
    remember: (caller, userId) => {
      const others = (known.get(userId) ?? []).filter((one) => one !== caller);
      remember(known, userId, [...others, caller].slice(-KNOWN_ADDRESSES));
    },
    forget: (userId) => void known.delete(userId),
  };
}

type Count = {
  /** Microseconds until one more may be tried. */
  wait: (key: string, now: number) => number;
  add: (key: string, now: number) => void;
  /** Takes the latest one back. */
  giveBack: (key: string) => void;
  forget: (key: string) => void;
};

/** Attempts by key. One comes back every `backS` seconds. */
function openCount(most: number, backS: number): Count {
  const step = backS * SECOND;
  /** When each key has all of its attempts again. */
  const fullAt = new Map<string, number>();
  const next = (key: string, now: number) => Math.max(fullAt.get(key) ?? now, now) + step;
  return {
    // No count goes beyond what there is: an address that is let through all the same adds nothing.
    wait: (key, now) => Math.max(0, next(key, now) - step * most - now),
    add: (key, now) => remember(fullAt, key, Math.min(next(key, now), now + step * most)),
    giveBack: (key) => {
      const full = fullAt.get(key);
      if (full !== undefined) fullAt.set(key, full - step);
    },
    forget: (key) => void fullAt.delete(key),
  };
}

/** Notes a value as the newest, and forgets the oldest when there are too many. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= REMEMBERED) break;
    map.delete(oldest);
  }
}
