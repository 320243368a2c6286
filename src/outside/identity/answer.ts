// What a handler answers, and how it is printed.

import { IDENTITY_ERRORS } from "./errors.ts";
import type { IdentityRefusal, OAuthRefusal } from "./errors.ts";

export type IdentityAnswer =
  | { status: 200 | 201; body: object; headers?: Readonly<Record<string, string>> }
  | { status: 204 }
  | { status: 302 | 303; location: string }
  | IdentityRefusal
  | OAuthRefusal;

export const ok = (body: object): IdentityAnswer => ({ status: 200, body });
export const redirect = (location: string): IdentityAnswer => ({ status: 302, location });

const API_VERSION = "X-Supabase-Api-Version";
/** From this one on errors have the shape `{code, message}`. */
const SHAPED_SINCE = "2024-01-01";

/** Prints an answer for a client of that version. Nothing is kept by caches unless it says so. */
export function printAnswer(answer: IdentityAnswer, request: Request): Response {
  const headers = new Headers({ "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });
  if ("refused" in answer) return printRefusal(answer, request, headers);
  if ("oauth" in answer) return printOAuthRefusal(answer, headers);
  if ("location" in answer) {
    headers.set("Location", answer.location);
    // The address of a link holds a token, and that of a redirect a code.
    headers.set("Referrer-Policy", "no-referrer");
    return new Response(null, { status: answer.status, headers });
  }
  if (!("body" in answer)) return new Response(null, { status: 204, headers });
  for (const [name, value] of Object.entries(answer.headers ?? {})) headers.set(name, value);
  return Response.json(answer.body, { status: answer.status, headers });
}

function printRefusal(
  { refused: code, text, retryAfterS }: IdentityRefusal,
  request: Request,
  headers: Headers,
): Response {
  const { status, text: usual } = IDENTITY_ERRORS[code];
  const message = text ?? usual;
  headers.set("x-sb-error-code", code);
  if (retryAfterS !== undefined) headers.set("Retry-After", String(retryAfterS));
  const version = request.headers.get(API_VERSION);
  if (version === null || version < SHAPED_SINCE)
    return Response.json({ code: status, error_code: code, msg: message }, { status, headers });
  headers.set(API_VERSION, version.slice(0, SHAPED_SINCE.length));
  const reasons = code === "weak_password" ? { weak_password: { reasons: ["length"] } } : {};
  return Response.json({ code, message, ...reasons }, { status, headers });
}

function printOAuthRefusal({ oauth, text, status = 400 }: OAuthRefusal, headers: Headers) {
  if (oauth === "invalid_client" && status === 401) headers.set("WWW-Authenticate", "Basic");
  if (oauth === "invalid_token") headers.set("WWW-Authenticate", 'Bearer error="invalid_token"');
  return Response.json({ error: oauth, error_description: text }, { status, headers });
}
