// Embedded provider errors, with GoTrue's messages and status codes.

import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { ERROR_CATALOGUE } from "#core/protocol/errors.ts";

export const IDENTITY_ERRORS = {
  bad_json: { status: 400, text: "The body must be a JSON object." },
  validation_failed: { status: 400, text: "The request isn't valid." },
  invalid_credentials: { status: 400, text: "Invalid login credentials" },
  reauthentication_needed: {
    status: 400,
    text: "Sign in again, or send your current password as current_password.",
  },
  refresh_token_not_found: { status: 400, text: "Invalid Refresh Token: Refresh Token Not Found" },
  refresh_token_already_used: { status: 400, text: "Invalid Refresh Token: Already Used" },
  bad_code_verifier: { status: 400, text: "The code verifier doesn't match the challenge." },
  bad_oauth_state: {
    status: 400,
    text: "The sign-in was started elsewhere or has expired. Try again.",
  },
  provider_failed: { status: 400, text: "The other provider rejected the sign-in." },
  no_authorization: { status: 401, text: "This endpoint requires a bearer token." },
  bad_jwt: { status: 403, text: "The token isn't valid." },
  session_not_found: { status: 403, text: "The session of this token has ended." },
  not_admin: { status: 403, text: "app_metadata can't be changed here." },
  otp_expired: { status: 403, text: "The link or code has expired or was already used." },
  not_found: { status: 404, text: "Nothing is served at this address." },
  flow_state_not_found: { status: 404, text: "The code is unknown or was already used." },
  oauth_authorization_not_found: { status: 404, text: "There is no such authorization." },
  oauth_consent_not_found: { status: 404, text: "There is no such consent." },
  method_not_allowed: { status: 405, text: "This method isn't allowed at this address." },
  request_too_large: { status: 413, text: "The body is too large." },
  unsupported_media_type: { status: 415, text: "The body must be JSON." },
  signup_disabled: { status: 422, text: "Signups are not allowed on this ladder" },
  user_already_exists: { status: 422, text: "User already registered" },
  email_exists: { status: 422, text: "This email address is already in use." },
  same_password: { status: 422, text: "The new password must differ from the old one." },
  weak_password: {
    status: 422,
    text: `The password must have at least ${FIXED_LIMITS.password_bytes_min} characters.`,
  },
  flow_state_expired: { status: 422, text: "The code has expired." },
  over_request_rate_limit: { status: 429, text: "Too many requests. Try again later." },
  over_email_send_rate_limit: {
    status: 429,
    text: "An email was already sent to this address. Use the newest one, or try again later.",
  },
  store_unavailable: { status: 503, text: ERROR_CATALOGUE.store_unavailable.text },
  unexpected_failure: { status: 503, text: "The service is unavailable at the moment." },
} as const satisfies Record<string, { status: number; text: string }>;

export type IdentityErrorCode = keyof typeof IDENTITY_ERRORS;

export type IdentityError = { refused: IdentityErrorCode; text?: string; retryAfterS?: number };

/** Error codes from RFC 6749 and RFC 8707. */
type OAuthErrorCode =
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

export type OAuthError = { oauth: OAuthErrorCode; text: string; status?: 400 | 401 };

export function refused(refused: IdentityErrorCode, text?: string): IdentityError {
  return text === undefined ? { refused } : { refused, text };
}

export function isIdentityError(value: object | null): value is IdentityError {
  return value !== null && "refused" in value;
}

export function isOAuthError(value: object): value is OAuthError {
  return "oauth" in value;
}
