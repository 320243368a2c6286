// Refresh tokens: the session, a counter, and a signature over both. The store holds only the
// counter, so nothing can be stolen from it.

import { createHmac, timingSafeEqual } from "node:crypto";

import type { SessionOwner, SessionRecord } from "#data/store/identity.ts";

import type { IdentityParts } from "./ask.ts";
import { isGood, LIFETIME_MS } from "./limits.ts";
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

type ExchangeParts = Pick<IdentityParts, "store" | "send" | "tokenReused" | "clock">;

/**
 * Exchanges refresh token number `counter` of a session.
 *
 * The active token is replaced by its child. For `refresh_reuse_s` after that, the parent of the
 * active token returns the same child, because tabs race and responses get lost. Later, a browser
 * may still present the parent: the response with the child was probably lost. It then gets a new
 * child and the lost one becomes invalid, so that a thief and the owner of one token can't both
 * continue. OAuth clients get no such second chance. Any other reuse, such as of an older token,
 * ends the session at any time (RFC 9700, section 2.2.2).
 */
export async function exchangeRefreshToken(
  parts: ExchangeParts,
  { session, user }: SessionOwner,
  counter: number,
  now: Date,
): Promise<SessionRecord | "reused" | "unknown"> {
  // A newer counter than the stored one: the database was restored from a backup.
  if (counter > session.counter) return "unknown";
  const current = await rotate(parts, session, counter, now);
  if (current === null) return "unknown";
  if (counter === current.parent && isGood(current.refreshedAt, LIFETIME_MS.reuse, now))
    return current;
  if (await parts.store.identity.endSession(session.id)) {
    parts.tokenReused(current);
    await notifyOwner(parts, { session: current, user });
  }
  return "reused";
}

/** Rotates if the token may be exchanged; returns the session as it is afterwards. */
async function rotate(
  { store }: ExchangeParts,
  session: SessionRecord,
  counter: number,
  now: Date,
): Promise<SessionRecord | null> {
  const isActive = counter === session.counter;
  const isParent = counter === session.parent && session.client === null;
  if (!isActive && !isParent) return session;
  if (!isActive && isGood(session.refreshedAt, LIFETIME_MS.reuse, now)) return session;
  const next = { from: session.counter, counter: session.counter + 1, parent: counter };
  return store.identity.rotateSession(session.id, { ...next, at: now.toISOString() });
}

async function notifyOwner(
  { store, send, clock }: ExchangeParts,
  { session: { client }, user }: SessionOwner,
): Promise<void> {
  if (user.email === null || user.emailConfirmedAt === null) return;
  const app = client && ((await store.grants.client(client.id))?.name ?? client.id);
  send(user.email, { type: "session_ended", at: clock.wall().toISOString(), app });
}
