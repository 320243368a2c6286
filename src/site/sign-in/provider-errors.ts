import type { FormRefusal } from "#site/ui/form.tsx";

export type ProviderError = {
  code?: string | undefined;
  status?: number | undefined;
  message: string;
  /** True for a server error, a network error or a timeout. */
  isUnavailable: boolean;
  retryAfterS: number | null;
};

export const PROVIDER_UNAVAILABLE_TEXT =
  "The sign-in service isn't responding. Your bots keep playing. Try again in a moment.";

/** Shown when an email change link is opened in a browser that didn't request it. */
export const EMAIL_CHANGE_OTHER_BROWSER_TEXT =
  "Your email address hasn't changed, because this browser didn't request it. Open the link in the browser where you requested it, or enter the 6-digit code there.";

const OTHER_BROWSER_TEXT =
  "You opened this link in a different browser than the one where you requested it. If it was to confirm your email address, that's done: sign in with your password, or reset it.";
const EXPIRED_LINK_TEXT =
  "This link has expired, was already used, or isn't the newest one. Request a new one.";
const WRONG_CODE_TEXT =
  "This code is wrong or has expired. Use the newest email, or open its link instead.";

const PROVIDER_ERRORS: Readonly<Record<string, FormRefusal>> = {
  invalid_credentials: { field: "password", text: "Wrong email or password." },
  email_not_confirmed: {
    field: "email",
    text: "This email address isn't confirmed yet. Open the link in the email, or request a new one.",
  },
  user_banned: { field: null, text: "This account can't sign in." },
  user_already_exists: {
    field: "email",
    text: "This email address already has an account. Sign in instead.",
  },
  email_exists: { field: "email", text: "This email address belongs to another account." },
  email_address_invalid: { field: "email", text: "Email can't be sent to this address." },
  reauthentication_needed: {
    field: null,
    text: "Your sign-in is too old. Sign in again first.",
    code: "reauthentication_needed",
  },
  same_password: {
    field: "password",
    text: "This is already your password. Choose a different one.",
  },
  signup_disabled: { field: null, text: "Sign-up is closed." },
  // `describeCallbackError` has a different message for links.
  otp_expired: { field: "code", text: WRONG_CODE_TEXT },
  flow_state_not_found: { field: null, text: EXPIRED_LINK_TEXT },
  flow_state_expired: { field: null, text: EXPIRED_LINK_TEXT },
  bad_code_verifier: { field: null, text: OTHER_BROWSER_TEXT },
  pkce_code_verifier_not_found: { field: null, text: OTHER_BROWSER_TEXT },
  session_not_found: { field: null, text: "Your session has ended. Sign in again." },
  access_denied: { field: null, text: "The sign-in was canceled." },
  provider_failed: { field: null, text: "The other provider rejected the sign-in." },
  bad_oauth_state: {
    field: null,
    text: "The sign-in took too long or was started in a different browser.",
  },
};

function describeRateLimit({ code, retryAfterS }: ProviderError): string {
  const reason =
    code === "over_email_send_rate_limit" ? "We just sent an email." : "Too many attempts.";
  return `${reason} Try again ${retryAfterS === null ? "in a minute" : `in ${retryAfterS} s`}.`;
}

export function formErrorForProvider(error: ProviderError): FormRefusal {
  const { code = "", status, message } = error;
  if (status === 429) return { field: null, text: describeRateLimit(error) };
  if (error.isUnavailable) return { field: null, text: PROVIDER_UNAVAILABLE_TEXT };
  if (code === "weak_password") return { field: "password", text: message };
  const knownError = Object.hasOwn(PROVIDER_ERRORS, code) ? PROVIDER_ERRORS[code] : undefined;
  return knownError ?? { field: null, text: message };
}

/** Returns the error message for a failed callback. */
export function describeCallbackError(code: string): string {
  if (code === "otp_expired") return EXPIRED_LINK_TEXT;
  const knownError = Object.hasOwn(PROVIDER_ERRORS, code) ? PROVIDER_ERRORS[code] : undefined;
  return knownError?.text ?? "Sign-in failed. Try again.";
}

const SOCIAL_PROVIDER_NAMES: Readonly<Record<string, string>> = {
  github: "GitHub",
  gitlab: "GitLab",
  linkedin_oidc: "LinkedIn",
};

export const socialProviderName = (id: string): string =>
  SOCIAL_PROVIDER_NAMES[id] ??
  `${id.charAt(0).toUpperCase()}${id.slice(1).replaceAll(/[_-]/g, " ")}`;
