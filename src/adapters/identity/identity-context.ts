// Parsed request of an identity handler, bounded in size.

import { createHash, timingSafeEqual } from "node:crypto";

import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { canonicalEmail } from "#data/credentials/canonical-email.ts";

import type { EmbeddedDeps } from "./identity-deps.ts";
import { refused } from "./identity-errors.ts";
import type { IdentityError } from "./identity-errors.ts";
import type { IdentityLimits } from "./identity-limits.ts";
import type { SocialSignIn } from "./social-profile.ts";

export type IdentityContext = {
  request: Request;
  url: URL;
  query: URLSearchParams;
  /** The variable part of the path, or an empty string. */
  id: string;
  /** The JSON object or form in the body; empty without a body. */
  body: Readonly<Record<string, unknown>>;
  /** The client address. */
  caller: string;
  now: Date;
};

/** Services used by handlers. */
export type IdentityServices = EmbeddedDeps & {
  limits: IdentityLimits;
  social: SocialSignIn;
  /** Does work of a request at a random time after its answer. No time then tells about it. */
  afterResponse: (work: () => Promise<void>) => void;
};

/** Reads the body of a request; apps may send forms. */
export async function readBody(
  request: Request,
  acceptsForms: boolean,
): Promise<Record<string, unknown> | IdentityError> {
  if (request.body === null) return {};
  const text = await boundedText(request.body, FIXED_LIMITS.json_body_bytes);
  if (text === null) return refused("request_too_large");
  if (text.trim() === "") return {};
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (acceptsForms && type === "application/x-www-form-urlencoded") return formOf(text);
  if (type !== "application/json") return refused("unsupported_media_type");
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && !Array.isArray(body))
      return Object.assign(Object.create(null), body) as Record<string, unknown>;
  } catch {
    // Any parse error means that the body isn't a JSON object.
  }
  return refused("bad_json");
}

/** A repeated field becomes a list, which handlers don't accept as text. */
function formOf(text: string): Record<string, unknown> {
  const fields = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of new URLSearchParams(text))
    fields[name] = name in fields ? [fields[name], value].flat() : value;
  return fields;
}

/** Returns null if the body exceeds `maxBytes`; the rest isn't read. */
export async function boundedText(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  // Also removes a byte order mark.
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** Returns a field of a body as text, or null if it isn't text. */
export function bodyText(body: IdentityContext["body"], field: string): string | null {
  const value = body[field];
  return typeof value === "string" ? value : null;
}

/** Returns the email address in canonical form, or null if it isn't one. */
export function emailOf(body: IdentityContext["body"]): string | null {
  return canonicalEmail(bodyText(body, "email") ?? "");
}

/** A PKCE challenge with S256. */
const CHALLENGE = /^[\w-]{43}$/;

/**
 * Returns the code challenge, or null without one. `plain` would protect nothing and is rejected.
 */
export function challengeOf(fields: {
  challenge: string | null;
  method: string | null;
}): string | null | IdentityError {
  const { challenge, method } = fields;
  if (challenge === null || challenge === "") return null;
  if (method?.toLowerCase() !== "s256" || !CHALLENGE.test(challenge))
    return refused("validation_failed", "code_challenge_method must be 'S256'.");
  return challenge;
}

/** Returns whether the verifier matches the challenge. */
export function matchesChallenge(challenge: string, verifier: string | null): boolean {
  const computed = createHash("sha256")
    .update(verifier ?? "")
    .digest("base64url");
  const hasSameLength = computed.length === challenge.length;
  return hasSameLength && timingSafeEqual(Buffer.from(computed), Buffer.from(challenge));
}

/** Returns this many random bytes as text. */
export function randomText({ random }: Pick<EmbeddedDeps, "random">, bytes: number): string {
  return Buffer.from(random(bytes)).toString("base64url");
}
