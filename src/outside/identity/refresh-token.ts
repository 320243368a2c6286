// Refresh tokens: the session, a counter, and a signature over both. The store holds only the
// counter, so nothing can be stolen from it.

import { createHmac, timingSafeEqual } from "node:crypto";

import type { Secrets } from "./secrets.ts";

const VERSION = 1;
const ID_AT = 1;
const COUNTER_AT = 17;
const SIGNED_BYTES = 21;
const SIGNATURE_BYTES = 32;
const TOKEN = /^[\w-]{71}$/;

export type RefreshToken = { sessionId: string; counter: number };

/** `sessionId` is a UUID. */
export function makeRefreshToken(secrets: Secrets, { sessionId, counter }: RefreshToken): string {
  const signed = Buffer.alloc(SIGNED_BYTES);
  signed.writeUInt8(VERSION);
  signed.write(sessionId.replaceAll("-", ""), ID_AT, "hex");
  signed.writeUInt32BE(counter, COUNTER_AT);
  return Buffer.concat([signed, signatureOf(secrets, sessionId, signed)]).toString("base64url");
}

/** Null for a text that we never gave out. */
export function parseRefreshToken(secrets: Secrets, text: unknown): RefreshToken | null {
  if (typeof text !== "string" || !TOKEN.test(text)) return null;
  const bytes = Buffer.from(text, "base64url");
  const signed = bytes.subarray(0, SIGNED_BYTES);
  const signature = bytes.subarray(SIGNED_BYTES);
  if (signature.length !== SIGNATURE_BYTES || signed[0] !== VERSION) return null;
  const sessionId = toUuid(signed.toString("hex", ID_AT, COUNTER_AT));
  if (!timingSafeEqual(signature, signatureOf(secrets, sessionId, signed))) return null;
  return { sessionId, counter: signed.readUInt32BE(COUNTER_AT) };
}

function signatureOf(secrets: Secrets, sessionId: string, signed: Buffer): Buffer {
  const key = secrets.derive(`refresh tokens of ${sessionId}`);
  return createHmac("sha256", key).update(signed).digest();
}

const toUuid = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
    "-",
  );
