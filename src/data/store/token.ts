// Credentials as the store keeps them: as hashes, never as tokens.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const TOKEN_BYTES = 32;

/** A new bot token of 256 random bits. It is shown once and never stored. */
export function newBotToken(): string {
  return `bout_bot_${randomBytes(TOKEN_BYTES).toString("base64url")}`;
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
