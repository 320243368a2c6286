// Credentials as the store keeps them: never the token itself.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const TOKEN_BYTES = 32;

/** A new bot token of 256 random bits; it is shown once and never stored. */
export function newBotToken(): string {
  return `bout_bot_${randomBytes(TOKEN_BYTES).toString("base64url")}`;
}

/**
 * SHA-256 in hex. The look-up goes by the hash, so no comparison in the database depends on how
 * much of a guessed token is right.
 */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Whether `hash` is that of the token, in a time that tells nothing of either. */
export function isTokenOf(hash: string, token: string): boolean {
  return timingSafeEqual(Buffer.from(hash, "hex"), Buffer.from(hashToken(token), "hex"));
}
