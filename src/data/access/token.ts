// Credentials as the store keeps them: as hashes, never as tokens.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

import { SECRET_PREFIXES } from "#core/accounts/secret.ts";
import type { SecretKind } from "#core/accounts/secret.ts";

const SECRET_BYTES = 32;
/** People may have to type it, and it ends after some days. */
const INVITATION_BYTES = 20;

/** A new secret of 256 random bits, or of 160. It is shown once and never stored. */
export function newSecret(kind: SecretKind): string {
  const bytes = kind === "invitation" ? INVITATION_BYTES : SECRET_BYTES;
  return SECRET_PREFIXES[kind] + randomBytes(bytes).toString("base64url");
}

/**
 * SHA-256 in hex. Tokens are looked up by hash, so how long the database compares says nothing
 * about how much of a guess is right.
 */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Whether `hash` is that of the token, compared in constant time. */
export function isTokenOf(hash: string, token: string): boolean {
  return timingSafeEqual(Buffer.from(hash, "hex"), Buffer.from(hashToken(token), "hex"));
}
