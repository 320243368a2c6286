import { IDENTITY_ERRORS } from "./identity-errors.ts";
import type { IdentityError, OAuthError } from "./identity-errors.ts";

export type IdentityResponse =
  | { status: 200 | 201; body: object; headers?: Readonly<Record<string, string>> }
  | { status: 204 }
  | { status: 302 | 303; location: string }
  | IdentityError
  | OAuthError;

export const okResponse = (body: object): IdentityResponse => ({ status: 200, body });
export const redirectResponse = (location: string): IdentityResponse => ({ status: 302, location });

const API_VERSION = "X-Supabase-Api-Version";
/** From this API version on, errors have the format `{code, message}`. */
const ERROR_FORMAT_VERSION = "2024-01-01";

/**
 * Creates the HTTP response in the format of the client's API version. Not cacheable by default.
 */
export function toHttpResponse(identityResponse: IdentityResponse, request: Request): Response {
  const headers = new Headers({ "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });
  if ("refused" in identityResponse)
    return identityErrorResponse(identityResponse, request, headers);
  if ("oauth" in identityResponse) return oauthErrorResponse(identityResponse, headers);
  if ("location" in identityResponse) {
    headers.set("Location", identityResponse.location);
    // The referring URL may contain a token or code.
    headers.set("Referrer-Policy", "no-referrer");
    return new Response(null, { status: identityResponse.status, headers });
  }
  if (!("body" in identityResponse)) return new Response(null, { status: 204, headers });
  for (const [name, value] of Object.entries(identityResponse.headers ?? {}))
    headers.set(name, value);
  return Response.json(identityResponse.body, { status: identityResponse.status, headers });
}

function identityErrorResponse(
  { refused: code, text, retryAfterS }: IdentityError,
  request: Request,
  headers: Headers,
): Response {
  const { status, text: defaultText } = IDENTITY_ERRORS[code];
  const message = text ?? defaultText;
  headers.set("x-sb-error-code", code);
  if (retryAfterS !== undefined) headers.set("Retry-After", String(retryAfterS));
  const version = request.headers.get(API_VERSION);
  if (version === null || version < ERROR_FORMAT_VERSION)
    return Response.json({ code: status, error_code: code, msg: message }, { status, headers });
  headers.set(API_VERSION, version.slice(0, ERROR_FORMAT_VERSION.length));
  const reasons = code === "weak_password" ? { weak_password: { reasons: ["length"] } } : {};
  return Response.json({ code, message, ...reasons }, { status, headers });
}

function oauthErrorResponse({ oauth, text, status = 400 }: OAuthError, headers: Headers) {
  if (oauth === "invalid_client" && status === 401) headers.set("WWW-Authenticate", "Basic");
  if (oauth === "invalid_token") headers.set("WWW-Authenticate", 'Bearer error="invalid_token"');
  return Response.json({ error: oauth, error_description: text }, { status, headers });
}
