// What the identity provider's refusals mean for people.

import type { FormRefusal } from "#site/look/form.tsx";

/** What its errors have in common, whichever provider it is. */
export type ProviderFault = {
  code?: string | undefined;
  status?: number | undefined;
  message: string;
  /** It did not answer, or not as it should: 5xx, no network, too late. */
  isAway: boolean;
  /** Seconds, as it said. */
  retryAfterS: number | null;
};

export const AWAY =
  "The identity provider does not answer at the moment. Bots play on; try again in a little while.";

/** The link of an email change that was followed in a browser that did not ask for it. */
export const CHANGE_ELSEWHERE =
  "Your email address hasn't changed, because this browser didn't ask for it. Open the link in the browser where you asked, or enter the 6-digit code there.";

const OTHER_BROWSER =
  "You opened this link in another browser than the one where you asked for it. If it was to confirm your email address, that's done: sign in with your password, or reset it.";
const EXPIRED =
  "This link has expired, was used already, or is not the newest one. Ask for another.";
const WRONG_DIGITS =
  "This code is wrong or has expired. Use the newest email, or open its link instead.";

const REFUSALS: Readonly<Record<string, FormRefusal>> = {
  invalid_credentials: { field: "password", text: "Wrong email or password." },
  email_not_confirmed: {
    field: "email",
    text: "This address is not confirmed yet. Open the link of the mail, or ask for another one.",
  },
  user_banned: { field: null, text: "This person may not sign in." },
  user_already_exists: { field: "email", text: "This address has an account. Sign in instead." },
  email_exists: { field: "email", text: "This address belongs to another account." },
  email_address_invalid: { field: "email", text: "Mail cannot be sent to this address." },
  reauthentication_needed: {
    field: null,
    text: "Sign in again first: it was a while ago.",
    code: "reauthentication_needed",
  },
  same_password: { field: "password", text: "This is the password that you have already." },
  signup_disabled: { field: null, text: "This ladder takes no new accounts at present." },
  // With a link it comes as `arrivalWords`.
  otp_expired: { field: "code", text: WRONG_DIGITS },
  flow_state_not_found: { field: null, text: EXPIRED },
  flow_state_expired: { field: null, text: EXPIRED },
  bad_code_verifier: { field: null, text: OTHER_BROWSER },
  pkce_code_verifier_not_found: { field: null, text: OTHER_BROWSER },
  session_not_found: { field: null, text: "Your session has ended. Sign in again." },
  access_denied: { field: null, text: "The sign-in was called off." },
  provider_failed: { field: null, text: "The other provider did not let you in." },
  bad_oauth_state: { field: null, text: "The sign-in took too long or was begun elsewhere." },
};

/** Too many, and how long to wait where that is known. */
function waitWords({ code, retryAfterS }: ProviderFault): string {
  const what =
    code === "over_email_send_rate_limit" ? "A mail was sent a moment ago." : "Too many tries.";
  return `${what} Try again ${retryAfterS === null ? "in a minute" : `in ${retryAfterS} s`}.`;
}

export function refusalOfProvider(fault: ProviderFault): FormRefusal {
  const { code = "", status, message } = fault;
  if (status === 429) return { field: null, text: waitWords(fault) };
  if (fault.isAway) return { field: null, text: AWAY };
  if (code === "weak_password") return { field: "password", text: message };
  const known = Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
  return known ?? { field: null, text: message };
}

/** Of an arrival by a link that did not work. */
export function arrivalWords(code: string): string {
  if (code === "otp_expired") return EXPIRED;
  const known = Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
  return known?.text ?? "This sign-in did not work. Try it again from here.";
}

const NAMES: Readonly<Record<string, string>> = {
  github: "GitHub",
  gitlab: "GitLab",
  linkedin_oidc: "LinkedIn",
};

/** What a social provider is called. */
export const socialName = (id: string): string =>
  NAMES[id] ?? `${id.charAt(0).toUpperCase()}${id.slice(1).replaceAll(/[_-]/g, " ")}`;
