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
  /** The variable path segment, or an empty string. */
  id: string;
  body: Readonly<Record<string, unknown>>;
  caller: string;
  now: Date;
};

export type IdentityServices = EmbeddedDeps & {
  limits: IdentityLimits;
  social: SocialSignIn;
  /**
   * Runs work at a random time after the response, so that timing reveals nothing about the work.
   */
  afterResponse: (work: () => Promise<void>) => void;
};

/**
 * Reads the request body as JSON or, for apps, as a form. Returns an error if the body is too large
 * or invalid.
 */
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

/** Repeated fields become an array, which handlers reject because they expect text. */
function formOf(text: string): Record<string, unknown> {
  const fields = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of new URLSearchParams(text))
    fields[name] = name in fields ? [fields[name], value].flat() : value;
  return fields;
}

/**
 * Returns the body as text, or null as soon as it exceeds `maxBytes`. The remaining bytes aren't
 * read.
 */
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
  // TextDecoder also removes a byte order mark.
  return new TextDecoder().decode(Buffer.concat(chunks));
}

export function bodyText(body: IdentityContext["body"], field: string): string | null {
  const value = body[field];
  return typeof value === "string" ? value : null;
}

export function emailOf(body: IdentityContext["body"]): string | null {
  return canonicalEmail(bodyText(body, "email") ?? "");
}

const CHALLENGE = /^[\w-]{43}$/;

/**
 * Returns the PKCE challenge, or null if there is none. Returns an error for the `plain` method,
 * which gives no protection.
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

export function matchesChallenge(challenge: string, verifier: string | null): boolean {
  const computed = createHash("sha256")
    .update(verifier ?? "")
    .digest("base64url");
  const hasSameLength = computed.length === challenge.length;
  return hasSameLength && timingSafeEqual(Buffer.from(computed), Buffer.from(challenge));
}

export function randomText({ random }: Pick<EmbeddedDeps, "random">, bytes: number): string {
  return Buffer.from(random(bytes)).toString("base64url");
}
