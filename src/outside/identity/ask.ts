// A request as handlers see it: read once, and bounded.

import { createHash, timingSafeEqual } from "node:crypto";

import { FIXED } from "#core/words/limits.ts";
import { canonicalEmail } from "#data/access/canonical-email.ts";

import type { EmbeddedDeps } from "./deps.ts";
import { refused } from "./errors.ts";
import type { IdentityRefusal } from "./errors.ts";
import type { IdentityLimits } from "./limits.ts";
import type { SocialSide } from "./social-profile.ts";

export type Ask = {
  request: Request;
  url: URL;
  query: URLSearchParams;
  /** The part of the address that names something; empty elsewhere. */
  id: string;
  /** The JSON object or form that was sent; empty without a body. */
  body: Readonly<Record<string, unknown>>;
  /** The address that asks. */
  caller: string;
  now: Date;
};

/** The parts that handlers work with. */
export type IdentityParts = EmbeddedDeps & {
  limits: IdentityLimits;
  social: SocialSide;
  /** Does work of a request at a random time after its answer. No time then tells about it. */
  afterAnswer: (work: () => Promise<void>) => void;
};

/** Reads the body of a request; programs may send forms. */
export async function readBody(
  request: Request,
  takesForms: boolean,
): Promise<Record<string, unknown> | IdentityRefusal> {
  if (request.body === null) return {};
  const text = await boundedText(request.body, FIXED.json_body_bytes);
  if (text === null) return refused("request_too_large");
  if (text.trim() === "") return {};
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (takesForms && type === "application/x-www-form-urlencoded") return formOf(text);
  if (type !== "application/json") return refused("unsupported_media_type");
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && !Array.isArray(body))
      return Object.assign(Object.create(null), body) as Record<string, unknown>;
  } catch {
    // Whatever is wrong with it, it is no JSON object.
  }
  return refused("bad_json");
}

/** A repeated field is a list, which no handler takes for a text. */
function formOf(text: string): Record<string, unknown> {
  const fields = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of new URLSearchParams(text))
    fields[name] = name in fields ? [fields[name], value].flat() : value;
  return fields;
}

/** Null when there are more than `most` bytes; the rest is not read. */
export async function boundedText(
  body: ReadableStream<Uint8Array>,
  most: number,
): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > most) return null;
    chunks.push(chunk);
  }
  // Takes a byte order mark away, too.
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** A field of a body as text; null if it is anything else. */
export function textOf(body: Ask["body"], field: string): string | null {
  const value = body[field];
  return typeof value === "string" ? value : null;
}

/** The email address in its canonical spelling; null if it is not one. */
export function emailOf(body: Ask["body"]): string | null {
  return canonicalEmail(textOf(body, "email") ?? "");
}

/** A PKCE challenge by SHA-256. */
const CHALLENGE = /^[\w-]{43}$/;

/** The challenge that was sent; null without one. `plain` would protect nothing. */
export function challengeOf(fields: {
  challenge: string | null;
  method: string | null;
}): string | null | IdentityRefusal {
  const { challenge, method } = fields;
  if (challenge === null || challenge === "") return null;
  if (method?.toLowerCase() !== "s256" || !CHALLENGE.test(challenge))
    return refused("validation_failed", "A code challenge is made by S256.");
  return challenge;
}

/** Whether the verifier is that of the challenge. */
export function fitsChallenge(challenge: string, verifier: string | null): boolean {
  const made = createHash("sha256")
    .update(verifier ?? "")
    .digest("base64url");
  const isSame = made.length === challenge.length;
  return isSame && timingSafeEqual(Buffer.from(made), Buffer.from(challenge));
}

/** Text of that many random bytes. */
export function randomText({ random }: Pick<EmbeddedDeps, "random">, bytes: number): string {
  return Buffer.from(random(bytes)).toString("base64url");
}
