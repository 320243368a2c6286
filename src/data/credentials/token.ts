// Credentials are stored as hashes, never as tokens.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

import { SECRET_PREFIXES } from "#core/accounts/secret-prefix.ts";
import type { SecretKind } from "#core/accounts/secret-prefix.ts";

const SECRET_BYTES = 32;
/** Shorter, because people may have to type it, and it expires after some days. */
const INVITATION_BYTES = 20;

/** Returns a new secret of 256 random bits, or of 160. It is shown once and never stored. */
export function newSecret(kind: SecretKind): string {
  const bytes = kind === "invitation" ? INVITATION_BYTES : SECRET_BYTES;
  return SECRET_PREFIXES[kind] + randomBytes(bytes).toString("base64url");
}

/**
 * Returns the SHA-256 in hex. Tokens are looked up by hash, so the timing of the database's
 * comparison reveals nothing about the token.
 */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Whether `hash` is the hash of the token, compared in constant time. */
export function matchesTokenHash(hash: string, token: string): boolean {
  return timingSafeEqual(Buffer.from(hash, "hex"), Buffer.from(hashToken(token), "hex"));
}
