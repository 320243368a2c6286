// Signed unsubscribe links that work without signing in (RFC 8058).

import { createHmac, timingSafeEqual } from "node:crypto";

import { parseUnsubscribePayload, unsubscribePayload } from "#core/mail/unsubscribe.ts";
import type { UnsubscribeRequest } from "#core/mail/unsubscribe.ts";

const TOKEN_CHARS = 300;

const signatureOf = (key: Buffer, payload: string): Buffer =>
  createHmac("sha256", key).update(payload).digest();

export function unsubscribeToken(
  key: Buffer,
  unsubscribe: UnsubscribeRequest,
  nowMs: number,
): string {
  const payload = unsubscribePayload(unsubscribe, nowMs);
  const encodedPayload = Buffer.from(payload).toString("base64url");
  return `${encodedPayload}.${signatureOf(key, payload).toString("base64url")}`;
}

/** Returns the token's payload, or null if the token is invalid or expired. */
export function readUnsubscribeToken(
  key: Buffer,
  token: string,
  nowMs: number,
): UnsubscribeRequest | null {
  if (token.length > TOKEN_CHARS) return null;
  const [encodedPayload = "", signature = "", ...extraParts] = token.split(".");
  const payload = Buffer.from(encodedPayload, "base64url").toString();
  const [signatureBytes, expected] = [
    Buffer.from(signature, "base64url"),
    signatureOf(key, payload),
  ];
  const isValid =
    signatureBytes.length === expected.length && timingSafeEqual(signatureBytes, expected);
  return isValid && extraParts.length === 0 ? parseUnsubscribePayload(payload, nowMs) : null;
}
