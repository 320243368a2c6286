// Every refusal of the embedded provider, with the words and statuses of GoTrue.

import { ERRORS } from "#core/protocol/errors.ts";
import { FIXED } from "#core/words/limits.ts";

export const IDENTITY_ERRORS = {
  bad_json: { status: 400, text: "The body must be a JSON object." },
  validation_failed: { status: 400, text: "The request is not valid." },
  invalid_credentials: { status: 400, text: "Invalid login credentials" },
  reauthentication_needed: {
    status: 400,
    text: "Sign in again first, or give the present password as current_password.",
  },
  refresh_token_not_found: { status: 400, text: "Invalid Refresh Token: Refresh Token Not Found" },
  refresh_token_already_used: { status: 400, text: "Invalid Refresh Token: Already Used" },
  bad_code_verifier: { status: 400, text: "The code verifier is not that of the challenge." },
  bad_oauth_state: { status: 400, text: "The sign-in was begun elsewhere or too long ago." },
  provider_failed: { status: 400, text: "The other provider did not let you in." },
  no_authorization: { status: 401, text: "This endpoint requires a bearer token." },
  bad_jwt: { status: 403, text: "The token is not valid." },
  session_not_found: { status: 403, text: "The session of this token has ended." },
  not_admin: { status: 403, text: "Nobody can change app_metadata here." },
  otp_expired: { status: 403, text: "The link or code has expired or was used." },
  not_found: { status: 404, text: "Nothing is served at this address." },
  flow_state_not_found: { status: 404, text: "The code is unknown or was used." },
  oauth_authorization_not_found: { status: 404, text: "There is no such authorization." },
  oauth_consent_not_found: { status: 404, text: "There is no such consent." },
  method_not_allowed: { status: 405, text: "This method is not possible at this address." },
  request_too_large: { status: 413, text: "The body is too large." },
  unsupported_media_type: { status: 415, text: "The body must be JSON." },
  signup_disabled: { status: 422, text: "Signups are not allowed on this ladder" },
  user_already_exists: { status: 422, text: "User already registered" },
  email_exists: { status: 422, text: "This address is in use." },
  same_password: { status: 422, text: "The new password must differ from the old one." },
  weak_password: {
    status: 422,
    text: `The password must have at least ${FIXED.password_bytes_min} characters.`,
  },
  flow_state_expired: { status: 422, text: "The code has expired." },
  over_request_rate_limit: { status: 429, text: "Too many requests: try again later." },
  over_email_send_rate_limit: {
    status: 429,
    text: "Emails were sent to this address already: use the newest one.",
  },
  store_unavailable: { status: 503, text: ERRORS.store_unavailable.text },
  unexpected_failure: { status: 503, text: "The service cannot be reached at the moment." },
} as const satisfies Record<string, { status: number; text: string }>;

export type IdentityCode = keyof typeof IDENTITY_ERRORS;

/** What a request is refused with; `text` replaces that of the code. */
export type IdentityRefusal = { refused: IdentityCode; text?: string; retryAfterS?: number };

/** RFC 6749 and 8707. */
type OAuthCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "invalid_target"
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  | "invalid_token"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "access_denied";

export type OAuthRefusal = { oauth: OAuthCode; text: string; status?: 400 | 401 };

export function refused(refused: IdentityCode, text?: string): IdentityRefusal {
  return text === undefined ? { refused } : { refused, text };
}

export function isRefused(value: object | null): value is IdentityRefusal {
  return value !== null && "refused" in value;
}

export function isOAuthRefused(value: object): value is OAuthRefusal {
  return "oauth" in value;
}
