// Generates and hashes credentials. Only hashes are stored.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

import { SECRET_PREFIXES } from "#core/accounts/secret-prefix.ts";
import type { SecretKind } from "#core/accounts/secret-prefix.ts";

const SECRET_BYTES = 32;
/**
 * Invitation codes are shorter because people may have to type them. They expire after a few days.
 */
const INVITATION_BYTES = 20;

/**
 * Returns a new random secret of 256 bits, or 160 for invitations. Show it once and never store it.
 */
export function newSecret(kind: SecretKind): string {
  const bytes = kind === "invitation" ? INVITATION_BYTES : SECRET_BYTES;
  return SECRET_PREFIXES[kind] + randomBytes(bytes).toString("base64url");
}

/**
 * Returns the SHA-256 in hex. Tokens are looked up by hash, so the timing of the lookup reveals
 * nothing about the token.
 */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Returns whether `hash` is the hash of `token`. Compares in constant time. */
export function matchesTokenHash(hash: string, token: string): boolean {
  return timingSafeEqual(Buffer.from(hash, "hex"), Buffer.from(hashToken(token), "hex"));
}
